//! getrs: one system by cuSOLVER, many by a batched function of cuBLAS.

use blas_api::Result;
use blas_gpu::GpuHandle;
use hipblas_abi::{Form, Numbers, calls};

use super::cusolver::{Solver, array};
use super::elem;
use crate::call::NameTypes;
use crate::cublas::InCublas;
use crate::handle::CudaHandle;

pub(super) unsafe fn getrs(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    d: &calls::Getrs,
) -> Option<Result> {
    // SAFETY: the caller's promise.
    unsafe {
        match form {
            Form::Plain => Some((|| {
                let s = Solver::new(h, routine, types)?;
                let (n, nrhs) = (s.int("n", d.n)?, s.int("nrhs", d.nrhs)?);
                let (lda, ldb) = (s.int("lda", d.a.ld)?, s.int("ldb", d.b.ld)?);
                let (op, info) = (InCublas::operation(d.trans), s.info()?);
                s.cusolver.getrs(
                    routine,
                    s.elem,
                    s.handle,
                    op,
                    n,
                    nrhs,
                    d.a.ptr,
                    lda,
                    d.pivots.ptr,
                    d.b.ptr,
                    ldb,
                    info,
                )
            })()),
            Form::Strided if d.pivots.ptr.is_null() || d.pivots.stride == d.n => Some((|| {
                let size = elem(types).size();
                let (a, b) = (array(h, d.a, d.batch, size)?, array(h, d.b, d.batch, size)?);
                h.call(routine, types, Form::Batched, &calls::Getrs { a, b, ..*d })
            })()),
            Form::Strided => Some(h.one_by_one(routine, types, form, d)),
            Form::Batched => None,
        }
    }
}
