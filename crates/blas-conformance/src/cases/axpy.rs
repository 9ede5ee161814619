//! axpy: the worked example of a case file.

use crate::prelude::*;

pub(super) fn axpy<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => t.scenario("axpy", ALPHA, run::<T, B>));
}

fn run<T: Scalar<Coef: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let alpha = c.coef::<T::Coef>("alpha")?;
    let x = c.input::<T>("x", Form::vector(n)).unread_if(alpha.is_zero());
    let y = c.output::<T>("y", Form::vector(n));

    let mut operands = (x, y);
    c.run(&mut operands, |h, (x, y)| h.axpy(alpha.get()?, x.vec()?, y.vec_mut()?))?;

    let (x, y) = &operands;
    c.compare(y, |e, i, _| {
        linear(T::COMPLEX, alpha.z(), |acc| acc.add(x.before(e, i, 0)), ONE, || y.before(e, i, 0))
    })
}
