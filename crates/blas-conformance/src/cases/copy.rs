//! copy, and what swap has in common with it: elements arrive as they are.

use super::limits::Limits;
use crate::prelude::*;

pub(super) fn copy<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => {
        t.scenario("copy", BASIC, run::<T, B>);
        t.scenario("copy", &[Rule::Own("bits")], run::<T, B>);
    });
}

fn run<T: Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let mut x = c.input::<T>("x", Form::vector(n));
    specials(c, &mut x);
    let y = c.output::<T>("y", Form::vector(n)).unread_if(true);

    let mut operands = (x, y);
    c.run(&mut operands, |h, (x, y)| h.copy(x.vec()?, y.vec_mut()?))?;

    let (x, y) = &operands;
    exactly(c, y, |e, i| x.before(e, i, 0))
}

/// Under the rule about bits: signed zeros, infinities, subnormal and largest numbers in both parts.
pub(super) fn specials<T: Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>, x: &mut Operand<T, B>) {
    if !matches!(c.rule(), Rule::Own(_)) {
        return;
    }
    let l = Limits::of::<T::Real>();
    let values = [0.0, 1.0, f64::INFINITY, l.tiny, l.max, 3.0 * l.tiny, l.min];
    let rng = c.rng();
    let mut part = || values[rng.below(values.len())] * if rng.below(2) == 0 { 1.0 } else { -1.0 };
    x.fill(|_, _, _| Z::new(part(), if T::COMPLEX { part() } else { 0.0 }));
}

/// Every element of `y` is exactly `x`: same bits, but for the payload of a NaN.
pub(super) fn exactly<T: Num, B: Backend>(
    c: &Case<'_, B>,
    y: &Operand<T, B>,
    x: impl Fn(usize, usize) -> Z,
) -> Verdict {
    let same = |got: f64, want: f64| got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
    y.each(|e, i, _| {
        let (got, want) = (y.after(e, i, 0), x(e, i));
        c.ensure(same(got.re, want.re) && same(got.im, want.im), (e, i, got), want)
    })
}
