//! Lowering of copy.

use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{CopyDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(l: &Lowering, x: Operand<Vector>, y: Operand<Vector>) -> Checked<CopyDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    Ok(CopyDesc { dtype: l.dtype, batch, n, x: l.vector(x), y: l.vector(y) })
}
