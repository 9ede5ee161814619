//! trsm.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn trsm(h: &CpuHandle, d: &TrsmDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "trsm",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
