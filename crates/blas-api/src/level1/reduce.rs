//! Lowering of nrm2, asum, iamax and iamin.

use crate::coef::OutOperand;
use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{ReduceDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(l: &Lowering, x: Operand<Vector>, out: OutOperand) -> Checked<ReduceDesc> {
    l.operand("x", &x, x.batch)?;
    let out = l.out("out", out, x.batch)?;
    Ok(ReduceDesc { dtype: l.dtype, batch: x.batch, n: x.shape.len, x: l.vector(x), out })
}
