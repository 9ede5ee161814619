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
mod syrk_ex;
mod trmm;
mod trsm;
mod trtri;

use blas_api::Trans;
use hipblas_abi::Operand;

use super::Result;
use super::lower::Call;

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
