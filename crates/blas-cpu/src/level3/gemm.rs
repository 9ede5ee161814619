//! gemm, gemm_ex.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn gemm(h: &CpuHandle, d: &GemmDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "gemm",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn gemm_ex(h: &CpuHandle, d: &GemmDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "gemm_ex",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
