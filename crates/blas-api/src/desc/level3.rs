//! Descriptors of Level 3 and of the BLAS-like extensions. m, n and k are the sizes of the product.

use super::descriptor;
use crate::{DType, Descriptor, Diag, GemmTypes, Matrix, Ops, RawScalar, Side, Trans, Uplo, Vector};

fn f(n: usize) -> f64 {
    n as f64
}

/// gemm, gemm_ex: C = alpha * op(A) * op(B) + beta * C; op(A) m x k, op(B) k x n, C m x n
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct GemmDesc {
    pub types: GemmTypes,
    pub batch: usize,
    pub ta: Trans,
    pub tb: Trans,
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub b: Matrix,
    pub beta: RawScalar,
    pub c: Matrix,
}
impl Descriptor for GemmDesc {
    #[inline]
    fn dtype(&self) -> DType {
        self.types.c
    }
    #[inline]
    fn batch(&self) -> usize {
        self.batch
    }
    #[inline]
    fn is_noop(&self) -> bool {
        self.batch == 0 || self.m == 0 || self.n == 0
    }
    fn ops(&self) -> Ops {
        Ops::fma(f(self.m) * f(self.n) * f(self.k))
    }
}

/// symm, hemm: C = alpha * A * op(B) + beta * C (Left) or alpha * op(B) * A + beta * C (Right); A symmetric
/// (Hermitian) of order m (Left) or n (Right)
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct SymmDesc {
    pub dtype: DType,
    pub batch: usize,
    pub side: Side,
    pub uplo: Uplo,
    /// Use conj(A).
    pub conj: bool,
    /// N in BLAS; others arise from mixed layouts.
    pub tb: Trans,
    pub m: usize,
    pub n: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub b: Matrix,
    pub beta: RawScalar,
    pub c: Matrix,
}
descriptor!(SymmDesc, |d| noop: d.m == 0 || d.n == 0,
    ops: Ops::fma(f(d.m) * f(d.n) * f(if d.side == Side::Left { d.m } else { d.n })));

/// syrk: C = alpha * op(A) * op(A)ᵀ + beta * C; herk: C = alpha * op(A) * op(A)ᴴ + beta * C with real alpha and beta
/// (`Device` points to real values); op(A) n x k, C n x n
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct SyrkDesc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    /// syrk in BLAS: N, T; herk: N, C. The others arise from mixed layouts and conjugated views.
    pub trans: Trans,
    pub n: usize,
    pub k: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub beta: RawScalar,
    pub c: Matrix,
}
descriptor!(SyrkDesc, |d| noop: d.n == 0, ops: Ops::fma(f(d.k) * f(d.n) * (f(d.n) + 1.0) / 2.0));

/// syr2k: C = alpha * (op(A) * op(B)ᵀ + op(B) * op(A)ᵀ) + beta * C;
/// her2k: C = alpha * op(A) * op(B)ᴴ + conj(alpha) * op(B) * op(A)ᴴ + beta * C, beta real;
/// syrkx: C = alpha * op(A) * op(B)ᵀ + beta * C; herkx: C = alpha * op(A) * op(B)ᴴ + beta * C, beta real, of which
/// one triangle is computed
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct Syr2kDesc {
    pub dtype: DType,
    pub batch: usize,
    pub uplo: Uplo,
    /// op of A; BLAS has one for both.
    pub ta: Trans,
    /// op of B.
    pub tb: Trans,
    pub n: usize,
    pub k: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub b: Matrix,
    pub beta: RawScalar,
    pub c: Matrix,
}
descriptor!(Syr2kDesc, |d| noop: d.n == 0, ops: Ops::fma(f(d.k) * f(d.n) * f(d.n)));

/// C = alpha * op(A) * op(B) (Left) or alpha * op(B) * op(A) (Right), A triangular. In place where `b` and `c` are
/// equal (then `tb` is N).
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct TrmmDesc {
    pub dtype: DType,
    pub batch: usize,
    pub side: Side,
    /// The stored triangle, before op.
    pub uplo: Uplo,
    pub trans: Trans,
    pub diag: Diag,
    /// N in BLAS; others arise from mixed layouts out of place.
    pub tb: Trans,
    pub m: usize,
    pub n: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub b: Matrix,
    pub c: Matrix,
}
descriptor!(TrmmDesc, |d| noop: d.m == 0 || d.n == 0, ops: {
    let (order, other) = if d.side == Side::Left { (d.m, d.n) } else { (d.n, d.m) };
    Ops::new(f(other) * f(order) * (f(order) - 1.0) / 2.0, f(other) * f(order) * (f(order) + 1.0) / 2.0)
});

/// Solves op(A) * X = alpha * B (Left) or X * op(A) = alpha * B (Right) in place of B, A triangular
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct TrsmDesc {
    pub dtype: DType,
    pub batch: usize,
    pub side: Side,
    /// The stored triangle, before op.
    pub uplo: Uplo,
    pub trans: Trans,
    pub diag: Diag,
    pub m: usize,
    pub n: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub b: Matrix,
}
descriptor!(TrsmDesc, |d| noop: d.m == 0 || d.n == 0, ops: {
    let (order, other) = if d.side == Side::Left { (d.m, d.n) } else { (d.n, d.m) };
    Ops::new(f(other) * f(order) * (f(order) - 1.0) / 2.0, f(other) * f(order) * (f(order) + 1.0) / 2.0)
});

/// inv = A⁻¹, A triangular of order n. In place where `a` and `inv` are equal (then `trans` is N). Only the triangle
/// of the result is written: `uplo` of A, flipped if `trans` transposes.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct TrtriDesc {
    pub dtype: DType,
    pub batch: usize,
    /// The stored triangle of A, before op.
    pub uplo: Uplo,
    /// N in hipBLAS; others arise from mixed layouts out of place.
    pub trans: Trans,
    pub diag: Diag,
    pub n: usize,
    pub a: Matrix,
    pub inv: Matrix,
}
descriptor!(TrtriDesc, |d| noop: d.n == 0,
    ops: Ops::fma(f(d.n) * f(d.n) * f(d.n) / 6.0));

/// C = alpha * op(A) + beta * op(B), C m x n. In place where C equals A or B with the same ld and op N.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct GeamDesc {
    pub dtype: DType,
    pub batch: usize,
    pub ta: Trans,
    pub tb: Trans,
    pub m: usize,
    pub n: usize,
    pub alpha: RawScalar,
    pub a: Matrix,
    pub beta: RawScalar,
    pub b: Matrix,
    pub c: Matrix,
}
descriptor!(GeamDesc, |d| noop: d.m == 0 || d.n == 0, ops: Ops::new(f(d.m) * f(d.n), 2.0 * f(d.m) * f(d.n)));

/// C = diag(x) * op(A) (Left) or op(A) * diag(x) (Right), C m x n
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct DgmmDesc {
    pub dtype: DType,
    pub batch: usize,
    pub side: Side,
    /// N in hipBLAS; others arise from mixed layouts.
    pub ta: Trans,
    pub m: usize,
    pub n: usize,
    pub a: Matrix,
    pub x: Vector,
    pub c: Matrix,
}
descriptor!(DgmmDesc, |d| noop: d.m == 0 || d.n == 0, ops: Ops::new(0.0, f(d.m) * f(d.n)));
