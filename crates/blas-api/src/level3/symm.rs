//! Lowering of symm and hemm.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjoint, is_row_major};
use crate::view::Operand;
use crate::{Side, SymmDesc, shape};

#[inline]
pub(crate) fn lower<S: SelfAdjoint>(
    l: &Lowering,
    side: Side,
    alpha: CoefOperand,
    a: Operand<S>,
    b: Operand<shape::Mat>,
    beta: CoefOperand,
    c: Operand<shape::Mat>,
) -> Checked<SymmDesc> {
    l.operand("a", &a, c.batch)?;
    l.layout("a", a.shape.mat())?;
    l.operand("b", &b, c.batch)?;
    l.layout("b", b.shape)?;
    l.operand("c", &c, c.batch)?;
    let (m, n) = (c.shape.rows, c.shape.cols);
    l.same("rows of B", b.shape.rows, m)?;
    l.same("columns of B", b.shape.cols, n)?;
    l.square("rows of A", "columns of A", a.shape.mat(), if side == Side::Left { m } else { n })?;
    // Row-major C is the transposed problem.
    let row_major = is_row_major(c.shape);
    let (side, a, b, c) = if row_major { (side.flip(), a.map(S::t), b.t(), c.t()) } else { (side, a, b, c) };
    let (m, n) = (c.shape.rows, c.shape.cols);
    let (a, uplo, conj) = l.self_adjoint("a", a)?;
    let (tb, b) = l.matrix("b", b)?;
    Ok(SymmDesc {
        dtype: l.dtype,
        batch: c.batch,
        side,
        uplo,
        conj,
        tb,
        m,
        n,
        alpha: l.coef("alpha", alpha)?,
        a,
        b,
        beta: l.coef("beta", beta)?,
        c: l.output("c", c)?,
    })
}
