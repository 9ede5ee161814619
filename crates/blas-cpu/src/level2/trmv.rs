//! trmv: x = op(A) * x for triangular A.

use blas_api::*;

use super::GRAIN;
use super::columns::{Storage, Triangle};
use super::product::Triangular;
use crate::CpuHandle;
use crate::num::{Acc, Elem};
use crate::operands::{Vect, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn trmv(h: &CpuHandle, d: &TrmvDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { typed::<T>(h, d) }, else return Err(unsupported(Routine::Trmv, d.dtype)));
    Ok(())
}

unsafe fn typed<T: Elem<Coef = T> + Acc>(h: &CpuHandle, d: &TrmvDesc) {
    let work = d.n as f64 * d.n as f64 / 2.0;
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_entry(h, d, work * size_of::<T>() as f64, GRAIN, |d, i, parts| {
            let a = Triangle::<T>::new(d.a.data, i, d.n, d.uplo, Storage::Full(d.a.ld));
            Triangular { a, trans: d.trans, diag: d.diag }.multiply(parts, Vect::new(d.x, i, d.n));
        });
    }
}
