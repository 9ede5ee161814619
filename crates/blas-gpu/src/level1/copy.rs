//! copy.

use blas_api::*;

use crate::GpuHandle;
use crate::lower::copies::Problem;

pub(crate) unsafe fn copy(h: &impl GpuHandle, d: &CopyDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { Problem::new(h, Routine::Copy, d).copy_vector(d.n, d.x, d.y) }
}
