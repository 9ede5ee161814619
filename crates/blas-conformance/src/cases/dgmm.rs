//! dgmm.

use crate::prelude::*;

pub(super) fn dgmm<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("dgmm", BASIC, run::<T, B>));
}

fn run<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (side, m, n) = (c.side(), c.dim("m"), c.dim("n"));
    let a = c.input::<T>("a", Form::mat(m, n));
    let x = c.input::<T>("x", Form::vector(if side == Side::Left { m } else { n }));
    let out = c.output::<T>("c", Form::mat(m, n)).unread_if(true);

    let mut operands = (a, x, out);
    c.run(&mut operands, |h, (a, x, c)| h.dgmm(side, a.mat()?, x.vec()?, c.mat_mut()?))?;

    let (a, x, out) = &operands;
    c.compare(out, |e, i, j| {
        let mut acc = Acc::new(T::COMPLEX);
        acc.fma(x.before(e, if side == Side::Left { i } else { j }, 0), a.before(e, i, j));
        acc
    })
}
