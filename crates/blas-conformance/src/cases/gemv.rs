//! gemv.

use super::matvec::{row_product, zeros_meet_nan};
use crate::prelude::*;

/// An empty x leaves y untouched, whatever beta.
const EMPTY_X: Rule = Rule::Own("empty_x");

pub(super) fn gemv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => {
        t.scenario("gemv", ALPHA_BETA, run::<T, B>);
        t.scenario("gemv", &[EMPTY_X], run::<T, B>);
    });
}

fn run<T: Scalar<Coef: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let m = c.dim("m");
    let n = if c.rule() == EMPTY_X { Dim::free("n", 0) } else { c.dim("n") };
    let (alpha, beta) = (c.coef::<T::Coef>("alpha")?, c.coef::<T::Coef>("beta")?);
    let mut a = c.input::<T>("a", Form::mat(m, n));
    let mut x = c.input::<T>("x", Form::vector(n));
    zeros_meet_nan(c, &mut a, &mut x);
    let (a, x) = (a.unread_if(alpha.is_zero()), x.unread_if(alpha.is_zero()));
    let y = c.output::<T>("y", Form::vector(m)).unread_if(beta.is_zero());

    let mut operands = (a, x, y);
    c.run(&mut operands, |h, (a, x, y)| h.gemv(alpha.get()?, a.mat()?, x.vec()?, beta.get()?, y.vec_mut()?))?;

    let (a, x, y) = &operands;
    c.compare(y, |e, i, _| {
        let product = |acc: &mut Acc| row_product(acc, (a, |j| x.before(e, j, 0)), (e, i));
        if n.n == 0 {
            return linear(T::COMPLEX, ZERO, product, ONE, || y.before(e, i, 0));
        }
        linear(T::COMPLEX, alpha.z(), product, beta.z(), || y.before(e, i, 0))
    })
}
