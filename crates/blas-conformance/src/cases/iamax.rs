//! iamax and iamin: the exact index, whatever ties.

use super::dot::results;
use crate::prelude::*;

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    Max,
    Min,
}

pub(super) fn iamax<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => {
        t.scenario("iamax", BASIC, |c| run::<T, B>(c, End::Max));
        t.scenario("iamax", &[Rule::Own("ties")], |c| ties::<T, B>(c, End::Max));
        t.scenario("iamax", &[Rule::Own("first_nan")], |c| first_nan::<T, B>(c, End::Max));
    });
}

pub(super) fn iamin<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => {
        t.scenario("iamin", BASIC, |c| run::<T, B>(c, End::Min));
        t.scenario("iamin", &[Rule::Own("ties")], |c| ties::<T, B>(c, End::Min));
        t.scenario("iamin", &[Rule::Own("first_nan")], |c| first_nan::<T, B>(c, End::Min));
    });
}

fn run<T: Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>, end: End) -> Verdict {
    let n = c.dim("n");
    let x = c.input::<T>("x", Form::vector(n));
    search(c, x, end)
}

/// Elements of which all sizes but a few are equal, in other signs and, for complex types, other parts.
fn ties<T: Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>, end: End) -> Verdict {
    let n = c.dim("n");
    let mut x = c.input::<T>("x", Form::vector(n));
    let rng = c.rng();
    x.fill(|_, _, _| {
        let rare = rng.below(4) == 0;
        let size = if rare == (end == End::Max) { 2.0 } else { 4.0 };
        let part = if T::COMPLEX { [0.0, 0.25, 0.5, 1.0][rng.below(4)] } else { 1.0 };
        let (re, im) = (size * part, size * (1.0 - part));
        let mut signed = |v: f64| if rng.below(2) == 0 { v } else { -v };
        Z::new(signed(re), signed(im))
    });
    search(c, x, end)
}

/// A NaN at every position, among infinities and with another NaN behind it.
fn first_nan<T: Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>, end: End) -> Verdict {
    let n = Dim::free("n", c.pick("n", &[1, 2, 3, 8, 9, 17, 40, 70]));
    for at in 0..n.n {
        let mut x = c.input::<T>("x", Form::vector(n));
        let rng = c.rng();
        let values = [0.0, f64::INFINITY, 1.0, f64::NEG_INFINITY];
        x.fill(|_, _, _| Z::new(values[rng.below(4)], if T::COMPLEX { values[rng.below(4)] } else { 0.0 }));
        let nan = if T::COMPLEX && at % 2 == 1 { Z::new(1.0, f64::NAN) } else { Z::new(f64::NAN, 0.0) };
        for e in 0..c.batch() {
            x.set(e, at, 0, nan);
            x.set(e, n.n - 1, 0, Z::new(f64::NAN, 0.0));
        }
        search(c, x, end)?;
    }
    Ok(())
}

fn search<T: Scalar<Real: Num> + Num, B: Backend>(
    c: &mut Case<'_, B>,
    x: Operand<T, B>,
    end: End,
) -> Verdict {
    let (out, plain) = results::<i64, B>(c);
    let from_one = |i: Option<usize>| i.map_or(0, |i| i as i64 + 1);

    let mut operands = (x, out);
    c.run(&mut operands, |h, (x, out)| {
        let x = x.vec()?;
        match (out.out()?, end) {
            (Out::Host([v]), End::Max) if plain => *v = from_one(h.iamax(x)?),
            (Out::Host([v]), End::Min) if plain => *v = from_one(h.iamin(x)?),
            (out, End::Max) => h.iamax_into(x, out)?,
            (out, End::Min) => h.iamin_into(x, out)?,
        }
        Ok(())
    })?;

    let (x, out) = &operands;
    for (e, x) in x.dense().iter().enumerate() {
        let parts: Vec<Z> = (0..x.rows).map(|i| x.at(i, 0)).collect();
        let got = out.after(0, e, 0).re as i64;
        // Sums of two parts may be formed in the type itself or in a wider one: where these differ, both are right.
        let exact = first(&parts, end, |z| Dd::from(z.re.abs()) + Dd::from(z.im.abs()));
        let rounded =
            first(&parts, end, |z| Dd::from(T::Real::from_z(Z::new(z.re.abs() + z.im.abs(), 0.0)).z().re));
        let (exact, rounded) = (from_one(exact), from_one(rounded));
        c.ensure(got == exact || got == rounded, (e, got), exact)?;
    }
    Ok(())
}

/// The first NaN, else the first of the extreme sizes.
fn first(parts: &[Z], end: End, size: impl Fn(&Z) -> Dd) -> Option<usize> {
    if let Some(nan) = parts.iter().position(|z| z.re.is_nan() || z.im.is_nan()) {
        return Some(nan);
    }
    let mut best: Option<(usize, Dd)> = None;
    for (i, z) in parts.iter().enumerate() {
        let v = size(z);
        let better = best.is_none_or(|(_, b)| {
            let (v, b) = ((v.hi, v.lo), (b.hi, b.lo));
            if end == End::Max { v > b } else { v < b }
        });
        if better {
            best = Some((i, v));
        }
    }
    best.map(|(i, _)| i)
}
