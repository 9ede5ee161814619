//! dot, dotc and dsdot.

use crate::prelude::*;

pub(super) fn dot<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => {
        t.scenario("dot", BASIC, |c| run::<T, B>(c, false));
        // Of real types, dotc is dot.
        if !T::COMPLEX {
            t.scenario("dotc", BASIC, |c| run::<T, B>(c, true));
        }
    });
}

pub(super) fn dotc<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("dotc", BASIC, |c| run::<T, B>(c, true)));
}

pub(super) fn dsdot<B: Backend>(t: &mut Table<B>) {
    t.scenario("dsdot", BASIC, run_dsdot);
}

/// One result a batch entry, unread before the call; and whether a single one on the host is asked for by the plain
/// form of the routine, which returns it.
pub(super) fn results<T: Num, B: Backend>(c: &mut Case<'_, B>) -> (Operand<T, B>, bool) {
    let (n, site) = (c.batch(), c.site());
    (c.scalars("out", n, site).unread_if(true), c.pick("plain", &[true, false]))
}

fn run<T: Scalar + Num, B: Backend>(c: &mut Case<'_, B>, conj: bool) -> Verdict {
    let n = c.dim("n");
    let (x, y) = (c.input::<T>("x", Form::vector(n)), c.input::<T>("y", Form::vector(n)));
    let (out, plain) = results::<T, B>(c);

    let mut operands = (x, y, out);
    c.run(&mut operands, |h, (x, y, out)| {
        let (x, y) = (x.vec()?, y.vec()?);
        match (out.out()?, conj) {
            (Out::Host([v]), false) if plain => *v = h.dot(x, y)?,
            (Out::Host([v]), true) if plain => *v = h.dotc(x, y)?,
            (out, false) => h.dot_into(x, y, out)?,
            (out, true) => h.dotc_into(x, y, out)?,
        }
        Ok(())
    })?;

    let (x, y, out) = &operands;
    c.compare(out, |_, e, _| {
        let mut acc = Acc::new(T::COMPLEX);
        for i in 0..n.n {
            let a = x.before(e, i, 0);
            acc.fma(if conj { a.conj() } else { a }, y.before(e, i, 0));
        }
        acc
    })
}

fn run_dsdot<B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let (x, y) = (c.input::<f32>("x", Form::vector(n)), c.input::<f32>("y", Form::vector(n)));
    let (out, plain) = results::<f64, B>(c);

    let mut operands = (x, y, out);
    c.run(&mut operands, |h, (x, y, out)| {
        let (x, y) = (x.vec()?, y.vec()?);
        match out.out()? {
            Out::Host([v]) if plain => *v = h.dsdot(x, y)?,
            out => h.dsdot_into(x, y, out)?,
        }
        Ok(())
    })?;

    // The operands are f32, the arithmetic is not.
    let bound = Bound { unit: f64::UNIT, ..c.bound::<f64>() };
    let (x, y, out) = &operands;
    c.compare_within(&bound, out, |_, e, _| {
        let mut acc = Acc::new(false);
        for i in 0..n.n {
            acc.fma(x.before(e, i, 0), y.before(e, i, 0));
        }
        acc
    })
}
