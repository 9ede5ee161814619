//! Lowering of syr and her.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjoint};
use crate::view::Operand;
use crate::{SyrDesc, shape};

#[inline(always)]
pub(crate) fn lower<S: SelfAdjoint>(
    l: &Lowering,
    alpha: CoefOperand,
    x: Operand<shape::Vector>,
    a: Operand<S>,
) -> Checked<SyrDesc> {
    l.operand("x", &x, a.batch)?;
    l.operand("a", &a, a.batch)?;
    let n = x.shape.len;
    l.square("rows of A", "columns of A", a.shape.mat(), n)?;
    let batch = a.batch;
    // The conjugate of a Hermitian update is the update by conj(x).
    let (a, uplo, conj) = l.self_adjoint("a", a)?;
    let alpha = l.coef("alpha", alpha)?;
    Ok(SyrDesc { dtype: l.dtype, batch, uplo, n, alpha, conj, x: l.vector_nonzero("x", x)?, a })
}
