//! trtri.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn trtri(h: &CpuHandle, d: &TrtriDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "trtri",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
