//! axpy, axpy_ex.

use std::ffi::c_void;

use blas_api::AxpyDesc;
use blas_api::DType::{self, BF16, C32, C64, F16, F32, F64};
use hipblas_abi::{Handle, Operand, calls};

use crate::blas::check;
use crate::blas::coef::{Coef, fetch_as};
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

impl Routine for calls::Axpy {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let call = Call::new(handle, entry, self.batch)?;
        let dtype = check::dtype(self.x.dtype)?;
        // SAFETY: the caller's promise.
        unsafe { axpy(&call, self.n, self.alpha, dtype, self.x, self.y) }
    }
}

/// Types of alpha, x, y and of the computation, as in the reference of rocBLAS.
const TYPES: &[[DType; 4]] = &[
    [BF16, BF16, BF16, F32],
    [F32, BF16, BF16, F32],
    [F16, F16, F16, F16],
    [F16, F16, F16, F32],
    [F32, F16, F16, F32],
    [F32; 4],
    [F64; 4],
    [C32; 4],
    [C64; 4],
];

impl Routine for calls::AxpyEx {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { n, alpha, x, y, batch, .. } = self;
        let types = check::dtypes([self.alpha_type, x.dtype, y.dtype, self.execution_type])?;
        let call = Call::new(handle, entry, batch)?;
        check::supported(TYPES, types)?;
        // SAFETY: the caller's promise.
        unsafe { axpy(&call, n, alpha, types[0], x, y) }
    }
}

unsafe fn axpy(
    call: &Call,
    n: i64,
    alpha: *const c_void,
    alpha_type: DType,
    x: Operand,
    y: Operand,
) -> Result {
    if n <= 0 || call.is_empty() {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    let alpha = unsafe { call.factor(Coef { ptr: alpha, dtype: alpha_type }, &[x, y])? };
    let Some(alpha) = alpha else { return Ok(()) };
    let dtype = check::dtype(x.dtype)?;
    let desc = AxpyDesc {
        dtype,
        batch: call.batch(),
        n: size(n),
        alpha,
        x: call.vector("x", x, n)?,
        y: call.vector("y", y, n)?,
    };
    // SAFETY: the descriptor has been checked; alpha is of its type.
    call.enqueue(move |raw| unsafe {
        let alpha = fetch_as(raw, desc.alpha, alpha_type, dtype.coef())?;
        raw.axpy(&AxpyDesc { alpha, ..desc })
    })
}
