//! gbmv.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, elems, op};

pub(crate) unsafe fn gbmv(h: &impl GpuHandle, d: &GbmvDesc) -> Result {
    let p = Problem::new(h, Routine::Gbmv, d);
    if d.trans == Trans::ConjN {
        // SAFETY: the caller's promise.
        return unsafe {
            p.conjugated_product((d.alpha, d.n, d.x), (d.beta, d.m, d.y), |alpha, x, beta, y| {
                gbmv(h, &GbmvDesc { trans: Trans::N, alpha, x, beta, y, ..*d })
            })
        };
    }
    let (t, b) = (d.dtype, Batch::new(h, d.batch, &[d.a.data, d.x.data, d.y.data]));
    let (a, x, y) = (b.matrix(d.a, t)?, b.vector(d.x, t)?, b.vector(d.y, t)?);
    let coefs = Coefs::new(h, [(d.alpha, t), (d.beta, t)])?;
    let args = calls::Gbmv {
        trans: op(d.trans),
        m: d.m as i64,
        n: d.n as i64,
        kl: d.kl as i64,
        ku: d.ku as i64,
        alpha: coefs.at(0),
        a,
        x,
        beta: coefs.at(1),
        y,
        batch: b.count(),
    };
    // SAFETY: the caller's promise.
    unsafe { b.call(p.routine, elems(t), &args) }
}
