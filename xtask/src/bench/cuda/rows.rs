//! The calls that are measured.

use std::ffi::{c_int, c_void};
use std::ptr::from_ref;

use anyblas::prelude::*;

use super::pair::{Pairs, Row, What};
use super::raw::{COMPUTE_F32, DEFAULT_ALGO, N, R_16BF, R_16F, Raw};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Orders of the products.
const SIZES: [usize; 7] = [16, 64, 256, 1024, 2048, 4096, 8192];
/// Order and number of the small products of a batch.
const SMALL: usize = 64;
const BATCH: usize = 1024;
/// Order of the matrix of gemv.
const VECTOR: usize = 4096;
/// Length of the vectors of axpy.
const LONG: usize = 1 << 24;

/// A kind of call that could not be measured, and why.
pub(super) type Failed = (What, String);

/// Measures all of them.
pub(super) fn all(pairs: &Pairs, done: &mut dyn FnMut(&Row)) -> Result<(Vec<Row>, Vec<Failed>)> {
    let mut run = Run { pairs, rows: Vec::new(), failed: Vec::new(), done };
    run.products::<f32>("f32", false)?;
    run.products::<f64>("f64", false)?;
    run.products::<f32>("tf32", true)?;
    run.products::<bf16>("bf16", false)?;
    run.products::<f16>("f16", false)?;
    run.vectors::<f32>("f32")?;
    run.vectors::<f64>("f64")?;
    Ok((run.rows, run.failed))
}

/// What has been measured so far.
struct Run<'a> {
    pairs: &'a Pairs,
    rows: Vec<Row>,
    failed: Vec<Failed>,
    done: &'a mut dyn FnMut(&Row),
}

impl Run<'_> {
    /// One kind of call. A failure does not stop the others.
    fn row(
        &mut self,
        what: What,
        out: (*mut c_void, usize),
        ours: &mut dyn FnMut() -> anyblas::Result,
        theirs: &mut dyn FnMut() -> c_int,
    ) {
        match self.pairs.measure(what.clone(), out, ours, theirs) {
            Ok(row) => {
                (self.done)(&row);
                self.rows.push(row);
            }
            Err(why) => self.failed.push((what, why.to_string())),
        }
    }

    /// C = A * B, of one matrix and of many small ones.
    fn products<T: Native>(&mut self, dtype: &'static str, tf32: bool) -> Result<()> {
        let Pairs { blas, raw, .. } = self.pairs;
        self.pairs.allow_tf32(tf32)?;
        let sizes: Vec<usize> = SIZES.into_iter().filter(|&n| !self.pairs.quick || n <= 2048).collect();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let len = (largest * largest).max(SMALL * SMALL * BATCH);
        let (a, b) = (self.pairs.random::<T>(len, 2)?, self.pairs.random::<T>(len, 3)?);
        let mut c = blas.alloc::<T>(len)?;
        let (pa, pb, pc) = (a.slice().as_ptr(), b.slice().as_ptr(), c.slice_mut().as_mut_ptr());
        let [zero, one] = [0.0, 1.0].map(|v| T::Coef::from_parts([v, 0.0]));
        for n in sizes {
            let what = What { op: "gemm", dtype, size: n, work: 2.0 * (n as f64).powi(3) };
            let (a, b) = (a.mat(n, n, Layout::Col)?, b.mat(n, n, Layout::Col)?);
            let mut c = c.mat_mut(n, n, Layout::Col)?;
            let mut ours = || blas.gemm(one, a, b, zero, c.rb_mut());
            let order = n as c_int;
            // SAFETY: each matrix has n * n elements.
            let mut theirs = || unsafe { T::gemm(raw, order, &one, pa, pb, &zero, pc) };
            self.row(what, (pc.cast(), n * n * size_of::<T>()), &mut ours, &mut theirs);
        }

        let (n, stride) = (SMALL, SMALL * SMALL);
        let work = 2.0 * (n as f64).powi(3) * BATCH as f64;
        let what = What { op: "gemm, 1024 strided", dtype, size: n, work };
        let (a, b) = (a.mat(n, n, Layout::Col)?, b.mat(n, n, Layout::Col)?);
        let step = stride as isize;
        let (a, b) = (a.batch(step, BATCH)?, b.batch(step, BATCH)?);
        let mut c = c.mat_mut(n, n, Layout::Col)?.batch(step, BATCH)?;
        let mut ours = || blas.gemm(one, &a, &b, zero, c.rb_mut());
        // SAFETY: each operand has so many matrices.
        let mut theirs = || unsafe { T::gemm_batched(raw, n as c_int, &one, pa, pb, &zero, pc) };
        self.row(what, (pc.cast(), stride * BATCH * size_of::<T>()), &mut ours, &mut theirs);
        Ok(())
    }

    /// y = A * x and y = alpha * x + y
    fn vectors<T: Classic>(&mut self, dtype: &'static str) -> Result<()> {
        let Pairs { blas, raw, .. } = self.pairs;
        self.pairs.allow_tf32(false)?;
        let bytes = size_of::<T>() as f64;
        let x = self.pairs.random::<T>(LONG, 4)?;
        let mut y = blas.alloc::<T>(LONG)?;
        let (px, py) = (x.slice().as_ptr(), y.slice_mut().as_mut_ptr());
        let [zero, one, small] = [0.0, 1.0, 1e-6].map(|v| T::from_parts([v, 0.0]));

        let n = VECTOR;
        let what = What { op: "gemv", dtype, size: n, work: bytes * (n * n) as f64 };
        let (a, v) = (x.mat(n, n, Layout::Col)?, x.slice().vec(n, 1)?);
        let mut out = y.slice_mut().vec(n, 1)?;
        let mut ours = || blas.gemv(one, a, v, zero, out.rb_mut());
        // SAFETY: x begins with the n * n elements of the matrix, and y has n.
        let mut theirs = || unsafe { T::gemv(raw, n as c_int, &one, px, px, &zero, py) };
        self.row(what, (py.cast(), n * size_of::<T>()), &mut ours, &mut theirs);

        for n in [1 << 10, LONG] {
            let what = What { op: "axpy", dtype, size: n, work: 3.0 * bytes * n as f64 };
            let v = x.slice().vec(n, 1)?;
            let mut out = y.slice_mut().vec(n, 1)?;
            let mut ours = || blas.axpy(small, v, out.rb_mut());
            // SAFETY: both have n elements.
            let mut theirs = || unsafe { T::axpy(raw, n as c_int, &small, px, py) };
            self.row(what, (py.cast(), n * size_of::<T>()), &mut ours, &mut theirs);
        }
        Ok(())
    }
}

/// A type with cuBLAS's own product of matrices without padding.
trait Native: Scalar {
    /// # Safety
    /// As of the function in C.
    unsafe fn gemm(
        raw: &Raw,
        n: c_int,
        alpha: &Self::Coef,
        a: *const Self,
        b: *const Self,
        beta: &Self::Coef,
        c: *mut Self,
    ) -> c_int;

    /// `BATCH` of them, one behind the other.
    ///
    /// # Safety
    /// As of the function in C.
    unsafe fn gemm_batched(
        raw: &Raw,
        n: c_int,
        alpha: &Self::Coef,
        a: *const Self,
        b: *const Self,
        beta: &Self::Coef,
        c: *mut Self,
    ) -> c_int;
}

/// A type with cuBLAS's own vector functions.
trait Classic: Native + Field {
    /// # Safety
    /// As of the function in C.
    unsafe fn gemv(
        raw: &Raw,
        n: c_int,
        alpha: &Self,
        a: *const Self,
        x: *const Self,
        beta: &Self,
        y: *mut Self,
    ) -> c_int;

    /// # Safety
    /// As of the function in C.
    unsafe fn axpy(raw: &Raw, n: c_int, alpha: &Self, x: *const Self, y: *mut Self) -> c_int;
}

macro_rules! classic {
    ($t:ty, $gemm:ident, $batched:ident, $gemv:ident, $axpy:ident) => {
        impl Native for $t {
            unsafe fn gemm(
                raw: &Raw,
                n: c_int,
                alpha: &$t,
                a: *const $t,
                b: *const $t,
                beta: &$t,
                c: *mut $t,
            ) -> c_int {
                // SAFETY: the caller's promise.
                unsafe { (raw.functions.$gemm)(raw.cublas, N, N, n, n, n, alpha, a, n, b, n, beta, c, n) }
            }

            unsafe fn gemm_batched(
                raw: &Raw,
                n: c_int,
                alpha: &$t,
                a: *const $t,
                b: *const $t,
                beta: &$t,
                c: *mut $t,
            ) -> c_int {
                let (f, h, s) = (raw.functions.$batched, raw.cublas, i64::from(n * n));
                // SAFETY: the caller's promise.
                unsafe { f(h, N, N, n, n, n, alpha, a, n, s, b, n, s, beta, c, n, s, BATCH as c_int) }
            }
        }

        impl Classic for $t {
            unsafe fn gemv(
                raw: &Raw,
                n: c_int,
                alpha: &$t,
                a: *const $t,
                x: *const $t,
                beta: &$t,
                y: *mut $t,
            ) -> c_int {
                // SAFETY: the caller's promise.
                unsafe { (raw.functions.$gemv)(raw.cublas, N, n, n, alpha, a, n, x, 1, beta, y, 1) }
            }

            unsafe fn axpy(raw: &Raw, n: c_int, alpha: &$t, x: *const $t, y: *mut $t) -> c_int {
                // SAFETY: the caller's promise.
                unsafe { (raw.functions.$axpy)(raw.cublas, n, alpha, x, 1, y, 1) }
            }
        }
    };
}
classic!(f32, cublasSgemm_v2, cublasSgemmStridedBatched, cublasSgemv_v2, cublasSaxpy_v2);
classic!(f64, cublasDgemm_v2, cublasDgemmStridedBatched, cublasDgemv_v2, cublasDaxpy_v2);

macro_rules! half {
    ($t:ty, $number:ident) => {
        impl Native for $t {
            unsafe fn gemm(
                raw: &Raw,
                n: c_int,
                alpha: &f32,
                a: *const $t,
                b: *const $t,
                beta: &f32,
                c: *mut $t,
            ) -> c_int {
                let (f, h, t) = (raw.functions.cublasGemmEx, raw.cublas, $number);
                let (alpha, beta) = (from_ref(alpha).cast(), from_ref(beta).cast());
                let (a, b, c) = (a.cast(), b.cast(), c.cast());
                let (compute, algo) = (COMPUTE_F32, DEFAULT_ALGO);
                // SAFETY: the caller's promise.
                unsafe { f(h, N, N, n, n, n, alpha, a, t, n, b, t, n, beta, c, t, n, compute, algo) }
            }

            unsafe fn gemm_batched(
                raw: &Raw,
                n: c_int,
                alpha: &f32,
                a: *const $t,
                b: *const $t,
                beta: &f32,
                c: *mut $t,
            ) -> c_int {
                let (f, h, t) = (raw.functions.cublasGemmStridedBatchedEx, raw.cublas, $number);
                let (alpha, beta) = (from_ref(alpha).cast(), from_ref(beta).cast());
                let (a, b, c, s) = (a.cast(), b.cast(), c.cast(), i64::from(n * n));
                let (batch, compute, algo) = (BATCH as c_int, COMPUTE_F32, DEFAULT_ALGO);
                // SAFETY: the caller's promise.
                unsafe {
                    f(h, N, N, n, n, n, alpha, a, t, n, s, b, t, n, s, beta, c, t, n, s, batch, compute, algo)
                }
            }
        }
    };
}
half!(bf16, R_16BF);
half!(f16, R_16F);
