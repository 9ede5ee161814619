//! geam.

use blas_api::*;
use hipblas_abi::calls;

use super::ALL_OPS;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, Prepared, elems, op};

pub(crate) unsafe fn geam(h: &impl GpuHandle, d: &GeamDesc) -> Result {
    let p = Problem::new(h, Routine::Geam, d);
    // SAFETY: the caller's promise.
    let (a, b) = unsafe {
        let a = Prepared::new(&p, [d.m, d.n], d.ta, d.a, ALL_OPS)?;
        (a, Prepared::new(&p, [d.m, d.n], d.tb, d.b, ALL_OPS)?)
    };
    let t = d.dtype;
    let batch = Batch::new(h, d.batch, &[a.matrix.data, b.matrix.data, d.c.data]);
    let (am, bm, cm) = (batch.matrix(a.matrix, t)?, batch.matrix(b.matrix, t)?, batch.matrix(d.c, t)?);
    let coefs = Coefs::new(h, [(d.alpha, t), (d.beta, t)])?;
    let args = calls::Geam {
        trans_a: op(a.op),
        trans_b: op(b.op),
        m: d.m as i64,
        n: d.n as i64,
        alpha: coefs.at(0),
        a: am,
        beta: coefs.at(1),
        b: bm,
        c: cm,
        batch: batch.count(),
    };
    // SAFETY: the caller's promise.
    unsafe { batch.call(p.routine, elems(t), &args) }
}
