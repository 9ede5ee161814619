//! dot, dotu, dotc, dot_ex, dotc_ex.

use std::ffi::c_void;

use blas_api::DType::{self, BF16, C32, C64, F16, F32, F64};
use blas_api::{Call as Raw, DotDesc};
use hipblas_abi::{Handle, Operand, calls};

use crate::blas::check;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! dot { ($($family:ident: $conj:literal),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let call = Call::new(handle, entry, self.batch)?;
            let dtype = check::dtype(self.x.dtype)?;
            dot(&call, $conj, self.n, self.x, self.y, self.result, dtype)
        }
    }
)*}}
dot!(Dot: false, Dotu: false, Dotc: true);

/// Types of x, y, the result and of the computation, as in the reference of rocBLAS.
const TYPES: &[[DType; 4]] = &[
    [F16; 4],
    [F16, F16, F16, F32],
    [BF16, BF16, BF16, F32],
    [F32; 4],
    [F32, F32, F64, F64],
    [F64; 4],
    [C32; 4],
    [C64; 4],
];

macro_rules! dot_ex { ($($family:ident: $conj:literal),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, x, y, batch, result, .. } = self;
            let types = check::dtypes([x.dtype, y.dtype, self.result_type, self.execution_type])?;
            let call = Call::new(handle, entry, batch)?;
            check::supported(TYPES, types)?;
            dot(&call, $conj, n, x, y, result, types[2])
        }
    }
)*}}
dot_ex!(DotEx: false, DotcEx: true);

fn dot(
    call: &Call,
    conj: bool,
    n: i64,
    x: Operand,
    y: Operand,
    result: *mut c_void,
    result_type: DType,
) -> Result {
    if call.is_empty() {
        return Ok(());
    }
    check::pointers([result.cast_const()])?;
    // The result of nothing is 0.
    let n = n.max(0);
    if n > 0 {
        check::present([x, y])?;
    }
    let dtype = check::dtype(x.dtype)?;
    let batch = call.batch();
    let desc = DotDesc {
        dtype,
        batch,
        n: size(n),
        x: call.vector("x", x, n)?,
        y: call.vector("y", y, n)?,
        out: call.results(result, result_type, batch)?,
    };
    if result_type != dtype {
        call.launch_results(desc, |d| Raw::Dsdot(d))
    } else if conj && dtype.is_complex() {
        call.launch_results(desc, |d| Raw::Dotc(d))
    } else {
        call.launch_results(desc, |d| Raw::Dot(d))
    }
}
