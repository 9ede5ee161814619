//! Lowering of trtri, in place (a and inv are one operand) and out of place.

use crate::lower::{Lowering, is_row_major};
use crate::view::Operand;
use crate::{Error, Result, TrtriDesc, shape};

pub(crate) fn lower(l: &Lowering, a: Operand<shape::Tri>, inv: Operand<shape::Tri>) -> Result<TrtriDesc> {
    // The inverse of the transpose is the transposed inverse.
    if is_row_major(inv.shape.mat) {
        return lower(l, a.t(), inv.t());
    }
    l.operand("a", &a, inv.batch)?;
    l.operand("inv", &inv, inv.batch)?;
    let n = inv.shape.mat.rows;
    l.square("rows of inv", "columns of inv", inv.shape.mat, n)?;
    l.square("rows of A", "columns of A", a.shape.mat, n)?;
    if a.shape.uplo != inv.shape.uplo || a.shape.diag != inv.shape.diag {
        return Err(Error::Argument {
            routine: l.name(),
            what: "triangle of inv",
            value: inv.shape.uplo as i64,
            bound: "that of A, with the same diagonal",
        });
    }
    let diag = a.shape.diag;
    let (trans, uplo, a) = l.triangular("a", a)?;
    let c = l.output("inv", inv.map(|s| s.mat))?;
    Ok(TrtriDesc { dtype: l.dtype, batch: inv.batch, uplo, trans, diag, n, a, inv: c })
}
