//! syr2k, her2k.

use blas_api::*;

use super::rank::{Triangle, update};
use super::syrk::real_coef;
use crate::CpuHandle;
use crate::engine::{GRAIN, Native, Panel, Term, work};
use crate::operands::{coef, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn syr2k(h: &CpuHandle, d: &Syr2kDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d, coef(d.beta), false) },
        else return Err(unsupported(Routine::Syr2k, d.dtype)));
    Ok(())
}

pub(crate) unsafe fn her2k(h: &CpuHandle, d: &Syr2kDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { run::<T>(h, d, real_coef(d.beta), true) },
        else return Err(unsupported(Routine::Her2k, d.dtype)));
    Ok(())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &Syr2kDesc, beta: T, herm: bool) {
    // SAFETY: the caller's promise.
    unsafe {
        let alpha = coef::<T>(d.alpha);
        for_each_entry(h, d, work(d.n, d.n, d.k), GRAIN, |d, i, threads| {
            let (a, b) = (Panel::new(d.a, i, d.ta), Panel::new(d.b, i, d.tb));
            let to = Triangle { c: Panel::new(d.c, i, Trans::N), uplo: d.uplo, herm };
            let terms = [
                Term { coef: alpha, left: 0, right: 1 },
                Term { coef: alpha.conj_if(herm), left: 1, right: 0 },
            ];
            update(threads, [d.n, d.k], [a, b], &terms, beta, to);
        });
    }
}
