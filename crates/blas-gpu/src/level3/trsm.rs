//! trsm.

use blas_api::*;
use hipblas_abi::calls;

use super::ALL_OPS;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, Prepared, diag, elems, fill, op, side};

pub(crate) unsafe fn trsm(h: &impl GpuHandle, d: &TrsmDesc) -> Result {
    let p = Problem::new(h, Routine::Trsm, d);
    let order = if d.side == Side::Left { d.m } else { d.n };
    // SAFETY: the caller's promise.
    let a = unsafe { Prepared::new(&p, [order, order], d.trans, d.a, ALL_OPS)? };
    let t = d.dtype;
    let batch = Batch::new(h, d.batch, &[a.matrix.data, d.b.data]);
    let (am, bm) = (batch.matrix(a.matrix, t)?, batch.matrix(d.b, t)?);
    let coefs = Coefs::new(h, [(d.alpha, t)])?;
    let args = calls::Trsm {
        side: side(d.side),
        uplo: fill(a.uplo(d.uplo)),
        trans_a: op(a.op),
        diag: diag(d.diag),
        m: d.m as i64,
        n: d.n as i64,
        alpha: coefs.at(0),
        a: am,
        b: bm,
        batch: batch.count(),
    };
    // SAFETY: the caller's promise.
    unsafe { batch.call(p.routine, elems(t), &args) }
}
