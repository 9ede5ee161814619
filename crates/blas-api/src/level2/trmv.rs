//! Lowering of trmv and trsv.

use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{TrmvDesc, shape};

#[inline(always)]
pub(crate) fn lower(l: &Lowering, a: Operand<shape::Tri>, x: Operand<shape::Vector>) -> Checked<TrmvDesc> {
    l.operand("a", &a, x.batch)?;
    l.operand("x", &x, x.batch)?;
    let n = x.shape.len;
    l.square("rows of A", "columns of A", a.shape.mat, n)?;
    let diag = a.shape.diag;
    let (trans, uplo, a) = l.triangular("a", a)?;
    Ok(TrmvDesc { dtype: l.dtype, batch: x.batch, uplo, trans, diag, n, a, x: l.vector_nonzero("x", x)? })
}
