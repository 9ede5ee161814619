//! syr2k, her2k.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn syr2k(h: &CpuHandle, d: &Syr2kDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "syr2k",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn her2k(h: &CpuHandle, d: &Syr2kDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "her2k",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
