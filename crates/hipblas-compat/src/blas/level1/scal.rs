//! scal, scal_ex.

use std::ffi::c_void;

use blas_api::DType::{self, BF16, C32, C64, F16, F32, F64};
use blas_api::ScalDesc;
use hipblas_abi::{Handle, Operand, calls};

use crate::blas::check;
use crate::blas::coef::fetch_as;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

impl Routine for calls::Scal {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let call = Call::new(handle, entry, self.batch)?;
        // SAFETY: the caller's promise.
        unsafe { scal(&call, self.n, self.alpha, call.second()?, self.x) }
    }
}

/// Types of alpha, x and of the computation, as in the reference of rocBLAS.
const TYPES: &[[DType; 3]] = &[
    [BF16, BF16, F32],
    [F32, BF16, F32],
    [F16, F16, F16],
    [F16, F16, F32],
    [F32, F16, F32],
    [F32; 3],
    [F64; 3],
    [C32; 3],
    [C64; 3],
    [F32, C32, C32],
    [F64, C64, C64],
];

impl Routine for calls::ScalEx {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { n, alpha, x, batch, .. } = self;
        let types = check::dtypes([self.alpha_type, x.dtype, self.execution_type])?;
        let call = Call::new(handle, entry, batch)?;
        check::supported(TYPES, types)?;
        // SAFETY: the caller's promise.
        unsafe { scal(&call, n, alpha, types[0], x) }
    }
}

unsafe fn scal(call: &Call, n: i64, alpha: *const c_void, alpha_type: DType, x: Operand) -> Result {
    if n <= 0 || x.ld <= 0 || call.is_empty() {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    let alpha = unsafe { call.scalar(alpha, alpha_type)? };
    if check::is_one(alpha) {
        return Ok(());
    }
    check::present([x])?;
    let dtype = check::dtype(x.dtype)?;
    let desc = ScalDesc {
        dtype,
        batch: call.batch(),
        n: size(n),
        real: dtype.is_complex() && !alpha_type.is_complex(),
        alpha,
        x: call.vector("x", x, n)?,
    };
    let wanted = if desc.real { dtype.real() } else { dtype.coef() };
    // SAFETY: the descriptor has been checked; alpha is of its type.
    call.enqueue(move |raw| unsafe {
        let alpha = fetch_as(raw, desc.alpha, alpha_type, wanted)?;
        raw.scal(&ScalDesc { alpha, ..desc })
    })
}
