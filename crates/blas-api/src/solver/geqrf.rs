//! Lowering of geqrf.

use super::layout::ColumnMajor;
use crate::lower::Checked;
use crate::view::Operand;
use crate::{Backend, Field, GeqrfDesc, Handle, RawHandle, Routine, shape};

pub(super) fn run<T: Field, B: Backend>(
    h: &Handle<B>,
    a: Operand<shape::Mat>,
    tau: Operand<shape::Vector>,
) -> Checked {
    let l = h.lowering::<T>(Routine::Geqrf);
    let (m, n, batch) = (a.shape.rows, a.shape.cols, a.batch);
    l.operand("a", &a, batch)?;
    l.operand("tau", &tau, batch)?;
    l.same("length of tau", tau.shape.len, m.min(n))?;
    let tau = l.vector(tau);
    l.contiguous("tau", tau.inc)?;
    let a = ColumnMajor::<T, B>::of(h, &l, "a", a)?;
    h.launch(&GeqrfDesc { dtype: l.dtype, batch, m, n, a: a.matrix, tau }, RawHandle::geqrf)?;
    a.write_back(h, &l)
}
