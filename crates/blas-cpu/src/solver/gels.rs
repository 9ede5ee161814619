//! gels.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn gels(h: &CpuHandle, d: &GelsDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "gels",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
