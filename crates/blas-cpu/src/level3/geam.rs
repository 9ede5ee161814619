//! geam.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn geam(h: &CpuHandle, d: &GeamDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "geam",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
