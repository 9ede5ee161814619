//! Lowering of rotmg.

use crate::coef::OutOperand;
use crate::lower::{Checked, Lowering};
use crate::{Error, RotmgDesc};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    d1: OutOperand,
    d2: OutOperand,
    x1: OutOperand,
    y1: OutOperand,
    param: OutOperand,
) -> Checked<RotmgDesc> {
    let batch = d1.len;
    l.same_place("d1", &d1, &[("d2", &d2), ("x1", &x1), ("y1", &y1), ("param", &param)])?;
    let Some(params) = batch.checked_mul(5) else {
        return Err(Error::Overflow { routine: l.name(), operand: "param", factors: [batch, 5] }.into());
    };
    Ok(RotmgDesc {
        dtype: l.dtype,
        batch,
        d1: l.out("d1", d1, batch)?,
        d2: l.out("d2", d2, batch)?,
        x1: l.out("x1", x1, batch)?,
        y1: l.out("y1", y1, batch)?,
        param: l.out("param", param, params)?,
    })
}
