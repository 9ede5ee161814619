//! Descriptors of Level 2. m and n are the sizes of the matrix as stored.

use super::descriptor;
use crate::{Address, DType, Diag, Matrix, Ops, RawScalar, Trans, Uplo, Vector};

fn f(n: usize) -> f64 {
    n as f64
}

/// Elements in a band of an m x n matrix.
fn band(m: usize, n: usize, kl: usize, ku: usize) -> f64 {
    f(m.min(n)) * (1.0 + f(kl.min(m.saturating_sub(1))) + f(ku.min(n.saturating_sub(1))))
}

/// y = alpha * op(A) * x + beta * y, A stored m x n
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct GemvDesc {
    pub dtype: DType,
    pub batch: usize,
    pub trans: Trans,
    pub m: usize,
    pub n: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub x: Vector,
    pub beta: RawScalar,
    pub y: Vector,
}
// As the reference: an empty x leaves y untouched, whatever beta is.
descriptor!(GemvDesc, |d| noop: d.m == 0 || d.n == 0, ops: Ops::fma(f(d.m) * f(d.n)));

/// As gemv, A in band storage: element (i, j) at `ku + i - j + j * ld`
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct GbmvDesc {
    pub dtype: DType,
    pub batch: usize,
    pub trans: Trans,
    pub m: usize,
    pub n: usize,
    pub kl: usize,
    pub ku: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub x: Vector,
    pub beta: RawScalar,
    pub y: Vector,
}
descriptor!(GbmvDesc, |d| noop: d.m == 0 || d.n == 0, ops: Ops::fma(band(d.m, d.n, d.kl, d.ku)));

/// A = alpha * x * yᵀ + A, A m x n. With the flags: conj(x), conj(y). gerc is `conj_y` alone; a row-major gerc
/// becomes `conj_x` alone.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct GerDesc {
    pub dtype: DType,
    pub batch: usize,
    pub m: usize,
    pub n: usize,
    pub alpha: RawScalar,
    pub conj_x: bool,
    pub x: Vector,
    pub conj_y: bool,
    pub y: Vector,
    pub a: Matrix,
}
descriptor!(GerDesc, |d| noop: d.m == 0 || d.n == 0, ops: Ops::fma(f(d.m) * f(d.n)));

/// symv, hemv: y = alpha * A * x + beta * y, A n x n symmetric (Hermitian), or conj(A) in place of A
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct SymvDesc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    /// Use conj(A): a row-major Hermitian matrix, or a conjugated view.
    pub conj: bool,
    pub n: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub x: Vector,
    pub beta: RawScalar,
    pub y: Vector,
}
descriptor!(SymvDesc, |d| noop: d.n == 0, ops: Ops::fma(f(d.n) * f(d.n)));

/// sbmv, hbmv: as symv with k off-diagonals, in band storage: lower (i, j) at `i - j + j * ld`, upper at
/// `k + i - j + j * ld`
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct SbmvDesc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    /// Use conj(A).
    pub conj: bool,
    pub n: usize,
    pub k: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub x: Vector,
    pub beta: RawScalar,
    pub y: Vector,
}
descriptor!(SbmvDesc, |d| noop: d.n == 0, ops: Ops::fma(band(d.n, d.n, d.k, d.k)));

/// spmv, hpmv: as symv, A packed by columns
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct SpmvDesc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    /// Use conj(A).
    pub conj: bool,
    pub n: usize,
    pub alpha: RawScalar,
    pub ap: Address,
    pub x: Vector,
    pub beta: RawScalar,
    pub y: Vector,
}
descriptor!(SpmvDesc, |d| noop: d.n == 0, ops: Ops::fma(f(d.n) * f(d.n)));

/// syr: A = alpha * x * xᵀ + A; her: A = alpha * x * xᴴ + A with real alpha (imaginary part of `Host` is 0, `Device`
/// points to a real value)
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct SyrDesc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    pub n: usize,
    pub alpha: RawScalar,
    /// Use conj(x): her on a row-major A.
    pub conj: bool,
    pub x: Vector,
    pub a: Matrix,
}
descriptor!(SyrDesc, |d| noop: d.n == 0, ops: Ops::fma(f(d.n) * (f(d.n) + 1.0) / 2.0));

/// spr, hpr: as syr, her, A packed by columns
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct SprDesc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    pub n: usize,
    pub alpha: RawScalar,
    /// Use conj(x).
    pub conj: bool,
    pub x: Vector,
    pub ap: Address,
}
descriptor!(SprDesc, |d| noop: d.n == 0, ops: Ops::fma(f(d.n) * (f(d.n) + 1.0) / 2.0));

/// syr2: A = alpha * (x * yᵀ + y * xᵀ) + A; her2: A = alpha * x * yᴴ + conj(alpha) * y * xᴴ + A
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct Syr2Desc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    pub n: usize,
    pub alpha: RawScalar,
    /// Use conj(x) and conj(y): her2 on a row-major A (which also exchanges x and y).
    pub conj: bool,
    pub x: Vector,
    pub y: Vector,
    pub a: Matrix,
}
descriptor!(Syr2Desc, |d| noop: d.n == 0, ops: Ops::fma(f(d.n) * (f(d.n) + 1.0)));

/// spr2, hpr2: as syr2, her2, A packed by columns
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct Spr2Desc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    pub n: usize,
    pub alpha: RawScalar,
    /// Use conj(x) and conj(y).
    pub conj: bool,
    pub x: Vector,
    pub y: Vector,
    pub ap: Address,
}
descriptor!(Spr2Desc, |d| noop: d.n == 0, ops: Ops::fma(f(d.n) * (f(d.n) + 1.0)));

/// trmv: x = op(A) * x; trsv: solves op(A) * x = b in place; A n x n triangular
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct TrmvDesc {
    pub dtype: DType,
    pub batch: usize,
    /// The stored triangle, before op.
    pub uplo: Uplo,
    pub trans: Trans,
    pub diag: Diag,
    pub n: usize,
    pub a: Matrix,
    pub x: Vector,
}
descriptor!(TrmvDesc, |d| noop: d.n == 0, ops: Ops::new(f(d.n) * (f(d.n) - 1.0) / 2.0, f(d.n) * (f(d.n) + 1.0) / 2.0));

/// tbmv, tbsv: as trmv, trsv with k off-diagonals in band storage (as in [`SbmvDesc`])
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct TbmvDesc {
    pub dtype: DType,
    pub batch: usize,
    /// The stored triangle, before op.
    pub uplo: Uplo,
    pub trans: Trans,
    pub diag: Diag,
    pub n: usize,
    pub k: usize,
    pub a: Matrix,
    pub x: Vector,
}
descriptor!(TbmvDesc, |d| noop: d.n == 0, ops: Ops::fma(band(d.n, d.n, d.k, 0)));

/// tpmv, tpsv: as trmv, trsv, A packed by columns
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct TpmvDesc {
    pub dtype: DType,
    pub batch: usize,
    /// The stored triangle, before op.
    pub uplo: Uplo,
    pub trans: Trans,
    pub diag: Diag,
    pub n: usize,
    pub ap: Address,
    pub x: Vector,
}
descriptor!(TpmvDesc, |d| noop: d.n == 0, ops: Ops::new(f(d.n) * (f(d.n) - 1.0) / 2.0, f(d.n) * (f(d.n) + 1.0) / 2.0));
