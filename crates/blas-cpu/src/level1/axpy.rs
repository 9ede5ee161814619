//! axpy.

use std::slice;

use blas_api::*;
use num_traits::Zero;

use super::{for_each_vector, short, walk};
use crate::num::Elem;
use crate::operands::{Vect, coef, unsupported};
use crate::{CpuHandle, simd};

#[inline(always)]
pub(crate) unsafe fn axpy(h: &CpuHandle, d: &AxpyDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Axpy, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &AxpyDesc) -> Result {
    // SAFETY: the descriptor's promise.
    let alpha = unsafe { coef::<T::Coef>(d.alpha) };
    if alpha.is_zero() {
        return Ok(());
    }
    if let Some([x, y]) = short::<T, 2>(d.batch, d.n, [&d.x, &d.y]) {
        // SAFETY: the descriptor's promise: x and y do not overlap.
        unsafe { simd::axpy(alpha, slice::from_raw_parts(x, d.n), slice::from_raw_parts_mut(y, d.n)) };
        return Ok(());
    }
    // SAFETY: the caller's promise.
    unsafe { entries::<T>(h, d, alpha) }
}

#[inline(never)]
unsafe fn entries<T: Elem>(h: &CpuHandle, d: &AxpyDesc, alpha: T::Coef) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, _>(h, d, d.n, |d, i, threads| {
            let (x, y) = (Vect::<T>::new(d.x, i, d.n), Vect::<T>::new(d.y, i, d.n));
            walk::zip(threads, x, y, true, |x, y| simd::axpy(alpha, x, y));
        })
    }
}
