//! geqrf: one matrix by cuSOLVER, many by a batched function of cuBLAS.

use blas_api::Result;
use blas_gpu::GpuHandle;
use hipblas_abi::{Form, calls};

use super::cusolver::{Solver, array};
use super::elem;
use crate::call::NameTypes;
use crate::handle::CudaHandle;

pub(super) unsafe fn geqrf(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    d: &calls::Geqrf,
) -> Option<Result> {
    // SAFETY: the caller's promise.
    unsafe {
        match form {
            Form::Plain => {
                Some(Solver::new(h, routine, types).and_then(|s| s.geqrf(d.m, d.n, d.a, d.tau.ptr)))
            }
            Form::Strided => Some((|| {
                let size = elem(types).size();
                let (a, tau) = (array(h, d.a, d.batch, size)?, array(h, d.tau, d.batch, size)?);
                h.call(routine, types, Form::Batched, &calls::Geqrf { a, tau, ..*d })
            })()),
            Form::Batched => None,
        }
    }
}
