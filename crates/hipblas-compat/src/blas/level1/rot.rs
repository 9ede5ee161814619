//! rot, rot_ex.

use std::ffi::c_void;

use blas_api::DType::{self, BF16, C32, C64, F16, F32, F64};
use blas_api::RotDesc;
use hipblas_abi::{Handle, Operand, calls};

use crate::blas::check;
use crate::blas::coef::fetch_as;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

impl Routine for calls::Rot {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let call = Call::new(handle, entry, self.batch)?;
        // SAFETY: the caller's promise.
        unsafe { rot(&call, self.n, self.x, self.y, self.c, self.s, call.second()?) }
    }
}

/// Types of x, y, of c and s, and of the computation, as in the reference of rocBLAS.
const TYPES: &[[DType; 4]] = &[
    [BF16, BF16, BF16, F32],
    [F16, F16, F16, F32],
    [F32; 4],
    [F64; 4],
    [C32; 4],
    [C64; 4],
    [C32, C32, F32, C32],
    [C64, C64, F64, C64],
];

impl Routine for calls::RotEx {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { n, x, y, c, s, batch, .. } = self;
        let types = check::dtypes([x.dtype, y.dtype, self.cs_type, self.execution_type])?;
        let call = Call::new(handle, entry, batch)?;
        check::supported(TYPES, types)?;
        // A complex c starts with its real part.
        // SAFETY: the caller's promise.
        unsafe { rot(&call, n, x, y, c, s, types[2]) }
    }
}

/// s is of type `s_type`, c of the real type of that.
unsafe fn rot(
    call: &Call,
    n: i64,
    x: Operand,
    y: Operand,
    c: *const c_void,
    s: *const c_void,
    s_type: DType,
) -> Result {
    if n <= 0 || call.is_empty() {
        return Ok(());
    }
    let c_type = s_type.real();
    // First, as in rocBLAS: where an operand is missing, c and s may be ones that cannot be read.
    check::pointers([x.ptr.cast_const(), y.ptr.cast_const(), c, s])?;
    // SAFETY: the caller's promise.
    let (c, s) = unsafe { (call.scalar(c, c_type)?, call.scalar(s, s_type)?) };
    if check::is_one(c) && check::is_zero(s) {
        return Ok(());
    }
    let dtype = check::dtype(x.dtype)?;
    let desc = RotDesc {
        dtype,
        batch: call.batch(),
        n: size(n),
        real: dtype.is_complex() && !s_type.is_complex(),
        x: call.vector("x", x, n)?,
        y: call.vector("y", y, n)?,
        c,
        s,
    };
    // Those of f16 and bf16 are f32 in a descriptor.
    // SAFETY: the descriptor has been checked; c and s are of their types.
    call.enqueue(move |raw| unsafe {
        let c = fetch_as(raw, desc.c, c_type, c_type.coef())?;
        let s = fetch_as(raw, desc.s, s_type, s_type.coef())?;
        raw.rot(&RotDesc { c, s, ..desc })
    })
}
