//! axpby.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn axpby(h: &CpuHandle, d: &AxpbyDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "axpby",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
