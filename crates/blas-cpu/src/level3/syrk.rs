//! syrk, herk.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn syrk(h: &CpuHandle, d: &SyrkDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "syrk",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn herk(h: &CpuHandle, d: &SyrkDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "herk",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
