//! syr and her: update of rank 1 of a symmetric or Hermitian matrix.

use blas_api::*;
use num_traits::Zero;

use super::GRAIN;
use super::columns::{Storage, Triangle};
use super::update::Update;
use crate::CpuHandle;
use crate::num::{Acc, Elem};
use crate::operands::{Vect, coef, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn syr(h: &CpuHandle, d: &SyrDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { typed::<T>(h, d, false) }, else return Err(unsupported(Routine::Syr, d.dtype)));
    Ok(())
}

pub(crate) unsafe fn her(h: &CpuHandle, d: &SyrDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { typed::<T>(h, d, true) }, else return Err(unsupported(Routine::Her, d.dtype)));
    Ok(())
}

unsafe fn typed<T: Elem<Coef = T> + Acc>(h: &CpuHandle, d: &SyrDesc, herm: bool) {
    let work = d.n as f64 * d.n as f64 / 2.0;
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        // The alpha of a Hermitian update is real.
        let alpha = if herm { T::new(coef::<T::Real>(d.alpha), T::Real::zero()) } else { coef::<T>(d.alpha) };
        for_each_entry(h, d, work * size_of::<T>() as f64, GRAIN, |d, i, parts| {
            let a = Triangle::<T>::new(d.a.data, i, d.n, d.uplo, Storage::Full(d.a.ld));
            Update { a, herm, conj: d.conj }.rank1(parts, alpha, Vect::new(d.x, i, d.n));
        });
    }
}
