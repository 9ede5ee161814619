//! Lowering of symm and hemm.

use crate::coef::CoefOperand;
use crate::lower::{Lowering, SelfAdjoint, is_row_major};
use crate::view::Operand;
use crate::{Result, Side, SymmDesc, shape};

pub(crate) fn lower<S: SelfAdjoint>(
    l: &Lowering,
    side: Side,
    alpha: CoefOperand,
    a: Operand<S>,
    b: Operand<shape::Mat>,
    beta: CoefOperand,
    c: Operand<shape::Mat>,
) -> Result<SymmDesc> {
    // Row-major C is the transposed problem.
    if is_row_major(c.shape) {
        return lower(l, side.flip(), alpha, a.map(S::t), b.t(), beta, c.t());
    }
    l.operand("a", &a, c.batch)?;
    l.operand("b", &b, c.batch)?;
    l.operand("c", &c, c.batch)?;
    let (m, n) = (c.shape.rows, c.shape.cols);
    l.same("rows of B", b.shape.rows, m)?;
    l.same("columns of B", b.shape.cols, n)?;
    l.square("rows of A", "columns of A", a.shape.mat(), if side == Side::Left { m } else { n })?;
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
