//! Lowering of spr and hpr.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjointPacked};
use crate::view::Operand;
use crate::{SprDesc, shape};

#[inline(always)]
pub(crate) fn lower<S: SelfAdjointPacked>(
    l: &Lowering,
    alpha: CoefOperand,
    x: Operand<shape::Vector>,
    a: Operand<S>,
) -> Checked<SprDesc> {
    l.operand("x", &x, a.batch)?;
    l.operand("a", &a, a.batch)?;
    let shape::SymPacked { n, uplo, conj } = a.shape.stored();
    l.same("length of x", x.shape.len, n)?;
    let alpha = l.coef("alpha", alpha)?;
    // The conjugate of a Hermitian update is the update by conj(x).
    let conj = l.conj(conj);
    Ok(SprDesc {
        dtype: l.dtype,
        batch: a.batch,
        uplo,
        n,
        alpha,
        conj,
        x: l.vector_nonzero("x", x)?,
        ap: a.data,
    })
}
