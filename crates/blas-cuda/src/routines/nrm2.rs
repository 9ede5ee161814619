//! nrm2.

use std::ffi::{c_int, c_void};

use blas_api::Result;
use blas_gpu::GpuHandle;
use hipblas_abi::{Elem, Operand, data_type};

use super::scalars::place;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

/// nrm2: cuBLAS loses subnormal results, and gives infinity for a vector with a NaN and an infinity. `to` is the type of
/// the result.
pub(super) unsafe fn nrm2(
    h: &CudaHandle,
    (from, to): (Elem, Elem),
    n: i64,
    x: Operand,
    result: *mut c_void,
) -> Result {
    /// Three sums of f64.
    const SUMS: usize = 3 * size_of::<f64>();
    let count = blocks(n);
    let sums = h.scratch(count as usize * SUMS)?;
    let (out, fetch) = place(h, result, to.size())?;
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        launch!(h, "nrm2", c_type(from), [count, 1], n, x.ptr, x.ld, sums)?;
        launch!(h, "nrm2_last", c_type(to), [1, 1], count, sums, out)?;
        if fetch { h.fetch(out, result.cast(), to.size()) } else { Ok(()) }
    }
}

/// The half type of a vector, if it has one.
pub(super) fn half(dtype: c_int) -> Option<Elem> {
    match dtype {
        data_type::R_16F => Some(Elem::F16),
        data_type::R_16BF => Some(Elem::BF16),
        _ => None,
    }
}
