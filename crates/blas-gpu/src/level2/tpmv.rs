//! tpmv, tpsv.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, diag, elems, fill, op};

macro_rules! in_place {
    ($name:ident, $routine:ident, $call:ident) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &TpmvDesc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            if d.trans == Trans::ConjN {
                // SAFETY: the caller's promise.
                return unsafe {
                    p.on_conjugate(d.n, d.x, |x| $name(h, &TpmvDesc { trans: Trans::N, x, ..*d }))
                };
            }
            let (t, b) = (d.dtype, Batch::new(h, d.batch, &[d.ap, d.x.data]));
            let args = calls::$call {
                uplo: fill(d.uplo),
                trans_a: op(d.trans),
                diag: diag(d.diag),
                n: d.n as i64,
                ap: b.packed(d.ap, t)?,
                x: b.vector(d.x, t)?,
                batch: b.count(),
            };
            // SAFETY: the caller's promise.
            unsafe { b.call(p.routine, elems(t), &args) }
        }
    };
}
in_place!(tpmv, Tpmv, Tpmv);
in_place!(tpsv, Tpsv, Tpsv);
