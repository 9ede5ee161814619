//! rotg.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn rotg(h: &CpuHandle, d: &RotgDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "rotg",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
