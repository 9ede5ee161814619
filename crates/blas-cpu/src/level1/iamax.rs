//! iamax, iamin.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn iamax(h: &CpuHandle, d: &ReduceDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "iamax",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn iamin(h: &CpuHandle, d: &ReduceDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "iamin",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
