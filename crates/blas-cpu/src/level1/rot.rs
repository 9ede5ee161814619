//! rot.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn rot(h: &CpuHandle, d: &RotDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "rot",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
