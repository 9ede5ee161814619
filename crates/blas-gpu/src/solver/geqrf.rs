//! geqrf.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::{Batch, elems};

pub(crate) unsafe fn geqrf(h: &impl GpuHandle, d: &GeqrfDesc) -> Result {
    let b = Batch::new(h, d.batch, &[d.a.data, d.tau.data]);
    // Of the arguments alone, and on the host.
    let mut info = 0i32;
    let args = calls::Geqrf {
        m: d.m as i64,
        n: d.n as i64,
        a: b.matrix(d.a, d.dtype)?,
        tau: b.packed(d.tau.data, d.dtype)?,
        info: (&raw mut info).cast(),
        batch: b.count(),
    };
    // SAFETY: the caller's promise.
    unsafe { b.call("geqrf", elems(d.dtype), &args) }
}
