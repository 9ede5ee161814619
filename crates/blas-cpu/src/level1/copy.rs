//! copy.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn copy(h: &CpuHandle, d: &CopyDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "copy",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
