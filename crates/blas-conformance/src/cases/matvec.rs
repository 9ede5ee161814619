//! What the matrix-vector families share.

use crate::prelude::*;

/// Adds the product of row `i` of A and x. Elements that A does not have (outside the band, in the implied triangle)
/// take no part: a NaN in x does not meet them.
pub(super) fn row_product<T: Num, B: Backend>(
    acc: &mut Acc,
    (a, x): (&Operand<T, B>, impl Fn(usize) -> Z),
    (e, i): (usize, usize),
) {
    let form = a.place.form;
    let mirrored = form.kind.is_symmetric() || form.kind.is_hermitian();
    for j in 0..form.cols.n {
        if i == j || form.stores(i, j) || mirrored && form.stores(j, i) {
            acc.fma(a.before(e, i, j), x(j));
        }
    }
}

/// In half of the cases about NaN, x (or the right-hand side) is zero and a NaN is in A: a routine that skips the zeros of
/// x misses it.
pub(super) fn zeros_meet_nan<T: Num, B: Backend>(
    c: &mut Case<'_, B>,
    a: &mut Operand<T, B>,
    x: &mut Operand<T, B>,
) {
    if c.rule() == Rule::Nan && c.pick("zeros", &[true, false]) {
        x.fill(|_, _, _| ZERO);
        c.plant(a, Z::new(f64::NAN, 1.0));
    }
}

/// A number of off-diagonals for a matrix of order `n`: none, few, all and more than there are.
pub(super) fn width<B: Backend>(c: &mut Case<'_, B>, name: &str, n: usize) -> usize {
    c.pick(name, &[0, 1, 2, 5, n / 2, n.saturating_sub(1), n + 2])
}
