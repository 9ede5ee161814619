//! trmv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn trmv(h: &CpuHandle, d: &TrmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "trmv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
