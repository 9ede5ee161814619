//! trtri.

use blas_api::*;
use hipblas_abi::calls;

use super::NO_OP;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Prepared, diag, elems, fill};

pub(crate) unsafe fn trtri(h: &impl GpuHandle, d: &TrtriDesc) -> Result {
    let p = Problem::new(h, Routine::Trtri, d);
    // SAFETY: the caller's promise.
    let a = unsafe { Prepared::new(&p, [d.n, d.n], d.trans, d.a, NO_OP)? };
    let t = d.dtype;
    let batch = Batch::new(h, d.batch, &[a.matrix.data, d.inv.data]);
    let args = calls::Trtri {
        uplo: fill(a.uplo(d.uplo)),
        diag: diag(d.diag),
        n: d.n as i64,
        a: batch.matrix(a.matrix, t)?,
        inv: batch.matrix(d.inv, t)?,
        batch: batch.count(),
    };
    // SAFETY: the caller's promise.
    unsafe { batch.call(p.routine, elems(t), &args) }
}
