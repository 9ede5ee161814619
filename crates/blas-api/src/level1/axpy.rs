//! Lowering of axpy.

use crate::coef::CoefOperand;
use crate::lower::Lowering;
use crate::view::Operand;
use crate::{AxpyDesc, Result, shape::Vector};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    alpha: CoefOperand,
    x: Operand<Vector>,
    y: Operand<Vector>,
) -> Result<AxpyDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    let alpha = l.coef("alpha", alpha)?;
    Ok(AxpyDesc { dtype: l.dtype, batch, n, alpha, x: l.vector(x), y: l.vector(y) })
}
