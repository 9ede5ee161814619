//! syr2, her2.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, elems, fill};

macro_rules! update {
    ($name:ident, $routine:ident, $call:ident) => {
        pub(crate) unsafe fn $name(h: &impl GpuHandle, d: &Syr2Desc) -> Result {
            let p = Problem::new(h, Routine::$routine, d);
            // SAFETY: the caller's promise.
            let conj = |v| if d.conj { unsafe { p.conjugated(d.n, v) } } else { Ok(v) };
            let (x, y) = (conj(d.x)?, conj(d.y)?);
            let (t, b) = (d.dtype, Batch::new(h, d.batch, &[x.data, y.data, d.a.data]));
            let (x, y, a) = (b.vector(x, t)?, b.vector(y, t)?, b.matrix(d.a, t)?);
            let coefs = Coefs::new(h, [(d.alpha, t)])?;
            let (uplo, n, alpha, batch) = (fill(d.uplo), d.n as i64, coefs.at(0), b.count());
            // SAFETY: the caller's promise.
            unsafe { b.call(p.routine, elems(t), &calls::$call { uplo, n, alpha, x, y, a, batch }) }
        }
    };
}
update!(syr2, Syr2, Syr2);
update!(her2, Her2, Her2);
