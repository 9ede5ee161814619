//! dgmm.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn dgmm(h: &CpuHandle, d: &DgmmDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "dgmm",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
