//! geqrf.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn geqrf(h: &CpuHandle, d: &GeqrfDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "geqrf",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
