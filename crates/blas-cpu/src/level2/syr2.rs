//! syr2, her2.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn syr2(h: &CpuHandle, d: &Syr2Desc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "syr2",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn her2(h: &CpuHandle, d: &Syr2Desc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "her2",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
