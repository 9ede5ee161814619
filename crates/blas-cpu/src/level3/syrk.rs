//! syrk, herk.

use blas_api::*;

use super::rank::{Triangle, update};
use crate::CpuHandle;
use crate::engine::{GRAIN, Native, Panel, Term, work};
use crate::num::Acc;
use crate::operands::{coef, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn syrk(h: &CpuHandle, d: &SyrkDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d, [coef(d.alpha), coef(d.beta)], false) },
        else return Err(unsupported(Routine::Syrk, d.dtype)));
    Ok(())
}

pub(crate) unsafe fn herk(h: &CpuHandle, d: &SyrkDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { run::<T>(h, d, [real_coef(d.alpha), real_coef(d.beta)], true) },
        else return Err(unsupported(Routine::Herk, d.dtype)));
    Ok(())
}

/// A coefficient of the real type.
///
/// # Safety
/// As for [`coef`].
pub(super) unsafe fn real_coef<T: Acc>(s: RawScalar) -> T {
    // SAFETY: the caller's promise.
    T::new(unsafe { coef(s) }, T::Real::default())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &SyrkDesc, [alpha, beta]: [T; 2], herm: bool) {
    // SAFETY: the caller's promise.
    unsafe {
        for_each_entry(h, d, work(d.n, d.n, d.k) / 2.0, GRAIN, |d, i, threads| {
            let a = Panel::new(d.a, i, d.trans);
            let to = Triangle { c: Panel::new(d.c, i, Trans::N), uplo: d.uplo, herm };
            let term = Term { coef: alpha, left: 0, right: 0 };
            update(threads, [d.n, d.k], [a; 2], &[term], beta, to);
        });
    }
}
