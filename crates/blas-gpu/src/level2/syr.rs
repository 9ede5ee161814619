//! syr, her.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, elems, fill};

macro_rules! update {
    ($name:ident, $routine:ident, $call:ident, $coef:expr) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &SyrDesc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            // SAFETY: the caller's promise.
            let x = if d.conj { unsafe { p.conjugated(d.n, d.x)? } } else { d.x };
            let (t, b) = (d.dtype, Batch::new(h, d.batch, &[x.data, d.a.data]));
            let (x, a) = (b.vector(x, t)?, b.matrix(d.a, t)?);
            let coefs = Coefs::new(h, [(d.alpha, $coef(t))])?;
            let (uplo, n, alpha, batch) = (fill(d.uplo), d.n as i64, coefs.at(0), b.count());
            // SAFETY: the caller's promise.
            unsafe { b.call(p.routine, elems(t), &calls::$call { uplo, n, alpha, x, a, batch }) }
        }
    };
}
update!(syr, Syr, Syr, DType::coef);
update!(her, Her, Her, DType::real);
