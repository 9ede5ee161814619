//! Lowering of spr2 and hpr2.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjointPacked};
use crate::view::Operand;
use crate::{Spr2Desc, shape};

#[inline(always)]
pub(crate) fn lower<S: SelfAdjointPacked>(
    l: &Lowering,
    alpha: CoefOperand,
    x: Operand<shape::Vector>,
    y: Operand<shape::Vector>,
    a: Operand<S>,
) -> Checked<Spr2Desc> {
    l.operand("x", &x, a.batch)?;
    l.operand("y", &y, a.batch)?;
    l.operand("a", &a, a.batch)?;
    let shape::SymPacked { n, uplo, conj } = a.shape.stored();
    l.same("length of x", x.shape.len, n)?;
    l.same("length of y", y.shape.len, n)?;
    let (alpha, conj) = (l.coef("alpha", alpha)?, l.conj(conj));
    let (x, y) = (l.vector_nonzero("x", x)?, l.vector_nonzero("y", y)?);
    // As in her2.
    let (x, y) = if conj { (y, x) } else { (x, y) };
    Ok(Spr2Desc { dtype: l.dtype, batch: a.batch, uplo, n, alpha, conj, x, y, ap: a.data })
}
