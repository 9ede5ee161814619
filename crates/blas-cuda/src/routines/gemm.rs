//! gemm of i8, and where matrices of a batch must begin.

use std::ffi::c_int;

use blas_api::Result;
use hipblas_abi::{Form, Operand, calls, operation};

use super::geam::tiles;
use crate::handle::CudaHandle;
use crate::kernels::launch;
use crate::status;

/// gemm of i8 with i32 sums: by cuBLAS where it takes the operands, which must be aligned to 4, and the coefficients, which must
/// be 0 or 1.
pub(super) unsafe fn gemm_i8(h: &CudaHandle, routine: &'static str, d: &calls::GemmEx) -> Result {
    let plain = |coef| {
        let value = h.known(coef, 4).map(|v| i32::from_ne_bytes([v[0], v[1], v[2], v[3]]));
        matches!(value, Some(0 | 1))
    };
    let aligned = [d.a, d.b].iter().all(|o| o.ptr.addr().is_multiple_of(4) && o.ld % 4 == 0);
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        if aligned && plain(d.alpha) && plain(d.beta) {
            match h.native(routine, None, Form::Plain, d) {
                Err(e) if status::is_cublas_status(&e, status::cublas::NOT_SUPPORTED) => {}
                other => return other,
            }
        }
        let transposed = |op| c_int::from(op != operation::N);
        let (alpha, beta) = (h.coef(d.alpha, 4), h.coef(d.beta, 4));
        launch!(
            h,
            "gemm",
            "signed char",
            [tiles(d.m), tiles(d.n)],
            transposed(d.trans_a),
            transposed(d.trans_b),
            d.m,
            d.n,
            d.k,
            alpha,
            d.a.ptr,
            d.a.ld,
            d.b.ptr,
            d.b.ld,
            beta,
            d.c.ptr,
            d.c.ld
        )
    }
}

/// Whether all matrices of a batch begin where cuBLAS may load 16 bytes at once. It cannot see that of arrays of pointers, and
/// goes by the leading dimensions: narrow types may begin elsewhere.
pub(super) fn aligned(h: &CudaHandle, operands: &[Operand], batch: usize) -> Result<bool> {
    for &operand in operands {
        for i in 0..batch {
            let entry = h.entry(Form::Batched, operand, (i, batch), 1)?;
            if !entry.addr().is_multiple_of(16) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
