//! axpby

use crate::prelude::*;

pub(super) fn axpby<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => t.scenario("axpby", ALPHA_BETA, run::<T, B>));
}

fn run<T: Scalar<Coef: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let (alpha, beta) = (c.coef::<T::Coef>("alpha")?, c.coef::<T::Coef>("beta")?);
    let x = c.input::<T>("x", Form::vector(n)).unread_if(alpha.is_zero());
    let y = c.output::<T>("y", Form::vector(n)).unread_if(beta.is_zero());

    let mut operands = (x, y);
    c.run(&mut operands, |h, (x, y)| h.axpby(alpha.get()?, x.vec()?, beta.get()?, y.vec_mut()?))?;

    let (x, y) = &operands;
    c.compare(y, |e, i, _| {
        linear(T::COMPLEX, alpha.z(), |acc| acc.add(x.before(e, i, 0)), beta.z(), || y.before(e, i, 0))
    })
}
