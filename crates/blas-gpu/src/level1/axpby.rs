//! axpby: the sum of two rows.

use blas_api::*;

use crate::GpuHandle;
use crate::level3;
use crate::lower::copies::Problem;
use crate::lower::half::{self, is_half};
use crate::lower::vectors::{forwards, row};

pub(crate) unsafe fn axpby(h: &impl GpuHandle, d: &AxpbyDesc) -> Result {
    let AxpbyDesc { dtype, batch, n, alpha, beta, .. } = *d;
    let p = Problem::new(h, Routine::Axpby, d);
    // SAFETY: the caller's promise.
    unsafe {
        let x = p.aligned(n, d.x, d.y.inc)?;
        let (x, y) = (forwards(x), forwards(d.y));
        if is_half(dtype) {
            return half::axpby(&p, n, (alpha, 1.0, x), (beta, y, dtype));
        }
        let (a, c, none) = (row(x), row(y), Trans::N);
        level3::geam(h, &GeamDesc { dtype, batch, ta: none, tb: none, m: 1, n, alpha, a, beta, b: c, c })
    }
}
