//! symm, hemm.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn symm(h: &CpuHandle, d: &SymmDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "symm",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn hemm(h: &CpuHandle, d: &SymmDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "hemm",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
