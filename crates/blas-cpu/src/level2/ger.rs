//! ger, geru, gerc.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn ger(h: &CpuHandle, d: &GerDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "ger",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn geru(h: &CpuHandle, d: &GerDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "geru",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn gerc(h: &CpuHandle, d: &GerDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "gerc",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
