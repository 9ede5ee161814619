//! scal of a complex vector by a real number.

use blas_api::Result;
use blas_gpu::GpuHandle;
use hipblas_abi::{Elem, Form, Operand, calls};

use crate::handle::CudaHandle;

/// A complex vector by a real alpha, as two real vectors: cuBLAS multiplies by a complex number with a zero.
pub(super) unsafe fn real_scal(h: &CudaHandle, routine: &'static str, real: Elem, d: &calls::Scal) -> Result {
    let types = Some((real, real));
    // SAFETY: the caller's promise.
    unsafe {
        if d.x.ld == 1 && d.n <= i64::MAX / 2 {
            return h.call(routine, types, Form::Plain, &calls::Scal { n: 2 * d.n, ..*d });
        }
        for part in 0..2 {
            let ptr = d.x.ptr.wrapping_byte_add(part * real.size());
            let x = Operand { ptr, ld: 2 * d.x.ld, ..d.x };
            h.call(routine, types, Form::Plain, &calls::Scal { x, ..*d })?;
        }
        Ok(())
    }
}
