//! gbmv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn gbmv(h: &CpuHandle, d: &GbmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "gbmv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
