//! symv, hemv.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn symv(h: &CpuHandle, d: &SymvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "symv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn hemv(h: &CpuHandle, d: &SymvDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "hemv",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
