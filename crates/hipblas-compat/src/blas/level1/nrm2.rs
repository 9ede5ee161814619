//! nrm2, asum, nrm2_ex.

use std::ffi::c_void;

use blas_api::DType::{self, BF16, C32, C64, F16, F32, F64};
use blas_api::{Call as Raw, ReduceDesc};
use hipblas_abi::{Handle, Operand, calls};

use crate::blas::check;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! reduce { ($($family:ident),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let call = Call::new(handle, entry, self.batch)?;
            reduce(&call, self.n, self.x, self.result, |d| Raw::$family(d))
        }
    }
)*}}
reduce!(Nrm2, Asum);

/// Types of x, the result and of the computation, as in the reference of rocBLAS.
const TYPES: &[[DType; 3]] =
    &[[BF16, BF16, F32], [F16, F16, F32], [F32; 3], [F64; 3], [C32, F32, F32], [C64, F64, F64]];

impl Routine for calls::Nrm2Ex {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { n, x, batch, result, .. } = self;
        let types = check::dtypes([x.dtype, self.result_type, self.execution_type])?;
        let call = Call::new(handle, entry, batch)?;
        check::supported(TYPES, types)?;
        reduce(&call, n, x, result, |d| Raw::Nrm2(d))
    }
}

fn reduce(
    call: &Call,
    n: i64,
    x: Operand,
    result: *mut c_void,
    routine: impl for<'a> Fn(&'a ReduceDesc) -> Raw<'a> + Copy + 'static,
) -> Result {
    if call.is_empty() {
        return Ok(());
    }
    check::pointers([result.cast_const()])?;
    // The result of nothing is 0, and a vector that does not go forward is nothing.
    let n = if x.ld > 0 { n.max(0) } else { 0 };
    if n > 0 {
        check::present([x])?;
    }
    let dtype = check::dtype(x.dtype)?;
    let desc = ReduceDesc {
        dtype,
        batch: call.batch(),
        n: size(n),
        x: call.vector("x", x, n)?,
        out: call.results(result, dtype.real(), call.batch())?,
    };
    call.launch_results(desc, routine)
}
