//! Lowering of spmv and hpmv.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjointPacked};
use crate::view::Operand;
use crate::{SpmvDesc, shape};

#[inline(always)]
pub(crate) fn lower<S: SelfAdjointPacked>(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<S>,
    x: Operand<shape::Vector>,
    beta: CoefOperand,
    y: Operand<shape::Vector>,
) -> Checked<SpmvDesc> {
    l.operand("a", &a, y.batch)?;
    l.operand("x", &x, y.batch)?;
    l.operand("y", &y, y.batch)?;
    let shape::SymPacked { n, uplo, conj } = a.shape.stored();
    l.same("length of x", x.shape.len, n)?;
    l.same("length of y", y.shape.len, n)?;
    Ok(SpmvDesc {
        dtype: l.dtype,
        batch: y.batch,
        uplo,
        conj: l.conj(conj),
        n,
        alpha: l.coef("alpha", alpha)?,
        ap: a.data,
        x: l.vector_nonzero("x", x)?,
        beta: l.coef("beta", beta)?,
        y: l.vector_nonzero("y", y)?,
    })
}
