//! rotm.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn rotm(h: &CpuHandle, d: &RotmDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "rotm",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
