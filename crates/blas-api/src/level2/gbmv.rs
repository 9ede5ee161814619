//! Lowering of gbmv.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{GbmvDesc, Matrix, shape};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<shape::Band>,
    x: Operand<shape::Vector>,
    beta: CoefOperand,
    y: Operand<shape::Vector>,
) -> Checked<GbmvDesc> {
    l.operand("a", &a, y.batch)?;
    l.operand("x", &x, y.batch)?;
    l.operand("y", &y, y.batch)?;
    l.same("length of x", x.shape.len, a.shape.cols_seen())?;
    l.same("length of y", y.shape.len, a.shape.rows_seen())?;
    let shape::Band { rows, cols, kl, ku, ld, .. } = a.shape;
    Ok(GbmvDesc {
        dtype: l.dtype,
        batch: y.batch,
        trans: l.op(a.shape.op()),
        m: rows,
        n: cols,
        kl,
        ku,
        alpha: l.coef("alpha", alpha)?,
        a: Matrix { data: a.data, ld },
        x: l.vector_nonzero("x", x)?,
        beta: l.coef("beta", beta)?,
        y: l.vector_nonzero("y", y)?,
    })
}
