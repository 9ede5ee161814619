//! Lowering of tbmv and tbsv.

use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{Matrix, TbmvDesc, shape};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    a: Operand<shape::TriBand>,
    x: Operand<shape::Vector>,
) -> Checked<TbmvDesc> {
    l.operand("a", &a, x.batch)?;
    l.operand("x", &x, x.batch)?;
    let shape::TriBand { n, k, ld, uplo, diag, .. } = a.shape;
    l.same("length of x", x.shape.len, n)?;
    Ok(TbmvDesc {
        dtype: l.dtype,
        batch: x.batch,
        uplo,
        trans: l.op(a.shape.op()),
        diag,
        n,
        k,
        a: Matrix { data: a.data, ld },
        x: l.vector_nonzero("x", x)?,
    })
}
