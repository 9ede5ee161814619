//! spr, hpr.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, elems, fill};

macro_rules! update {
    ($name:ident, $routine:ident, $call:ident, $coef:expr) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &SprDesc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            // SAFETY: the caller's promise.
            let x = if d.conj { unsafe { p.conjugated(d.n, d.x)? } } else { d.x };
            let (t, b) = (d.dtype, Batch::new(h, d.batch, &[x.data, d.ap]));
            let (x, ap) = (b.vector(x, t)?, b.packed(d.ap, t)?);
            let coefs = Coefs::new(h, [(d.alpha, $coef(t))])?;
            let (uplo, n, alpha, batch) = (fill(d.uplo), d.n as i64, coefs.at(0), b.count());
            // SAFETY: the caller's promise.
            unsafe { b.call(p.routine, elems(t), &calls::$call { uplo, n, alpha, x, ap, batch }) }
        }
    };
}
update!(spr, Spr, Spr, DType::coef);
update!(hpr, Hpr, Hpr, DType::real);
