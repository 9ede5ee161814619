//! swap

use super::copy::exactly;
use crate::prelude::*;

pub(super) fn swap<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => {
        t.scenario("swap", BASIC, run::<T, B>);
        t.scenario("swap", &[Rule::Own("bits")], run::<T, B>);
    });
}

fn run<T: Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let mut x = c.output::<T>("x", Form::vector(n));
    let mut y = c.output::<T>("y", Form::vector(n));
    super::copy::specials(c, &mut x);
    super::copy::specials(c, &mut y);

    let mut operands = (x, y);
    c.run(&mut operands, |h, (x, y)| h.swap(x.vec_mut()?, y.vec_mut()?))?;

    let (x, y) = &operands;
    exactly(c, x, |e, i| y.before(e, i, 0))?;
    exactly(c, y, |e, i| x.before(e, i, 0))
}
