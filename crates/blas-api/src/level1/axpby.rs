//! Lowering of axpby.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering};
use crate::view::Operand;
use crate::{AxpbyDesc, shape::Vector};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    alpha: CoefOperand,
    x: Operand<Vector>,
    beta: CoefOperand,
    y: Operand<Vector>,
) -> Checked<AxpbyDesc> {
    let (n, batch) = l.pair(&x, &y)?;
    let (alpha, beta) = (l.coef("alpha", alpha)?, l.coef("beta", beta)?);
    Ok(AxpbyDesc { dtype: l.dtype, batch, n, alpha, x: l.vector(x), beta, y: l.vector(y) })
}
