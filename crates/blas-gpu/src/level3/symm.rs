//! symm, hemm.

use blas_api::*;
use hipblas_abi::calls;

use super::NO_OP;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, Prepared, elems, fill, side};

macro_rules! product {
    ($name:ident, $routine:ident, $call:ident, $conj:expr) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &SymmDesc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            let order = if d.side == Side::Left { d.m } else { d.n };
            // SAFETY: the caller's promise.
            let (a, b) = unsafe {
                let trans = if d.conj { $conj } else { Trans::N };
                let a = Prepared::new(&p, [order, order], trans, d.a, NO_OP)?;
                (a, Prepared::new(&p, [d.m, d.n], d.tb, d.b, NO_OP)?)
            };
            let t = d.dtype;
            let batch = Batch::new(h, d.batch, &[a.matrix.data, b.matrix.data, d.c.data]);
            let (am, bm, cm) =
                (batch.matrix(a.matrix, t)?, batch.matrix(b.matrix, t)?, batch.matrix(d.c, t)?);
            let coefs = Coefs::new(h, [(d.alpha, t), (d.beta, t)])?;
            let args = calls::$call {
                side: side(d.side),
                uplo: fill(a.uplo(d.uplo)),
                m: d.m as i64,
                n: d.n as i64,
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
// The conjugate of a symmetric matrix is its adjoint, that of a Hermitian one its transpose.
product!(symm, Symm, Symm, Trans::C);
product!(hemm, Hemm, Hemm, Trans::T);
