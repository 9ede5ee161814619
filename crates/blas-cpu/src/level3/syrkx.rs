//! syrkx, herkx.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn syrkx(h: &CpuHandle, d: &Syr2kDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "syrkx",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn herkx(h: &CpuHandle, d: &Syr2kDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "herkx",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
