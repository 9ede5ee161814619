//! getrf: hipBLAS factors square matrices only, so others are made square with zeros.

use blas_api::*;
use hipblas_abi::calls;

use super::info::Info;
use super::pivots::Pivots;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, elems};

pub(crate) unsafe fn getrf(h: &impl GpuHandle, d: &GetrfDesc) -> Result {
    let p = Problem::new(h, Routine::Getrf, d);
    let (steps, order) = (d.m.min(d.n), d.m.max(d.n));
    let square = steps == order;
    // SAFETY: the caller's promise.
    unsafe {
        if steps == 0 {
            return Info::zero(h, d.batch, d.info);
        }
        let a = if square { d.a } else { padded(&p, d, order)? };
        let b = Batch::new(h, d.batch, &[a.data]);
        let pivots = Pivots::new(h, &b, d.pivots, steps, order)?;
        let info = Info::new(h, d.batch, d.info)?;
        let args = calls::Getrf {
            n: order as i64,
            a: b.matrix(a, d.dtype)?,
            pivots: pivots.operand,
            info: info.ptr(),
            batch: b.count(),
        };
        b.call(p.routine, elems(d.dtype), &args)?;
        pivots.store(h, &b, d.pivots, steps)?;
        if square {
            return info.finish();
        }
        p.copy([d.m, d.n], Trans::N, a, d.a)?;
        // The zeros that were added are zero pivots, but not of A.
        info.finish_within(steps)
    }
}

/// A copy of A with zeros below it or right of it. They change no step of the factorisation of A: no pivot is taken
/// from rows of zeros, and columns of zeros stay what they are.
unsafe fn padded(p: &Problem<'_, impl GpuHandle>, d: &GetrfDesc, order: usize) -> Result<Matrix> {
    let len = order.saturating_mul(order);
    let copy = Matrix { data: p.scratch(len)?, ld: order };
    // SAFETY: the caller's promise; the scratch memory has this size.
    unsafe {
        p.h.fill(copy.data.entry(0, 0), 0, len * d.batch * d.dtype.size())?;
        p.copy([d.m, d.n], Trans::N, d.a, copy)?;
    }
    Ok(copy)
}
