//! sbmv, hbmv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn sbmv(h: &CpuHandle, d: &SbmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "sbmv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn hbmv(h: &CpuHandle, d: &SbmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "hbmv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
