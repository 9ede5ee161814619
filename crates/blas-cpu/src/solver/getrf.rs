//! getrf.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn getrf(h: &CpuHandle, d: &GetrfDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "getrf",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
