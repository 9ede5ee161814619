//! tbsv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn tbsv(h: &CpuHandle, d: &TbmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "tbsv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
