//! asum

use super::dot::results;
use crate::prelude::*;

pub(super) fn asum<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => {
        t.scenario("asum", BASIC, run::<T, B>);
        t.scenario("asum", &[Rule::Own("infinity")], run::<T, B>);
    });
}

fn run<T: Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let mut x = c.input::<T>("x", Form::vector(n));
    if matches!(c.rule(), Rule::Own(_)) {
        c.plant(&mut x, Z::new(f64::NEG_INFINITY, 0.0));
        c.plant(&mut x, Z::new(1.0, f64::INFINITY));
    }
    let (out, plain) = results::<T::Real, B>(c);

    let mut operands = (x, out);
    c.run(&mut operands, |h, (x, out)| {
        match out.out()? {
            Out::Host([v]) if plain => *v = h.asum(x.vec()?)?,
            out => h.asum_into(x.vec()?, out)?,
        }
        Ok(())
    })?;

    let (x, out) = &operands;
    c.compare(out, |_, e, _| {
        let mut acc = Acc::new(false);
        for i in 0..n.n {
            let z = x.before(e, i, 0);
            acc.add(Z::new(z.re.abs(), 0.0));
            if T::COMPLEX {
                acc.add(Z::new(z.im.abs(), 0.0));
            }
        }
        acc
    })
}
