//! Lowering of gemv.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{GemvDesc, shape};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<shape::Mat>,
    x: Operand<shape::Vector>,
    beta: CoefOperand,
    y: Operand<shape::Vector>,
) -> Checked<GemvDesc> {
    l.operand("a", &a, y.batch)?;
    l.operand("x", &x, y.batch)?;
    l.operand("y", &y, y.batch)?;
    l.same("length of x", x.shape.len, a.shape.cols)?;
    l.same("length of y", y.shape.len, a.shape.rows)?;
    let (rows, cols) = (a.shape.rows, a.shape.cols);
    let (trans, a) = l.matrix("a", a)?;
    let (m, n) = if trans.is_transposed() { (cols, rows) } else { (rows, cols) };
    Ok(GemvDesc {
        dtype: l.dtype,
        batch: y.batch,
        trans,
        m,
        n,
        alpha: l.coef("alpha", alpha)?,
        a,
        x: l.vector_nonzero("x", x)?,
        beta: l.coef("beta", beta)?,
        y: l.vector_nonzero("y", y)?,
    })
}
