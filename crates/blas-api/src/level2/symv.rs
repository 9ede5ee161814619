//! Lowering of symv and hemv.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjoint};
use crate::view::Operand;
use crate::{SymvDesc, shape};

#[inline(always)]
pub(crate) fn lower<S: SelfAdjoint>(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<S>,
    x: Operand<shape::Vector>,
    beta: CoefOperand,
    y: Operand<shape::Vector>,
) -> Checked<SymvDesc> {
    l.operand("a", &a, y.batch)?;
    l.operand("x", &x, y.batch)?;
    l.operand("y", &y, y.batch)?;
    let n = y.shape.len;
    l.square("rows of A", "columns of A", a.shape.mat(), n)?;
    l.same("length of x", x.shape.len, n)?;
    let (a, uplo, conj) = l.self_adjoint("a", a)?;
    Ok(SymvDesc {
        dtype: l.dtype,
        batch: y.batch,
        uplo,
        conj,
        n,
        alpha: l.coef("alpha", alpha)?,
        a,
        x: l.vector_nonzero("x", x)?,
        beta: l.coef("beta", beta)?,
        y: l.vector_nonzero("y", y)?,
    })
}
