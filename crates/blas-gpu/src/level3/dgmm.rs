//! dgmm.

use blas_api::*;
use hipblas_abi::calls;

use super::NO_OP;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Prepared, elems, side};

pub(crate) unsafe fn dgmm(h: &impl GpuHandle, d: &DgmmDesc) -> Result {
    let p = Problem::new(h, Routine::Dgmm, d);
    // SAFETY: the caller's promise.
    let a = unsafe { Prepared::new(&p, [d.m, d.n], d.ta, d.a, NO_OP)? };
    let t = d.dtype;
    let batch = Batch::new(h, d.batch, &[a.matrix.data, d.x.data, d.c.data]);
    let args = calls::Dgmm {
        side: side(d.side),
        m: d.m as i64,
        n: d.n as i64,
        a: batch.matrix(a.matrix, t)?,
        x: batch.vector(d.x, t)?,
        c: batch.matrix(d.c, t)?,
        batch: batch.count(),
    };
    // SAFETY: the caller's promise.
    unsafe { batch.call(p.routine, elems(t), &args) }
}
