//! copy.

use blas_api::*;

use crate::HipHandle;
use crate::lower::copies::Problem;

pub(crate) unsafe fn copy(h: &HipHandle, d: &CopyDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { Problem::new(h, Routine::Copy, d).copy_vector(d.n, d.x, d.y) }
}
