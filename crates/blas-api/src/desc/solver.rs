//! Descriptors of the LAPACK-like group. Pivots are i32 from 1 as in LAPACK.

use super::descriptor;
use crate::{Address, DType, Matrix, Ops, RawOut, Trans, Vector};

fn f(n: usize) -> f64 {
    n as f64
}

/// P * A = L * U of an m x n matrix, in place; without pivots where `pivots` is None
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are LAPACK's own arguments")]
pub struct GetrfDesc {
    pub dtype: DType,
    pub batch: usize,
    pub m: usize,
    pub n: usize,
    pub a: Matrix,
    /// min(m, n) values of i32 an entry.
    pub pivots: Option<Address>,
    /// i32 an entry: 0, or i > 0 if U(i, i) is exactly 0 (the first such).
    pub info: RawOut,
}
descriptor!(GetrfDesc, |d| noop: false, ops: {
    let (a, b) = (f(d.m.max(d.n)), f(d.m.min(d.n)));
    Ops::fma((a * b * b) / 2.0 - b * b * b / 6.0)
});

/// Solves op(A) * X = B in place of B with the factors of getrf; A n x n, B n x nrhs
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are LAPACK's own arguments")]
pub struct GetrsDesc {
    pub dtype: DType,
    pub batch: usize,
    pub trans: Trans,
    pub n: usize,
    pub nrhs: usize,
    pub a: Matrix,
    /// As written by getrf; None: factors without pivoting.
    pub pivots: Option<Address>,
    pub b: Matrix,
}
descriptor!(GetrsDesc, |d| noop: d.n == 0 || d.nrhs == 0, ops: Ops::fma(f(d.n) * f(d.n) * f(d.nrhs)));

/// C = A⁻¹ from the factors of getrf, out of place
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are LAPACK's own arguments")]
pub struct GetriDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    pub a: Matrix,
    /// As written by getrf; None: factors without pivoting.
    pub pivots: Option<Address>,
    pub c: Matrix,
    /// i32 an entry: 0, or i > 0 if U(i, i) is exactly 0; then C is not written.
    pub info: RawOut,
}
descriptor!(GetriDesc, |d| noop: false, ops: Ops::fma(2.0 * f(d.n) * f(d.n) * f(d.n) / 3.0));

/// A = Q * R of an m x n matrix, in place, Householder vectors below the diagonal
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are LAPACK's own arguments")]
pub struct GeqrfDesc {
    pub dtype: DType,
    pub batch: usize,
    pub m: usize,
    pub n: usize,
    pub a: Matrix,
    /// min(m, n) factors of the reflectors, `inc` 1.
    pub tau: Vector,
}
descriptor!(GeqrfDesc, |d| noop: d.m == 0 || d.n == 0, ops: {
    let (a, b) = (f(d.m.max(d.n)), f(d.m.min(d.n)));
    Ops::fma(a * b * b - b * b * b / 3.0)
});

/// Least squares or minimum norm solution of op(A) * X = B for a full-rank A m x n; B max(m, n) x nrhs holds the
/// right-hand sides and then the solutions; A is overwritten by its factors
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are LAPACK's own arguments")]
pub struct GelsDesc {
    pub dtype: DType,
    pub batch: usize,
    /// N, or T (C for complex types).
    pub trans: Trans,
    pub m: usize,
    pub n: usize,
    pub nrhs: usize,
    pub a: Matrix,
    pub b: Matrix,
    /// i32 an entry: 0, or i > 0 if the i-th diagonal element of the triangular factor is exactly 0; then the
    /// solution is not computed.
    pub info: RawOut,
}
descriptor!(GelsDesc, |d| noop: false, ops: {
    let (a, b) = (f(d.m.max(d.n)), f(d.m.min(d.n)));
    Ops::fma(a * b * b - b * b * b / 3.0 + 2.0 * a * b * f(d.nrhs))
});
