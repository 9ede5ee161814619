//! Lowering of swap.

use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{SwapDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(l: &Lowering, x: Operand<Vector>, y: Operand<Vector>) -> Checked<SwapDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    Ok(SwapDesc { dtype: l.dtype, batch, n, x: l.vector(x), y: l.vector(y) })
}
