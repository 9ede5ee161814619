//! trmm.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn trmm(h: &CpuHandle, d: &TrmmDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "trmm",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
