//! syr2k, her2k, syrkx, herkx.

use blas_api::*;
use hipblas_abi::calls;

use super::{HERMITIAN_OPS, SYMMETRIC_OPS};
use crate::GpuHandle;
use crate::lower::copies::{Problem, passes};
use crate::lower::{Batch, Coefs, Prepared, elems, fill, op};

macro_rules! update {
    ($name:ident, $routine:ident, $call:ident, $ops:expr, $beta:expr) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &Syr2kDesc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            let common = [common_op(d, $ops)];
            // SAFETY: the caller's promise.
            let (a, b) = unsafe {
                let a = Prepared::new(&p, [d.n, d.k], d.ta, d.a, &common)?;
                (a, Prepared::new(&p, [d.n, d.k], d.tb, d.b, &common)?)
            };
            let t = d.dtype;
            let batch = Batch::new(h, d.batch, &[a.matrix.data, b.matrix.data, d.c.data]);
            let (am, bm, cm) =
                (batch.matrix(a.matrix, t)?, batch.matrix(b.matrix, t)?, batch.matrix(d.c, t)?);
            let coefs = Coefs::new(h, [(d.alpha, t), (d.beta, $beta(t))])?;
            let args = calls::$call {
                uplo: fill(d.uplo),
                trans_a: op(common[0]),
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
            unsafe { batch.call(p.routine, elems(t), &args) }
        }
    };
}
update!(syr2k, Syr2k, Syr2k, SYMMETRIC_OPS, DType::coef);
update!(her2k, Her2k, Her2k, HERMITIAN_OPS, DType::real);
update!(syrkx, Syrkx, Syrkx, SYMMETRIC_OPS, DType::coef);
update!(herkx, Herkx, Herkx, HERMITIAN_OPS, DType::real);

/// The one op that hipBLAS has for A and B: that with the least to copy.
fn common_op(d: &Syr2kDesc, ops: &[Trans]) -> Trans {
    let least = ops.iter().copied().min_by_key(|&op| passes(d.ta, op) + passes(d.tb, op));
    least.unwrap_or(Trans::N)
}
