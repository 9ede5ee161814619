//! scal.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn scal(h: &CpuHandle, d: &ScalDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "scal",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
