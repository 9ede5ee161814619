//! Lowering of rotm.

use crate::lower::Lowering;
use crate::view::Operand;
use crate::{Error, RawParam, Result, RotmDesc, shape::Vector};

pub(crate) fn lower(
    l: &Lowering,
    x: Operand<Vector>,
    y: Operand<Vector>,
    (param, operand): (RawParam, Option<Operand<Vector>>),
) -> Result<RotmDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    if let Some(o) = operand {
        l.operand("param", &o, batch)?;
        l.same("length of param", o.shape.len, 5)?;
        if o.shape.inc != 1 {
            return Err(Error::Strides {
                routine: l.name(),
                operand: "param",
                rs: o.shape.inc,
                cs: 1,
                min: 1,
            });
        }
    }
    Ok(RotmDesc { dtype: l.dtype, batch, n, x: l.vector(x), y: l.vector(y), param })
}
