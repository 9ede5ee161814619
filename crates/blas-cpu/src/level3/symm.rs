//! symm, hemm.

use blas_api::*;

use crate::CpuHandle;
use crate::engine::{Dims, GRAIN, Native, Panel, Region, Structured, Symmetric, product, work};
use crate::operands::{coef, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn symm(h: &CpuHandle, d: &SymmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d, false) },
        else return Err(unsupported(Routine::Symm, d.dtype)));
    Ok(())
}

pub(crate) unsafe fn hemm(h: &CpuHandle, d: &SymmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { run::<T>(h, d, true) },
        else return Err(unsupported(Routine::Hemm, d.dtype)));
    Ok(())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &SymmDesc, herm: bool) {
    let order = if d.side == Side::Left { d.m } else { d.n };
    // SAFETY: the caller's promise.
    unsafe {
        let (alpha, beta) = (coef::<T>(d.alpha), coef::<T>(d.beta));
        for_each_entry(h, d, work(d.m, d.n, order), GRAIN, |d, i, threads| {
            let panel = Panel::new(d.a, i, Trans::N).conj_if(d.conj);
            let a = Symmetric { panel, lower: d.uplo == Uplo::Lower, herm };
            let (b, c) = (Panel::new(d.b, i, d.tb), Panel::new(d.c, i, Trans::N));
            let dims = Dims { m: d.m, n: d.n, k: order };
            match d.side {
                Side::Left => {
                    let (a, b) = (Structured::Symmetric(a), Structured::Plain(b.t()));
                    product(threads, dims, alpha, a, b, beta, c, Region::All);
                }
                Side::Right => {
                    let (b, a) = (Structured::Plain(b), Structured::Symmetric(a.t()));
                    product(threads, dims, alpha, b, a, beta, c, Region::All);
                }
            }
        });
    }
}
