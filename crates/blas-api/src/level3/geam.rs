//! Lowering of geam.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, is_row_major};
use crate::view::Operand;
use crate::{GeamDesc, shape::Mat};

#[inline]
pub(crate) fn lower(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<Mat>,
    beta: CoefOperand,
    b: Operand<Mat>,
    c: Operand<Mat>,
) -> Checked<GeamDesc> {
    let (m, n) = (c.shape.rows, c.shape.cols);
    l.operand("c", &c, c.batch)?;
    l.operand("a", &a, c.batch)?;
    l.layout("a", a.shape)?;
    l.operand("b", &b, c.batch)?;
    l.layout("b", b.shape)?;
    l.same("rows of A", a.shape.rows, m)?;
    l.same("columns of A", a.shape.cols, n)?;
    l.same("rows of B", b.shape.rows, m)?;
    l.same("columns of B", b.shape.cols, n)?;
    // Row-major C is the transposed sum.
    let (a, b, c) = if is_row_major(c.shape) { (a.t(), b.t(), c.t()) } else { (a, b, c) };
    let (m, n) = (c.shape.rows, c.shape.cols);
    let ((ta, a), (tb, b)) = (l.matrix("a", a)?, l.matrix("b", b)?);
    let (alpha, beta) = (l.coef("alpha", alpha)?, l.coef("beta", beta)?);
    Ok(GeamDesc { dtype: l.dtype, batch: c.batch, ta, tb, m, n, alpha, a, beta, b, c: l.output("c", c)? })
}
