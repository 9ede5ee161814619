//! spmv and hpmv: y = alpha * A * x + beta * y for packed symmetric and Hermitian A.

use blas_api::*;

use super::GRAIN;
use super::columns::{Storage, Triangle};
use super::symmetric::SelfAdjoint;
use crate::CpuHandle;
use crate::num::{Acc, Elem};
use crate::operands::{Vect, coef, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn spmv(h: &CpuHandle, d: &SpmvDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in R => unsafe { typed::<T>(h, d, false) }, else return Err(unsupported(Routine::Spmv, d.dtype)));
    Ok(())
}

pub(crate) unsafe fn hpmv(h: &CpuHandle, d: &SpmvDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { typed::<T>(h, d, true) }, else return Err(unsupported(Routine::Hpmv, d.dtype)));
    Ok(())
}

unsafe fn typed<T: Elem<Coef = T> + Acc>(h: &CpuHandle, d: &SpmvDesc, herm: bool) {
    let work = d.n as f64 * d.n as f64 / 2.0;
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        let (alpha, beta) = (coef::<T>(d.alpha), coef::<T>(d.beta));
        for_each_entry(h, d, work * size_of::<T>() as f64, GRAIN, |d, i, _| {
            let a = Triangle::<T>::new(d.ap, i, d.n, d.uplo, Storage::Packed);
            let (x, y) = (Vect::new(d.x, i, d.n), Vect::new(d.y, i, d.n));
            SelfAdjoint { a, herm, conj: d.conj }.multiply(1, alpha, x, beta, y);
        });
    }
}
