//! tbmv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn tbmv(h: &CpuHandle, d: &TbmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "tbmv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
