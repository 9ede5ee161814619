//! asum.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn asum(h: &CpuHandle, d: &ReduceDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "asum",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
