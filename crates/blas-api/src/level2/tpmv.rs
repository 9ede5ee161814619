//! Lowering of tpmv and tpsv.

use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{TpmvDesc, shape};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    a: Operand<shape::TriPacked>,
    x: Operand<shape::Vector>,
) -> Checked<TpmvDesc> {
    l.operand("a", &a, x.batch)?;
    l.operand("x", &x, x.batch)?;
    let shape::TriPacked { n, uplo, diag, .. } = a.shape;
    l.same("length of x", x.shape.len, n)?;
    Ok(TpmvDesc {
        dtype: l.dtype,
        batch: x.batch,
        uplo,
        trans: l.op(a.shape.op()),
        diag,
        n,
        ap: a.data,
        x: l.vector_nonzero("x", x)?,
    })
}
