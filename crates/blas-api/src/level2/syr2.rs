//! Lowering of syr2 and her2.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjoint};
use crate::view::Operand;
use crate::{Syr2Desc, shape};

#[inline(always)]
pub(crate) fn lower<S: SelfAdjoint>(
    l: &Lowering,
    alpha: CoefOperand,
    x: Operand<shape::Vector>,
    y: Operand<shape::Vector>,
    a: Operand<S>,
) -> Checked<Syr2Desc> {
    l.operand("x", &x, a.batch)?;
    l.operand("y", &y, a.batch)?;
    l.operand("a", &a, a.batch)?;
    let n = x.shape.len;
    l.same("length of y", y.shape.len, n)?;
    l.square("rows of A", "columns of A", a.shape.mat(), n)?;
    let batch = a.batch;
    let (a, uplo, conj) = l.self_adjoint("a", a)?;
    let alpha = l.coef("alpha", alpha)?;
    let (x, y) = (l.vector_nonzero("x", x)?, l.vector_nonzero("y", y)?);
    // The conjugate of alpha x y' + conj(alpha) y x' has conj(y) for x and conj(x) for y.
    let (x, y) = if conj { (y, x) } else { (x, y) };
    Ok(Syr2Desc { dtype: l.dtype, batch, uplo, n, alpha, conj, x, y, a })
}
