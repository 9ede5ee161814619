//! gbmv.

use super::matvec::{row_product, width, zeros_meet_nan};
use crate::prelude::*;

pub(super) fn gbmv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("gbmv", ALPHA_BETA, run::<T, B>));
}

fn run<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (m, n) = (c.dim("m"), c.dim("n"));
    let (kl, ku) = (width(c, "kl", m.n), width(c, "ku", n.n));
    let (alpha, beta) = (c.coef::<T>("alpha")?, c.coef::<T>("beta")?);
    let mut a = c.input::<T>("a", Form::band(m, n, kl, ku));
    let mut x = c.input::<T>("x", Form::vector(n));
    zeros_meet_nan(c, &mut a, &mut x);
    let (a, x) = (a.unread_if(alpha.is_zero()), x.unread_if(alpha.is_zero()));
    let y = c.output::<T>("y", Form::vector(m)).unread_if(beta.is_zero());

    let mut operands = (a, x, y);
    c.run(&mut operands, |h, (a, x, y)| {
        h.gbmv(alpha.get()?, a.band()?, x.vec()?, beta.get()?, y.vec_mut()?)
    })?;

    let (a, x, y) = &operands;
    c.compare(y, |e, i, _| {
        let product = |acc: &mut Acc| row_product(acc, (a, |j| x.before(e, j, 0)), (e, i));
        // An empty x leaves y untouched.
        if n.n == 0 {
            return linear(T::COMPLEX, ZERO, product, ONE, || y.before(e, i, 0));
        }
        linear(T::COMPLEX, alpha.z(), product, beta.z(), || y.before(e, i, 0))
    })
}
