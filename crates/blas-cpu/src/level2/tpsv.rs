//! tpsv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn tpsv(h: &CpuHandle, d: &TpmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "tpsv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
