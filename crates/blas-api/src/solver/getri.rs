//! Lowering of getri.

use super::layout::ColumnMajor;
use crate::coef::OutOperand;
use crate::lower::Checked;
use crate::view::Operand;
use crate::{Backend, Field, GetriDesc, Handle, RawHandle, Routine, shape};

pub(super) fn run<T: Field, B: Backend>(
    h: &Handle<B>,
    a: Operand<shape::Mat>,
    pivots: Option<Operand<shape::Vector>>,
    c: Operand<shape::Mat>,
    info: OutOperand,
) -> Checked {
    let l = h.lowering::<T>(Routine::Getri);
    let (n, batch) = (c.shape.rows, c.batch);
    l.operand("a", &a, batch)?;
    l.layout("a", a.shape)?;
    l.operand("c", &c, batch)?;
    l.layout("c", c.shape)?;
    l.square("rows of C", "columns of C", c.shape, n)?;
    l.square("rows of A", "columns of A", a.shape, n)?;
    let pivots = super::pivots(&l, pivots, n, batch)?;
    let info = l.out("info", info, batch)?;
    let a = ColumnMajor::<T, B>::of(h, &l, "a", a)?;
    let c = ColumnMajor::<T, B>::of(h, &l, "c", c)?;
    h.launch(
        &GetriDesc { dtype: l.dtype, batch, n, a: a.matrix, pivots, c: c.matrix, info },
        RawHandle::getri,
    )?;
    c.write_back(h, &l)
}
