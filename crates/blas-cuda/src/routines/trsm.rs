//! trsm as part of other routines.

use std::ffi::c_int;

use blas_api::{Location, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Form, Operand, calls, side};

use super::elem;
use super::scalars::one;
use crate::call::NameTypes;
use crate::handle::CudaHandle;

/// A triangular solve from the left.
pub(super) struct Triangular {
    pub(super) uplo: c_int,
    pub(super) op: c_int,
    pub(super) diag: c_int,
    pub(super) m: i64,
    pub(super) n: i64,
    pub(super) a: Operand,
    pub(super) b: Operand,
}

impl Triangular {
    /// Solves op(A) * X = B in place of B.
    ///
    /// # Safety
    /// The operands are there.
    pub(super) unsafe fn solve(&self, h: &CudaHandle, routine: &'static str, types: NameTypes) -> Result {
        let one = one(elem(types));
        let Triangular { uplo, op: trans_a, diag, m, n, a, b } = *self;
        let alpha = one.0.as_ptr().cast();
        let args = calls::Trsm { side: side::LEFT, uplo, trans_a, diag, m, n, alpha, a, b, batch: 1 };
        h.pointer_mode(Location::Host)?;
        // SAFETY: the caller's promise.
        unsafe { h.call(routine, types, Form::Plain, &args) }
    }
}
