//! nrm2.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn nrm2(h: &CpuHandle, d: &ReduceDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "nrm2",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
