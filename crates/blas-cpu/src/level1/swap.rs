//! swap.

use blas_api::*;

use super::{for_each_vector, walk};
use crate::CpuHandle;
use crate::operands::{Vect, unsupported};

pub(crate) unsafe fn swap(h: &CpuHandle, d: &SwapDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Swap, d.dtype)))
}

unsafe fn typed<T: Element>(h: &CpuHandle, d: &SwapDesc) -> Result {
    let entry = |d: &SwapDesc, i: usize, threads: usize| {
        // SAFETY: the descriptor's promise; parts are distinct.
        unsafe {
            let (x, y) = (Vect::<T>::new(d.x, i, d.n), Vect::<T>::new(d.y, i, d.n));
            let parts = if x.is_repeated() || y.is_repeated() { 1 } else { threads };
            walk::spread::<T, 2>(d.n, parts, |r| {
                if x.is_unit() && y.is_unit() {
                    std::ptr::swap_nonoverlapping(x.at(r.start), y.at(r.start), r.len());
                } else {
                    r.for_each(|i| std::ptr::swap(x.at(i), y.at(i)));
                }
            });
        }
    };
    // SAFETY: entries are distinct.
    unsafe { for_each_vector::<T, 2, _>(h, d, d.n, entry) }
}
