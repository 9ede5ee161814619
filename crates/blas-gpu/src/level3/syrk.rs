//! syrk, herk.

use blas_api::*;
use hipblas_abi::calls;

use super::{HERMITIAN_OPS, SYMMETRIC_OPS};
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, Prepared, elems, fill, op};

macro_rules! update {
    ($name:ident, $routine:ident, $call:ident, $ops:expr, $coef:expr) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &SyrkDesc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            // SAFETY: the caller's promise.
            let a = unsafe { Prepared::new(&p, [d.n, d.k], d.trans, d.a, $ops)? };
            let t = d.dtype;
            let batch = Batch::new(h, d.batch, &[a.matrix.data, d.c.data]);
            let (am, cm) = (batch.matrix(a.matrix, t)?, batch.matrix(d.c, t)?);
            let coefs = Coefs::new(h, [(d.alpha, $coef(t)), (d.beta, $coef(t))])?;
            let args = calls::$call {
                uplo: fill(d.uplo),
                trans_a: op(a.op),
                n: d.n as i64,
                k: d.k as i64,
                alpha: coefs.at(0),
                a: am,
                beta: coefs.at(1),
                c: cm,
                batch: batch.count(),
            };
            // SAFETY: the caller's promise.
            unsafe { batch.call(p.routine, elems(t), &args) }
        }
    };
}
update!(syrk, Syrk, Syrk, SYMMETRIC_OPS, DType::coef);
update!(herk, Herk, Herk, HERMITIAN_OPS, DType::real);
