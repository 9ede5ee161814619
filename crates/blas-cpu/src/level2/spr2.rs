//! spr2, hpr2.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn spr2(h: &CpuHandle, d: &Spr2Desc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "spr2",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn hpr2(h: &CpuHandle, d: &Spr2Desc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "hpr2",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
