//! gemm, gemm_ex.

use blas_api::*;
use hipblas_abi::{calls, gemm_algo};

use super::ALL_OPS;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::half::is_half;
use crate::lower::{Batch, Coefs, Prepared, compute_type, elems, op};

pub(crate) unsafe fn gemm(h: &impl GpuHandle, d: &GemmDesc) -> Result {
    if is_half(d.types.c) {
        // SAFETY: the caller's promise. hipblasHgemm would accumulate in f16.
        return unsafe { by_types(h, "gemm", d) };
    }
    let t = d.types.c;
    // SAFETY: the caller's promise.
    let [a, b] = unsafe { prepared(h, "gemm", d)? };
    let batch = Batch::new(h, d.batch, &[a.matrix.data, b.matrix.data, d.c.data]);
    let (am, bm, cm) = (batch.matrix(a.matrix, t)?, batch.matrix(b.matrix, t)?, batch.matrix(d.c, t)?);
    let coefs = Coefs::new(h, [(d.alpha, t), (d.beta, t)])?;
    let args = calls::Gemm {
        trans_a: op(a.op),
        trans_b: op(b.op),
        m: d.m as i64,
        n: d.n as i64,
        k: d.k as i64,
        alpha: coefs.at(0),
        a: am,
        b: bm,
        beta: coefs.at(1),
        c: cm,
        batch: batch.count(),
    };
    // SAFETY: the caller's promise.
    unsafe { batch.call("gemm", elems(t), &args) }
}

pub(crate) unsafe fn gemm_ex(h: &impl GpuHandle, d: &GemmDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { by_types(h, "gemm_ex", d) }
}

/// By `GemmEx`, whatever the types are.
///
/// # Safety
/// As for the raw call.
pub(crate) unsafe fn by_types(h: &impl GpuHandle, routine: &'static str, d: &GemmDesc) -> Result {
    if d.is_noop() {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    let [a, b] = unsafe { prepared(h, routine, d)? };
    let batch = Batch::new(h, d.batch, &[a.matrix.data, b.matrix.data, d.c.data]);
    let (am, bm) = (batch.matrix(a.matrix, d.types.a)?, batch.matrix(b.matrix, d.types.b)?);
    let cm = batch.matrix(d.c, d.types.c)?;
    let coefs = Coefs::new(h, [(d.alpha, d.types.coef()), (d.beta, d.types.coef())])?;
    let args = calls::GemmEx {
        trans_a: op(a.op),
        trans_b: op(b.op),
        m: d.m as i64,
        n: d.n as i64,
        k: d.k as i64,
        alpha: coefs.at(0),
        a: am,
        b: bm,
        beta: coefs.at(1),
        c: cm,
        batch: batch.count(),
        compute: compute_type(d.types.compute),
        algo: gemm_algo::DEFAULT,
    };
    // SAFETY: the caller's promise.
    unsafe { batch.call(routine, None, &args) }
}

unsafe fn prepared(h: &impl GpuHandle, routine: &'static str, d: &GemmDesc) -> Result<[Prepared; 2]> {
    let p = |dtype| Problem { h, routine, dtype, batch: d.batch };
    // SAFETY: the caller's promise.
    unsafe {
        Ok([
            Prepared::new(&p(d.types.a), [d.m, d.k], d.ta, d.a, ALL_OPS)?,
            Prepared::new(&p(d.types.b), [d.k, d.n], d.tb, d.b, ALL_OPS)?,
        ])
    }
}
