//! iamax and iamin.

use std::ffi::{c_int, c_void};

use blas_api::Result;
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, Form, Operand};

use super::scalars::place;
use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

/// iamax, iamin: the first NaN if there is one, which cuBLAS passes over. In two steps: the best of each block, and of those.
pub(super) unsafe fn extreme(
    h: &CudaHandle,
    [first, last]: [&'static str; 2],
    types: NameTypes,
    n: i64,
    x: Operand,
    result: *mut c_void,
    wide: bool,
) -> Result {
    let elem = types.map_or(Elem::F32, |(t, _)| t);
    let count = blocks(n);
    let values = h.scratch(count as usize * elem.real().size())?;
    let indices = h.scratch(count as usize * size_of::<i64>())?;
    let bytes = if wide { size_of::<i64>() } else { size_of::<i32>() };
    let (out, fetch) = place(h, result, bytes)?;
    let (of, real) = (c_type(elem), c_type(elem.real()));
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        launch!(h, first, of, [count, 1], n, x.ptr, x.ld, values, indices)?;
        launch!(h, last, real, [1, 1], count, values, indices, out, c_int::from(wide))?;
        if fetch { h.fetch(out, result.cast(), bytes) } else { Ok(()) }
    }
}

/// Whether a result of `iamax` is an `int64_t`: that of the `_64` functions is.
pub(super) fn is_wide<A: Arguments>(args: &A) -> bool {
    args.beyond_i32(Form::Plain).is_some()
}
