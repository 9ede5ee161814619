//! getri, which hipBLAS has for arrays of pointers only.

use blas_api::*;
use hipblas_abi::calls;

use super::info::Info;
use super::pivots::Pivots;
use crate::GpuHandle;
use crate::lower::{Batch, elems};

pub(crate) unsafe fn getri(h: &impl GpuHandle, d: &GetriDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        if d.n == 0 {
            return Info::zero(h, d.batch, d.info);
        }
        let b = Batch::arrays(h, d.batch);
        let pivots = Pivots::new(h, &b, d.pivots, d.n, d.n)?;
        pivots.load(h, &b, d.pivots, d.n)?;
        let info = Info::new(h, d.batch, d.info)?;
        let args = calls::Getri {
            n: d.n as i64,
            a: b.matrix(d.a, d.dtype)?,
            pivots: pivots.operand,
            c: b.matrix(d.c, d.dtype)?,
            info: info.ptr(),
            batch: b.count(),
        };
        b.call("getri", elems(d.dtype), &args)?;
        info.finish()
    }
}
