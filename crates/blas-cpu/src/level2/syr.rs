//! syr, her.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn syr(h: &CpuHandle, d: &SyrDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "syr",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn her(h: &CpuHandle, d: &SyrDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "her",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
