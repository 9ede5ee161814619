//! sbmv, hbmv.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, elems, fill};

macro_rules! product {
    ($name:ident, $routine:ident, $call:ident) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &SbmvDesc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            if d.conj {
                // SAFETY: the caller's promise.
                return unsafe {
                    p.conjugated_product((d.alpha, d.n, d.x), (d.beta, d.n, d.y), |alpha, x, beta, y| {
                        $name(h, &SbmvDesc { conj: false, alpha, x, beta, y, ..*d })
                    })
                };
            }
            let (t, b) = (d.dtype, Batch::new(h, d.batch, &[d.a.data, d.x.data, d.y.data]));
            let (a, x, y) = (b.matrix(d.a, t)?, b.vector(d.x, t)?, b.vector(d.y, t)?);
            let coefs = Coefs::new(h, [(d.alpha, t), (d.beta, t)])?;
            let (uplo, n, k, alpha, beta, batch) =
                (fill(d.uplo), d.n as i64, d.k as i64, coefs.at(0), coefs.at(1), b.count());
            // SAFETY: the caller's promise.
            unsafe { b.call(p.routine, elems(t), &calls::$call { uplo, n, k, alpha, a, x, beta, y, batch }) }
        }
    };
}
product!(sbmv, Sbmv, Sbmv);
product!(hbmv, Hbmv, Hbmv);
