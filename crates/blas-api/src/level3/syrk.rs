//! Lowering of syrk and herk.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjoint};
use crate::view::Operand;
use crate::{SyrkDesc, shape};

#[inline]
pub(crate) fn lower<S: SelfAdjoint>(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<shape::Mat>,
    beta: CoefOperand,
    c: Operand<S>,
) -> Checked<SyrkDesc> {
    l.operand("a", &a, c.batch)?;
    l.operand("c", &c, c.batch)?;
    let (n, k, batch) = (a.shape.rows, a.shape.cols, c.batch);
    l.square("rows of C", "columns of C", c.shape.mat(), n)?;
    // Row-major Hermitian C is its own conjugate, the product of conj(A).
    let (c, uplo, conj) = l.self_adjoint("c", c)?;
    let (trans, a) = l.matrix("a", if conj { a.conj() } else { a })?;
    let (alpha, beta) = (l.coef("alpha", alpha)?, l.coef("beta", beta)?);
    Ok(SyrkDesc { dtype: l.dtype, batch, uplo, trans, n, k, alpha, a, beta, c })
}
