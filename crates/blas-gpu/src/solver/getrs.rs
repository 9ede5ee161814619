//! getrs: without pivots, two triangular solves.

use blas_api::*;
use hipblas_abi::calls;

use super::pivots::Pivots;
use crate::GpuHandle;
use crate::level3::trsm;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Prepared, elems, op};

pub(crate) unsafe fn getrs(h: &impl GpuHandle, d: &GetrsDesc) -> Result {
    if d.pivots.is_none() {
        // SAFETY: the caller's promise.
        return unsafe { triangular(h, d) };
    }
    let p = Problem::new(h, Routine::Getrs, d);
    // SAFETY: the caller's promise.
    unsafe {
        let (trans, a) = if d.trans == Trans::ConjN {
            let conj = Prepared::new(&p, [d.n, d.n], d.trans, d.a, &[Trans::N])?;
            (conj.op, conj.matrix)
        } else {
            (d.trans, d.a)
        };
        let b = Batch::new(h, d.batch, &[a.data, d.b.data]);
        let pivots = Pivots::new(h, &b, d.pivots, d.n, d.n)?;
        pivots.load(h, &b, d.pivots, d.n)?;
        // Of the arguments alone, and on the host.
        let mut info = 0i32;
        let args = calls::Getrs {
            trans: op(trans),
            n: d.n as i64,
            nrhs: d.nrhs as i64,
            a: b.matrix(a, d.dtype)?,
            pivots: pivots.operand,
            b: b.matrix(d.b, d.dtype)?,
            info: (&raw mut info).cast(),
            batch: b.count(),
        };
        b.call(p.routine, elems(d.dtype), &args)
    }
}

/// op(A) is op(L) * op(U), or op(U) * op(L) where op transposes.
unsafe fn triangular(h: &impl GpuHandle, d: &GetrsDesc) -> Result {
    let GetrsDesc { dtype, batch, trans, n, nrhs, a, b, .. } = *d;
    let solve = |uplo, diag| {
        let (side, alpha) = (Side::Left, RawScalar::ONE);
        // SAFETY: the caller's promise.
        unsafe { trsm(h, &TrsmDesc { dtype, batch, side, uplo, trans, diag, m: n, n: nrhs, alpha, a, b }) }
    };
    let (lower, upper) = (|| solve(Uplo::Lower, Diag::Unit), || solve(Uplo::Upper, Diag::NonUnit));
    if trans.is_transposed() {
        upper()?;
        lower()
    } else {
        lower()?;
        upper()
    }
}
