//! dot of f32 vectors in f64.

use blas_api::Result;
use blas_gpu::GpuHandle;
use hipblas_abi::{Elem, Form, Operand, calls, data_type};

use crate::handle::CudaHandle;
use crate::kernels::{blocks, launch};

/// dsdot, in f64 throughout.
pub(super) unsafe fn double_dot(h: &CudaHandle, routine: &'static str, d: &calls::DotEx) -> Result {
    let n = usize::try_from(d.n).unwrap_or(0);
    let widened = |v: Operand| -> Result<Operand> {
        let wide = h.scratch(n * size_of::<f64>())?;
        // SAFETY: the caller's promise; the arguments are the kernel's own.
        unsafe { launch!(h, "widen", "float", [blocks(d.n), 1], d.n, v.ptr, v.ld, wide) }?;
        Ok(Operand { ptr: wide.cast(), dtype: data_type::R_64F, ld: 1, stride: 0 })
    };
    let (x, y) = (widened(d.x)?, widened(d.y)?);
    let args = calls::Dot { n: d.n, x, y, batch: 1, result: d.result };
    // SAFETY: the caller's promise.
    unsafe { h.call(routine, Some((Elem::F64, Elem::F64)), Form::Plain, &args) }
}
