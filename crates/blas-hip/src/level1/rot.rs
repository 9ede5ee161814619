//! rot: of the half types by sums in f32, since `RotEx` takes coefficients of their own type only.

use blas_api::*;
use hipblas_abi::calls;

use crate::HipHandle;
use crate::lower::copies::Problem;
use crate::lower::half::{self, is_half};
use crate::lower::vectors::forwards;
use crate::lower::{Batch, Coefs, elem};

pub(crate) unsafe fn rot(h: &HipHandle, d: &RotDesc) -> Result {
    if is_half(d.dtype) {
        // SAFETY: the caller's promise.
        return unsafe { of_half(&Problem::new(h, Routine::Rot, d), d) };
    }
    let second = if d.real { d.dtype.real() } else { d.dtype };
    let b = Batch::new(h, d.batch, &[d.x.data, d.y.data]);
    let (x, y) = (b.vector(d.x, d.dtype)?, b.vector(d.y, d.dtype)?);
    let coefs = Coefs::new(h, [(d.c, d.dtype.real()), (d.s, second)])?;
    let args = calls::Rot { n: d.n as i64, x, y, c: coefs.at(0), s: coefs.at(1), batch: b.count() };
    // SAFETY: the caller's promise.
    unsafe { b.call("rot", elem(d.dtype).zip(elem(second)), &args) }
}

/// x = c x + s y with the old y, and y = c y - s x with a copy of the old x; each operand added runs as the sum does.
unsafe fn of_half(p: &Problem<'_>, d: &RotDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        let old_x = p.compacted(d.n, d.x, d.y.inc)?;
        let old_y = p.aligned(d.n, d.y, d.x.inc)?;
        half::axpby(p, d.n, (d.s, 1.0, forwards(old_y)), (d.c, forwards(d.x), d.dtype))?;
        half::axpby(p, d.n, (d.s, -1.0, forwards(old_x)), (d.c, forwards(d.y), d.dtype))
    }
}
