//! Lowering of ger, geru and gerc.

use crate::coef::CoefOperand;
use crate::lower::{Checked, Lowering, is_row_major};
use crate::view::Operand;
use crate::{GerDesc, shape};

#[inline(always)]
pub(crate) fn lower(
    l: &Lowering,
    conj: bool,
    alpha: CoefOperand,
    x: Operand<shape::Vector>,
    y: Operand<shape::Vector>,
    a: Operand<shape::Mat>,
) -> Checked<GerDesc> {
    l.operand("x", &x, a.batch)?;
    l.operand("y", &y, a.batch)?;
    l.operand("a", &a, a.batch)?;
    l.same("length of x", x.shape.len, a.shape.rows)?;
    l.same("length of y", y.shape.len, a.shape.cols)?;
    let (conj, alpha) = (l.conj(conj), l.coef("alpha", alpha)?);
    let (x, y) = (l.vector_nonzero("x", x)?, l.vector_nonzero("y", y)?);
    // Row-major A is the transposed update, A' = alpha * y * x', with the conjugation still on y.
    let row_major = is_row_major(a.shape);
    let (dtype, batch) = (l.dtype, a.batch);
    let a = if row_major { a.t() } else { a };
    let (m, n) = (a.shape.rows, a.shape.cols);
    let a = l.output("a", a)?;
    Ok(if row_major {
        GerDesc { dtype, batch, m, n, alpha, conj_x: conj, x: y, conj_y: false, y: x, a }
    } else {
        GerDesc { dtype, batch, m, n, alpha, conj_x: false, x, conj_y: conj, y, a }
    })
}
