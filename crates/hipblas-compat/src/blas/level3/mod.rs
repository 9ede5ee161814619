//! Level 3 and the BLAS-like functions: one file a family, with what is computed in the same way beside it.

mod dgmm;
mod geam;
mod gemm;
mod gemm_ex;
mod gemm_grouped;
mod int8x4;
mod symm;
mod syr2k;
mod syrk;
mod trmm;
mod trsm;
mod trtri;

use std::ffi::c_void;

use blas_api::{DType, RawScalar, Trans};
use hipblas_abi::Operand;

use super::lower::Call;
use super::{Result, check};

/// A coefficient as the caller gives it.
#[derive(Clone, Copy)]
struct Coef {
    ptr: *const c_void,
    dtype: DType,
}

/// Rows of the stored matrix, where op of it has `rows` rows and `cols` columns.
fn stored_rows(op: Trans, rows: i64, cols: i64) -> i64 {
    if op.is_transposed() { cols } else { rows }
}

/// A matrix operand that op makes `rows` x `cols`.
fn operand(
    call: &Call,
    name: &'static str,
    a: Operand,
    op: Trans,
    rows: i64,
    cols: i64,
) -> Result<blas_api::Matrix> {
    if op.is_transposed() { call.matrix(name, a, cols, rows) } else { call.matrix(name, a, rows, cols) }
}

fn some_missing(operands: &[Operand]) -> bool {
    operands.iter().any(|o| o.ptr.is_null())
}

/// The coefficients of C = alpha * (a product of length `k` of the inputs) + beta * C, with AMD's checks of the
/// pointers; None if C stays as it is, whatever is NULL.
///
/// # Safety
/// Coefficients that are not NULL are where the pointer mode says.
unsafe fn update(
    call: &Call,
    k: i64,
    alpha: Coef,
    inputs: &[Operand],
    beta: Coef,
    c: Operand,
) -> Result<Option<[RawScalar; 2]>> {
    // SAFETY: the caller's promise.
    unsafe {
        let b = call.scalar(beta.ptr, beta.dtype)?;
        let a = if k == 0 { RawScalar::ZERO } else { call.scalar(alpha.ptr, alpha.dtype)? };
        let (mut seen_a, mut seen_b) = (a, b);
        if c.ptr.is_null() || k > 0 && some_missing(inputs) {
            // What is missing may not be wanted. The coefficients tell, wherever they are.
            seen_a = call.peek(a, alpha.dtype)?;
            seen_b = call.peek(b, beta.dtype)?;
        }
        match (check::is_zero(seen_a), check::is_one(seen_b)) {
            (true, true) => return Ok(None),
            (true, false) => check::present([c])?,
            (false, _) => check::sizes(!c.ptr.is_null() && !some_missing(inputs))?,
        }
        Ok(Some([a, b]))
    }
}

/// INVALID_VALUE if an operand is NULL and the coefficient is not 0.
///
/// # Safety
/// A coefficient on the device is of that type.
unsafe fn present_unless_zero(call: &Call, coef: RawScalar, dtype: DType, operands: &[Operand]) -> Result {
    if !some_missing(operands) {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    check::sizes(check::is_zero(unsafe { call.peek(coef, dtype)? }))
}
