//! getrs.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn getrs(h: &CpuHandle, d: &GetrsDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "getrs",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
