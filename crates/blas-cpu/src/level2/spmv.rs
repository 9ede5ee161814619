//! spmv, hpmv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn spmv(h: &CpuHandle, d: &SpmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "spmv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn hpmv(h: &CpuHandle, d: &SpmvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "hpmv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
