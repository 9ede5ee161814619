//! Lowering of rot.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{RotDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    real: bool,
    x: Operand<Vector>,
    y: Operand<Vector>,
    c: CoefOperand,
    s: CoefOperand,
) -> Checked<RotDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    let (c, s) = (l.coef("c", c)?, l.coef("s", s)?);
    let real = real && l.dtype.is_complex();
    Ok(RotDesc { dtype: l.dtype, batch, n, real, x: l.vector(x), y: l.vector(y), c, s })
}
