//! swap.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn swap(h: &CpuHandle, d: &SwapDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "swap",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
