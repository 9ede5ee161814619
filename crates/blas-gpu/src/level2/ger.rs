//! ger, geru, gerc.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, elems};

macro_rules! update {
    ($h:expr, $d:expr, $routine:ident, $call:ident) => {{
        let (h, d): (_, &GerDesc) = ($h, $d);
        let (t, b) = (d.dtype, Batch::new(h, d.batch, &[d.x.data, d.y.data, d.a.data]));
        let (x, y, a) = (b.vector(d.x, t)?, b.vector(d.y, t)?, b.matrix(d.a, t)?);
        let coefs = Coefs::new(h, [(d.alpha, t)])?;
        let (m, n, alpha, batch) = (d.m as i64, d.n as i64, coefs.at(0), b.count());
        // SAFETY: the caller's promise.
        unsafe { b.call(Routine::$routine.name(), elems(t), &calls::$call { m, n, alpha, x, y, a, batch }) }
    }};
}

pub(crate) unsafe fn ger(h: &impl GpuHandle, d: &GerDesc) -> Result {
    update!(h, d, Ger, Ger)
}

pub(crate) unsafe fn geru(h: &impl GpuHandle, d: &GerDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { complex(&Problem::new(h, Routine::Geru, d), d) }
}

pub(crate) unsafe fn gerc(h: &impl GpuHandle, d: &GerDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { complex(&Problem::new(h, Routine::Gerc, d), d) }
}

/// hipBLAS conjugates y, or nothing: where x is to be conjugated, a copy of it is.
unsafe fn complex(p: &Problem<'_, impl GpuHandle>, d: &GerDesc) -> Result {
    if d.conj_x {
        // SAFETY: the caller's promise.
        return unsafe {
            let x = p.conjugated(d.m, d.x)?;
            complex(p, &GerDesc { conj_x: false, x, ..*d })
        };
    }
    if d.conj_y { update!(p.h, d, Gerc, Gerc) } else { update!(p.h, d, Geru, Geru) }
}
