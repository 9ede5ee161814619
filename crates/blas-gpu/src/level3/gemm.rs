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
    if !has_ops(d) {
        // SAFETY: the caller's promise.
        return unsafe { gemm(h, &prepared(h, "gemm", d)?) };
    }
    let t = d.types.c;
    let batch = Batch::new(h, d.batch, &[d.a.data, d.b.data, d.c.data]);
    let (a, b, c) = (batch.matrix(d.a, t)?, batch.matrix(d.b, t)?, batch.matrix(d.c, t)?);
    let coefs = Coefs::new(h, [(d.alpha, t), (d.beta, t)])?;
    let args = calls::Gemm {
        trans_a: op(d.ta),
        trans_b: op(d.tb),
        m: d.m as i64,
        n: d.n as i64,
        k: d.k as i64,
        alpha: coefs.at(0),
        a,
        b,
        beta: coefs.at(1),
        c,
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
    if !has_ops(d) {
        // SAFETY: the caller's promise.
        return unsafe { by_types(h, routine, &prepared(h, routine, d)?) };
    }
    let batch = Batch::new(h, d.batch, &[d.a.data, d.b.data, d.c.data]);
    let (a, b) = (batch.matrix(d.a, d.types.a)?, batch.matrix(d.b, d.types.b)?);
    let c = batch.matrix(d.c, d.types.c)?;
    let coefs = Coefs::new(h, [(d.alpha, d.types.coef()), (d.beta, d.types.coef())])?;
    let args = calls::GemmEx {
        trans_a: op(d.ta),
        trans_b: op(d.tb),
        m: d.m as i64,
        n: d.n as i64,
        k: d.k as i64,
        alpha: coefs.at(0),
        a,
        b,
        beta: coefs.at(1),
        c,
        batch: batch.count(),
        compute: compute_type(d.types.compute),
        algo: gemm_algo::DEFAULT,
    };
    // SAFETY: the caller's promise.
    unsafe { batch.call(routine, None, &args) }
}

/// Whether the library has both ops. Most calls are of that kind, and are not made to wait for copies of descriptors.
fn has_ops(d: &GemmDesc) -> bool {
    ALL_OPS.contains(&d.ta) && ALL_OPS.contains(&d.tb)
}

/// The same with ops that the library has.
#[cold]
unsafe fn prepared(h: &impl GpuHandle, routine: &'static str, d: &GemmDesc) -> Result<GemmDesc> {
    let p = |dtype| Problem { h, routine, dtype, batch: d.batch };
    // SAFETY: the caller's promise.
    let (a, b) = unsafe {
        (
            Prepared::new(&p(d.types.a), [d.m, d.k], d.ta, d.a, ALL_OPS)?,
            Prepared::new(&p(d.types.b), [d.k, d.n], d.tb, d.b, ALL_OPS)?,
        )
    };
    Ok(GemmDesc { ta: a.op, a: a.matrix, tb: b.op, b: b.matrix, ..*d })
}
