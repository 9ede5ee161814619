//! tbmv, tbsv.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, diag, elems, fill, op};

macro_rules! in_place {
    ($name:ident, $routine:ident, $call:ident) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &TbmvDesc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            if d.trans == Trans::ConjN {
                // SAFETY: the caller's promise.
                return unsafe {
                    p.on_conjugate(d.n, d.x, |x| $name(h, &TbmvDesc { trans: Trans::N, x, ..*d }))
                };
            }
            let (t, b) = (d.dtype, Batch::new(h, d.batch, &[d.a.data, d.x.data]));
            let args = calls::$call {
                uplo: fill(d.uplo),
                trans_a: op(d.trans),
                diag: diag(d.diag),
                n: d.n as i64,
                k: d.k as i64,
                a: b.matrix(d.a, t)?,
                x: b.vector(d.x, t)?,
                batch: b.count(),
            };
            // SAFETY: the caller's promise.
            unsafe { b.call(p.routine, elems(t), &args) }
        }
    };
}
in_place!(tbmv, Tbmv, Tbmv);
in_place!(tbsv, Tbsv, Tbsv);
