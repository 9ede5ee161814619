//! getrf of square matrices: one by cuSOLVER, many by a batched function of cuBLAS.

use blas_api::Result;
use blas_gpu::GpuHandle;
use hipblas_abi::{Form, calls};

use super::cusolver::{Solver, array};
use super::elem;
use crate::call::NameTypes;
use crate::handle::CudaHandle;

pub(super) unsafe fn getrf(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    d: &calls::Getrf,
) -> Option<Result> {
    // SAFETY: the caller's promise.
    unsafe {
        match form {
            Form::Plain => Some((|| {
                let s = Solver::new(h, routine, types)?;
                let (n, lda) = (s.int("n", d.n)?, s.int("lda", d.a.ld)?);
                let mut len = 0;
                s.cusolver.getrf_size(routine, s.elem, s.handle, n, n, d.a.ptr, lda, &mut len)?;
                let work = s.room(len.into())?;
                s.cusolver.getrf(routine, s.elem, s.handle, n, n, d.a.ptr, lda, work, d.pivots.ptr, d.info)
            })()),
            // The batched function wants the pivots of an entry right after those of the one before.
            Form::Strided if d.pivots.ptr.is_null() || d.pivots.stride == d.n => Some((|| {
                let a = array(h, d.a, d.batch, elem(types).size())?;
                h.call(routine, types, Form::Batched, &calls::Getrf { a, ..*d })
            })()),
            Form::Strided => Some(h.one_by_one(routine, types, form, d)),
            Form::Batched => None,
        }
    }
}
