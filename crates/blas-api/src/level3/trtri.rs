//! Lowering of trtri, in place (a and inv are one operand) and out of place.

use crate::lower::{Checked, Lowering, is_row_major};
use crate::view::Operand;
use crate::{Diag, Error, TrtriDesc, Uplo, shape};

#[inline]
pub(crate) fn lower(l: &Lowering, a: Operand<shape::Tri>, inv: Operand<shape::Tri>) -> Checked<TrtriDesc> {
    l.operand("a", &a, inv.batch)?;
    l.layout("a", a.shape.mat)?;
    l.operand("inv", &inv, inv.batch)?;
    let n = inv.shape.mat.rows;
    l.square("rows of inv", "columns of inv", inv.shape.mat, n)?;
    l.square("rows of A", "columns of A", a.shape.mat, n)?;
    let differs = |what, value, bound| Err(Error::Argument { routine: l.name(), what, value, bound }.into());
    if a.shape.uplo != inv.shape.uplo {
        let (value, bound) = match inv.shape.uplo {
            Uplo::Lower => (0, "1, as that of A"),
            Uplo::Upper => (1, "0, as that of A"),
        };
        return differs("triangle of inv (0 lower, 1 upper)", value, bound);
    }
    if a.shape.diag != inv.shape.diag {
        let (value, bound) = match inv.shape.diag {
            Diag::NonUnit => (0, "1, as that of A"),
            Diag::Unit => (1, "0, as that of A"),
        };
        return differs("diagonal of inv (0 stored, 1 unit)", value, bound);
    }
    // The inverse of the transpose is the transposed inverse.
    let (a, inv) = if is_row_major(inv.shape.mat) { (a.t(), inv.t()) } else { (a, inv) };
    let diag = a.shape.diag;
    let (trans, uplo, a) = l.triangular("a", a)?;
    let c = l.output("inv", inv.map(|s| s.mat))?;
    Ok(TrtriDesc { dtype: l.dtype, batch: inv.batch, uplo, trans, diag, n, a, inv: c })
}
