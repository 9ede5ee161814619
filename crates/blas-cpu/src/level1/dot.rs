//! dot, dotc, dsdot.

use blas_api::*;

use crate::CpuHandle;

pub(crate) unsafe fn dot(h: &CpuHandle, d: &DotDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "dot",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn dotc(h: &CpuHandle, d: &DotDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "dotc",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}

pub(crate) unsafe fn dsdot(h: &CpuHandle, d: &DotDesc) -> Result {
    let _ = (h, d);
    Err(Error::Unsupported {
        routine: "dsdot",
        types: Types::One(d.dtype()),
        backend: "cpu",
        why: "not written yet",
    })
}
