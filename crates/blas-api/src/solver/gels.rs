//! Lowering of gels.

use super::layout::ColumnMajor;
use crate::coef::OutOperand;
use crate::lower::Checked;
use crate::view::Operand;
use crate::{Backend, Error, Field, GelsDesc, Handle, RawHandle, Routine, Trans, shape};

pub(super) fn run<T: Field, B: Backend>(
    h: &Handle<B>,
    trans: Trans,
    a: Operand<shape::Mat>,
    b: Operand<shape::Mat>,
    info: OutOperand,
) -> Checked {
    let l = h.lowering::<T>(Routine::Gels);
    let (m, n, nrhs, batch) = (a.shape.rows, a.shape.cols, b.shape.cols, a.batch);
    l.operand("a", &a, batch)?;
    l.layout("a", a.shape)?;
    l.operand("b", &b, batch)?;
    l.layout("b", b.shape)?;
    l.same("rows of B", b.shape.rows, m.max(n))?;
    let trans = l.op(trans);
    // As LAPACK: the transpose that is an adjoint.
    if trans == Trans::ConjN || (trans == Trans::T && l.dtype.is_complex()) {
        let what = "trans (0 N, 1 T, 2 C, 3 conj(A))";
        return Err(Error::Argument { routine: l.name(), what, value: trans as i64, bound: "0 or 2" }.into());
    }
    let info = l.out("info", info, batch)?;
    let a = ColumnMajor::<T, B>::of(h, &l, "a", a)?;
    let b = ColumnMajor::<T, B>::of(h, &l, "b", b)?;
    let (a_, b_, dtype) = (a.matrix, b.matrix, l.dtype);
    h.launch(&GelsDesc { dtype, batch, trans, m, n, nrhs, a: a_, b: b_, info }, RawHandle::gels)?;
    a.write_back(h, &l)?;
    b.write_back(h, &l)
}
