//! rotmg.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn rotmg(h: &CpuHandle, d: &RotmgDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "rotmg",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
