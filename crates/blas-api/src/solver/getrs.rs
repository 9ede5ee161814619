//! Lowering of getrs.

use super::layout::ColumnMajor;
use crate::lower::Checked;
use crate::view::Operand;
use crate::{Backend, Field, GetrsDesc, Handle, RawHandle, Routine, Trans, shape};

pub(super) fn run<T: Field, B: Backend>(
    h: &Handle<B>,
    trans: Trans,
    a: Operand<shape::Mat>,
    pivots: Option<Operand<shape::Vector>>,
    b: Operand<shape::Mat>,
) -> Checked {
    let l = h.lowering::<T>(Routine::Getrs);
    let (n, nrhs, batch) = (b.shape.rows, b.shape.cols, b.batch);
    l.operand("a", &a, batch)?;
    l.layout("a", a.shape)?;
    l.operand("b", &b, batch)?;
    l.layout("b", b.shape)?;
    l.square("rows of A", "columns of A", a.shape, n)?;
    let pivots = super::pivots(&l, pivots, n, batch)?;
    if batch == 0 || n == 0 || nrhs == 0 {
        // Nothing to solve, hence nothing to copy.
        return Ok(());
    }
    let a = ColumnMajor::<T, B>::of(h, &l, "a", a)?;
    let b = ColumnMajor::<T, B>::of(h, &l, "b", b)?;
    let (trans, dtype) = (l.op(trans), l.dtype);
    h.launch(
        &GetrsDesc { dtype, batch, trans, n, nrhs, a: a.matrix, pivots, b: b.matrix },
        RawHandle::getrs,
    )?;
    b.write_back(h, &l)
}
