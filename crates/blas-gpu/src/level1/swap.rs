//! swap.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::half::is_half;
use crate::lower::{Batch, elems};

pub(crate) unsafe fn swap(h: &impl GpuHandle, d: &SwapDesc) -> Result {
    if is_half(d.dtype) {
        let p = Problem::new(h, Routine::Swap, d);
        // SAFETY: the caller's promise.
        return unsafe {
            let x = p.compacted(d.n, d.x, d.x.inc)?;
            p.copy_vector(d.n, d.y, d.x)?;
            p.copy_vector(d.n, x, d.y)
        };
    }
    let b = Batch::new(h, d.batch, &[d.x.data, d.y.data]);
    let (x, y) = (b.vector(d.x, d.dtype)?, b.vector(d.y, d.dtype)?);
    let args = calls::Swap { n: d.n as i64, x, y, batch: b.count() };
    // SAFETY: the caller's promise.
    unsafe { b.call("swap", elems(d.dtype), &args) }
}
