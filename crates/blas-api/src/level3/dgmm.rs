//! Lowering of dgmm.

use crate::lower::{Checked, Lowering, is_row_major};
use crate::view::Operand;
use crate::{DgmmDesc, Side, shape};

#[inline]
pub(crate) fn lower(
    l: &Lowering,
    side: Side,
    a: Operand<shape::Mat>,
    x: Operand<shape::Vector>,
    c: Operand<shape::Mat>,
) -> Checked<DgmmDesc> {
    let (m, n) = (c.shape.rows, c.shape.cols);
    l.operand("a", &a, c.batch)?;
    l.layout("a", a.shape)?;
    l.operand("x", &x, c.batch)?;
    l.operand("c", &c, c.batch)?;
    l.same("rows of A", a.shape.rows, m)?;
    l.same("columns of A", a.shape.cols, n)?;
    l.same("length of x", x.shape.len, if side == Side::Left { m } else { n })?;
    // Row-major C is the transposed product.
    let (side, a, c) = if is_row_major(c.shape) { (side.flip(), a.t(), c.t()) } else { (side, a, c) };
    let (m, n) = (c.shape.rows, c.shape.cols);
    let (ta, a) = l.matrix("a", a)?;
    let (x, batch) = (l.vector(x), c.batch);
    Ok(DgmmDesc { dtype: l.dtype, batch, side, ta, m, n, a, x, c: l.output("c", c)? })
}
