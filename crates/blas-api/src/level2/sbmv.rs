//! Lowering of sbmv and hbmv.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjointBand};
use crate::view::Operand;
use crate::{Matrix, SbmvDesc, shape};

#[inline(always)]
pub(crate) fn lower<S: SelfAdjointBand>(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<S>,
    x: Operand<shape::Vector>,
    beta: CoefOperand,
    y: Operand<shape::Vector>,
) -> Checked<SbmvDesc> {
    l.operand("a", &a, y.batch)?;
    l.operand("x", &x, y.batch)?;
    l.operand("y", &y, y.batch)?;
    let shape::SymBand { n, k, ld, uplo, conj } = a.shape.stored();
    l.same("length of x", x.shape.len, n)?;
    l.same("length of y", y.shape.len, n)?;
    Ok(SbmvDesc {
        dtype: l.dtype,
        batch: y.batch,
        uplo,
        conj: l.conj(conj),
        n,
        k,
        alpha: l.coef("alpha", alpha)?,
        a: Matrix { data: a.data, ld },
        x: l.vector_nonzero("x", x)?,
        beta: l.coef("beta", beta)?,
        y: l.vector_nonzero("y", y)?,
    })
}
