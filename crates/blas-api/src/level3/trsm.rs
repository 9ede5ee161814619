//! Lowering of trsm.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, is_row_major};
use crate::view::Operand;
use crate::{Side, TrsmDesc, shape};

#[inline]
pub(crate) fn lower(
    l: &Lowering,
    side: Side,
    alpha: CoefOperand,
    a: Operand<shape::Tri>,
    b: Operand<shape::Mat>,
) -> Checked<TrsmDesc> {
    l.operand("a", &a, b.batch)?;
    l.layout("a", a.shape.mat)?;
    l.operand("b", &b, b.batch)?;
    let order = if side == Side::Left { b.shape.rows } else { b.shape.cols };
    l.square("rows of A", "columns of A", a.shape.mat, order)?;
    // Row-major B is the transposed problem.
    let (side, a, b) = if is_row_major(b.shape) { (side.flip(), a.t(), b.t()) } else { (side, a, b) };
    let diag = a.shape.diag;
    let (trans, uplo, a) = l.triangular("a", a)?;
    Ok(TrsmDesc {
        dtype: l.dtype,
        batch: b.batch,
        side,
        uplo,
        trans,
        diag,
        m: b.shape.rows,
        n: b.shape.cols,
        alpha: l.coef("alpha", alpha)?,
        a,
        b: l.output("b", b)?,
    })
}
