//! copy.

use blas_api::*;

use super::{Short, done_or, few, for_each_vector, short, walk};
use crate::CpuHandle;
use crate::operands::{Vect, unsupported};

#[inline(always)]
pub(crate) unsafe fn copy(h: &CpuHandle, d: &CopyDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in X => quick::<T>(d), else false), any_copy, h, d) }
}

/// Whether it is a short call, which then is done.
#[inline(always)]
unsafe fn quick<T: Short>(d: &CopyDesc) -> bool {
    let Some([x, y]) = short::<T, 2>(d.batch, d.n, few::<T, 2>(), [&d.x, &d.y]) else { return false };
    // SAFETY: the descriptor's promise.
    unsafe { T::copy(d.n, x, y) };
    true
}

unsafe fn any_copy(h: &CpuHandle, d: &CopyDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Copy, d.dtype)))
}

unsafe fn typed<T: Element>(h: &CpuHandle, d: &CopyDesc) -> Result {
    let entry = |d: &CopyDesc, i: usize, threads: usize| {
        // SAFETY: the descriptor's promise; parts are distinct.
        unsafe {
            let (x, y) = (Vect::<T>::new(d.x, i, d.n), Vect::<T>::new(d.y, i, d.n));
            walk::spread::<T, 2>(d.n, if y.is_repeated() { 1 } else { threads }, |r| {
                if x.is_unit() && y.is_unit() {
                    x.at(r.start).copy_to_nonoverlapping(y.at(r.start), r.len());
                } else {
                    r.for_each(|i| y.set(i, x.get(i)));
                }
            });
        }
    };
    // SAFETY: entries are distinct.
    unsafe { for_each_vector::<T, 2, _>(h, d, d.n, entry) }
}
