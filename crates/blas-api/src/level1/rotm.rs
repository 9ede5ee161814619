//! Lowering of rotm.

use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{RawParam, RotmDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    x: Operand<Vector>,
    y: Operand<Vector>,
    (param, operand): (RawParam, Option<Operand<Vector>>),
) -> Checked<RotmDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    if let Some(o) = operand {
        l.operand("param", &o, batch)?;
        l.same("length of param", o.shape.len, 5)?;
        l.contiguous("param", o.shape.inc)?;
    }
    Ok(RotmDesc { dtype: l.dtype, batch, n, x: l.vector(x), y: l.vector(y), param })
}
