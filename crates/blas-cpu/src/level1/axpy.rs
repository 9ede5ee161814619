//! axpy.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn axpy(h: &CpuHandle, d: &AxpyDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "axpy",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
