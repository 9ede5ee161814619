//! Lowering of scal.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{ScalDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(l: &Lowering, real: bool, alpha: CoefOperand, x: Operand<Vector>) -> Checked<ScalDesc> {
    l.operand("x", &x, x.batch)?;
    Ok(ScalDesc {
        dtype: l.dtype,
        batch: x.batch,
        n: x.shape.len,
        real: real && l.dtype.is_complex(),
        alpha: l.coef("alpha", alpha)?,
        x: l.vector(x),
    })
}
