//! Lowering of dot, dotc and dsdot.

use crate::coef::OutOperand;
use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{DotDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    x: Operand<Vector>,
    y: Operand<Vector>,
    out: OutOperand,
) -> Checked<DotDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    let out = l.out("out", out, batch)?;
    Ok(DotDesc { dtype: l.dtype, batch, n, x: l.vector(x), y: l.vector(y), out })
}
