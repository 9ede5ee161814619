//! gemv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn gemv(h: &CpuHandle, d: &GemvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "gemv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
