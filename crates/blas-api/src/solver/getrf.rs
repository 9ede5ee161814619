//! Lowering of getrf.

use super::layout::ColumnMajor;
use crate::coef::OutOperand;
use crate::lower::Checked;
use crate::view::Operand;
use crate::{Backend, Field, GetrfDesc, Handle, RawHandle, Routine, shape};

pub(super) fn run<T: Field, B: Backend>(
    h: &Handle<B>,
    a: Operand<shape::Mat>,
    pivots: Option<Operand<shape::Vector>>,
    info: OutOperand,
) -> Checked {
    let l = h.lowering::<T>(Routine::Getrf);
    let (m, n, batch) = (a.shape.rows, a.shape.cols, a.batch);
    l.operand("a", &a, batch)?;
    let pivots = super::pivots(&l, pivots, m.min(n), batch)?;
    let info = l.out("info", info, batch)?;
    let a = ColumnMajor::<T, B>::of(h, &l, "a", a)?;
    h.launch(&GetrfDesc { dtype: l.dtype, batch, m, n, a: a.matrix, pivots, info }, RawHandle::getrf)?;
    a.write_back(h, &l)
}
