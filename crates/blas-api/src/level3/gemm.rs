//! Lowering of gemm: the only place that knows its rules.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, is_row_major};
use crate::view::Operand;
use crate::{GemmDesc, GemmTypes, shape::Mat};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<Mat>,
    b: Operand<Mat>,
    beta: CoefOperand,
    c: Operand<Mat>,
) -> Checked<GemmDesc> {
    l.operand("a", &a, c.batch)?;
    l.operand("b", &b, c.batch)?;
    l.operand("c", &c, c.batch)?;
    // The factors first: where they do not fit, C tells nothing.
    l.same("rows of B", b.shape.rows, a.shape.cols)?;
    l.same("rows of C", c.shape.rows, a.shape.rows)?;
    l.same("columns of C", c.shape.cols, b.shape.cols)?;
    // Row-major C is the transposed problem: C' = B' A'.
    if is_row_major(c.shape) {
        l.layout("a", a.shape)?;
        l.layout("b", b.shape)?;
        return column_major(l, alpha, b.t(), a.t(), beta, c.t());
    }
    column_major(l, alpha, a, b, beta, c)
}

#[inline(always)]
fn column_major(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<Mat>,
    b: Operand<Mat>,
    beta: CoefOperand,
    c: Operand<Mat>,
) -> Checked<GemmDesc> {
    let (m, n, k) = (c.shape.rows, c.shape.cols, a.shape.cols);
    let ((ta, a), (tb, b)) = (l.matrix("a", a)?, l.matrix("b", b)?);
    Ok(GemmDesc {
        types: GemmTypes::plain(l.dtype),
        batch: c.batch,
        ta,
        tb,
        m,
        n,
        k,
        alpha: l.coef("alpha", alpha)?,
        a,
        b,
        beta: l.coef("beta", beta)?,
        c: l.output("c", c)?,
    })
}
