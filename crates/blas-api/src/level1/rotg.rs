//! Lowering of rotg.

use crate::RotgDesc;
use crate::coef::OutOperand;
use crate::lower::{Checked, Lowering};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    a: OutOperand,
    b: OutOperand,
    c: OutOperand,
    s: OutOperand,
) -> Checked<RotgDesc> {
    let batch = a.len;
    l.same_place("a", &a, &[("b", &b), ("c", &c), ("s", &s)])?;
    Ok(RotgDesc {
        dtype: l.dtype,
        batch,
        a: l.out("a", a, batch)?,
        b: l.out("b", b, batch)?,
        c: l.out("c", c, batch)?,
        s: l.out("s", s, batch)?,
    })
}
