//! geam that copies, and copies by geam.

use std::ffi::c_int;

use blas_api::{Location, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Elem, Form, Operand, calls, operation};

use super::elem;
use super::scalars::{ZERO, one};
use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

/// Whether a geam is known to be op(A) itself.
pub(super) fn copies(h: &CudaHandle, elem: Elem, d: &calls::Geam) -> bool {
    let one = one(elem);
    h.known(d.alpha, elem.size()).is_some_and(|v| v[..elem.size()] == one.0[..elem.size()])
        && h.known(d.beta, elem.size()).is_some_and(|v| v[..elem.size()].iter().all(|b| *b == 0))
}

/// C = op(A)
pub(super) unsafe fn copy(h: &CudaHandle, elem: Elem, d: &calls::Geam) -> Result {
    let (transposed, conj) = (d.trans_a != operation::N, d.trans_a == operation::C);
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        launch!(
            h,
            "copy",
            c_type(elem),
            [tiles(d.m), tiles(d.n)],
            c_int::from(transposed),
            c_int::from(conj),
            d.m,
            d.n,
            d.a.ptr,
            d.a.ld,
            d.c.ptr,
            d.c.ld
        )
    }
}

/// Blocks for tiles of 16.
pub(super) fn tiles(n: i64) -> u32 {
    blocks(n.saturating_mul(16))
}

/// to = op(from), `to` m x n.
pub(super) unsafe fn transpose(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    op: c_int,
    [m, n]: [i64; 2],
    from: Operand,
    to: Operand,
) -> Result {
    let one = one(elem(types));
    let (alpha, beta) = (one.0.as_ptr().cast(), ZERO.0.as_ptr().cast());
    let args = calls::Geam {
        trans_a: op,
        trans_b: operation::N,
        m,
        n,
        alpha,
        a: from,
        beta,
        b: to,
        c: to,
        batch: 1,
    };
    h.pointer_mode(Location::Host)?;
    // SAFETY: the caller's promise; beta is 0, so that the old content is not read.
    unsafe { h.call(routine, types, Form::Plain, &args) }
}
