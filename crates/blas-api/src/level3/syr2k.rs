//! Lowering of syr2k, her2k, syrkx and herkx.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, SelfAdjoint, is_row_major};
use crate::view::Operand;
use crate::{Syr2kDesc, shape};

#[inline]
pub(crate) fn lower<S: SelfAdjoint>(
    l: &Lowering,
    alpha: CoefOperand,
    a: Operand<shape::Mat>,
    b: Operand<shape::Mat>,
    beta: CoefOperand,
    c: Operand<S>,
) -> Checked<Syr2kDesc> {
    l.operand("a", &a, c.batch)?;
    l.operand("b", &b, c.batch)?;
    l.operand("c", &c, c.batch)?;
    let (n, k, batch) = (a.shape.rows, a.shape.cols, c.batch);
    l.square("rows of C", "columns of C", c.shape.mat(), n)?;
    l.same("rows of B", b.shape.rows, n)?;
    l.same("columns of B", b.shape.cols, k)?;
    // The transpose of A * B' is B * A', of A * B^H conj(B) * conj(A)^H: row-major C exchanges A and B.
    let swap = is_row_major(c.shape.mat());
    let (c, uplo, conj) = l.self_adjoint("c", c)?;
    let (a, b) = if conj { (a.conj(), b.conj()) } else { (a, b) };
    let ((ta, a), (tb, b)) = (l.matrix("a", a)?, l.matrix("b", b)?);
    let ((ta, a), (tb, b)) = if swap { ((tb, b), (ta, a)) } else { ((ta, a), (tb, b)) };
    let (alpha, beta) = (l.coef("alpha", alpha)?, l.coef("beta", beta)?);
    Ok(Syr2kDesc { dtype: l.dtype, batch, uplo, ta, tb, n, k, alpha, a, b, beta, c })
}
