//! Lowering of axpy.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{AxpyDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    alpha: CoefOperand,
    x: Operand<Vector>,
    y: Operand<Vector>,
) -> Checked<AxpyDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    let alpha = l.coef("alpha", alpha)?;
    Ok(AxpyDesc { dtype: l.dtype, batch, n, alpha, x: l.vector(x), y: l.vector(y) })
}
