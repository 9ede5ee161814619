//! gels.

use blas_api::*;
use hipblas_abi::calls;

use super::info::Info;
use crate::GpuHandle;
use crate::level3::geam;
use crate::lower::{Batch, elems, op};

pub(crate) unsafe fn gels(h: &impl GpuHandle, d: &GelsDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        if d.m == 0 || d.n == 0 || d.nrhs == 0 {
            zero(h, d)?;
            return Info::zero(h, d.batch, d.info);
        }
        let b = Batch::new(h, d.batch, &[d.a.data, d.b.data]);
        let device_info = Info::new(h, d.batch, d.info)?;
        // Of the arguments alone, and on the host.
        let mut info = 0i32;
        let args = calls::Gels {
            trans: op(d.trans),
            m: d.m as i64,
            n: d.n as i64,
            nrhs: d.nrhs as i64,
            a: b.matrix(d.a, d.dtype)?,
            b: b.matrix(d.b, d.dtype)?,
            info: (&raw mut info).cast(),
            device_info: device_info.ptr(),
            batch: b.count(),
        };
        b.call("gels", elems(d.dtype), &args)?;
        device_info.finish()
    }
}

/// The solution of an empty problem.
unsafe fn zero(h: &impl GpuHandle, d: &GelsDesc) -> Result {
    let (dtype, batch, m, n) = (d.dtype, d.batch, d.m.max(d.n), d.nrhs);
    let (ta, tb, alpha, beta, a, b, c) =
        (Trans::N, Trans::N, RawScalar::ZERO, RawScalar::ZERO, d.b, d.b, d.b);
    let d = GeamDesc { dtype, batch, ta, tb, m, n, alpha, a, beta, b, c };
    // SAFETY: the caller's promise.
    if d.is_noop() { Ok(()) } else { unsafe { geam(h, &d) } }
}
