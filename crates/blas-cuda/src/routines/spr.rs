//! spr of complex types, which cuBLAS lacks.

use std::ffi::c_int;

use blas_api::Result;
use hipblas_abi::{Elem, calls, fill};

use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

pub(super) unsafe fn spr(h: &CudaHandle, elem: Elem, d: &calls::Spr) -> Result {
    let upper = c_int::from(d.uplo == fill::UPPER);
    let grid = [blocks(d.n), blocks(d.n * 256)];
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        let alpha = h.coef(d.alpha, elem.size());
        launch!(h, "spr", c_type(elem), grid, upper, d.n, alpha, d.x.ptr, d.x.ld, d.ap.ptr)
    }
}
