//! spr, hpr.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn spr(h: &CpuHandle, d: &SprDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "spr",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn hpr(h: &CpuHandle, d: &SprDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "hpr",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
