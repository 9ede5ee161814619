//! Lowering of trmm, in place (b and c are one operand) and out of place.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, is_row_major};
use crate::view::Operand;
use crate::{Side, TrmmDesc, shape};

#[inline]
pub(crate) fn lower(
    l: &Lowering,
    side: Side,
    alpha: CoefOperand,
    a: Operand<shape::Tri>,
    b: Operand<shape::Mat>,
    c: Operand<shape::Mat>,
) -> Checked<TrmmDesc> {
    l.operand("a", &a, c.batch)?;
    l.layout("a", a.shape.mat)?;
    l.operand("b", &b, c.batch)?;
    l.layout("b", b.shape)?;
    l.operand("c", &c, c.batch)?;
    l.same("rows of B", b.shape.rows, c.shape.rows)?;
    l.same("columns of B", b.shape.cols, c.shape.cols)?;
    let order = if side == Side::Left { c.shape.rows } else { c.shape.cols };
    l.square("rows of A", "columns of A", a.shape.mat, order)?;
    // Row-major C is the transposed problem.
    let row_major = is_row_major(c.shape);
    let (side, a, b, c) = if row_major { (side.flip(), a.t(), b.t(), c.t()) } else { (side, a, b, c) };
    let diag = a.shape.diag;
    let (trans, uplo, a) = l.triangular("a", a)?;
    let (tb, b) = l.matrix("b", b)?;
    Ok(TrmmDesc {
        dtype: l.dtype,
        batch: c.batch,
        side,
        uplo,
        trans,
        diag,
        tb,
        m: c.shape.rows,
        n: c.shape.cols,
        alpha: l.coef("alpha", alpha)?,
        a,
        b,
        c: l.output("c", c)?,
    })
}
