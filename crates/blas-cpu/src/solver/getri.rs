//! getri.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn getri(h: &CpuHandle, d: &GetriDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "getri",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
