//! Lowering of dot, dotc and dsdot.

use crate::coef::OutOperand;
use crate::lower::Lowering;
use crate::view::Operand;
use crate::{DotDesc, Result, shape::Vector};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    x: Operand<Vector>,
    y: Operand<Vector>,
    out: OutOperand,
) -> Result<DotDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    let out = l.out("out", out, batch)?;
    Ok(DotDesc { dtype: l.dtype, batch, n, x: l.vector(x), y: l.vector(y), out })
}
