//! scal.

use blas_api::*;

use super::{Short, done_or, few, for_each_vector, short, walk};
use crate::num::{Elem, Part};
use crate::operands::{Vect, coef, unsupported};
use crate::{CpuHandle, simd};

#[inline(always)]
pub(crate) unsafe fn scal(h: &CpuHandle, d: &ScalDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in X => quick::<T>(d), else false), any_scal, h, d) }
}

/// Whether it is a short call, which then is done.
#[inline(always)]
unsafe fn quick<T: Short>(d: &ScalDesc) -> bool {
    match short::<T, 1>(d.batch, d.n, few::<T, 1>(), [&d.x]) {
        Some([x]) if !d.real => {
            // SAFETY: the descriptor's promise.
            unsafe { T::scal(d.n, coef(d.alpha), x) };
            true
        }
        _ => false,
    }
}

unsafe fn any_scal(h: &CpuHandle, d: &ScalDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Scal, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &ScalDesc) -> Result {
    if d.real {
        // SAFETY: the descriptor's promise.
        let alpha = unsafe { coef::<Part<T>>(d.alpha) };
        // SAFETY: the descriptor's promise; entries are distinct.
        unsafe {
            for_each_vector::<T, 1, _>(h, d, d.n, |d, i, threads| {
                walk::map(threads, Vect::<T>::new(d.x, i, d.n), |x| simd::scal_parts(alpha, x));
            })
        }
    } else {
        // SAFETY: the descriptor's promise; entries are distinct.
        unsafe {
            let alpha = coef::<T::Coef>(d.alpha);
            for_each_vector::<T, 1, _>(h, d, d.n, |d, i, threads| {
                walk::map(threads, Vect::<T>::new(d.x, i, d.n), |x| simd::scal(alpha, x));
            })
        }
    }
}
