//! axpy.

use blas_api::*;
use num_traits::Zero;

use super::{Short, done_or, few, for_each_vector, short, walk};
use crate::num::Elem;
use crate::operands::{Vect, coef, unsupported};
use crate::{CpuHandle, simd};

#[inline(always)]
pub(crate) unsafe fn axpy(h: &CpuHandle, d: &AxpyDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in X => quick::<T>(d), else false), any_axpy, h, d) }
}

/// Whether it is a short call, which then is done.
#[inline(always)]
unsafe fn quick<T: Short>(d: &AxpyDesc) -> bool {
    // SAFETY: the descriptor's promise.
    let alpha = unsafe { coef::<T>(d.alpha) };
    match short::<T, 2>(d.batch, d.n, few::<T, 2>(), [&d.x, &d.y]) {
        Some([x, y]) if !alpha.is_zero() => {
            // SAFETY: the descriptor's promise: x and y do not overlap.
            unsafe { T::axpy(d.n, alpha, x, y) };
            true
        }
        _ => false,
    }
}

unsafe fn any_axpy(h: &CpuHandle, d: &AxpyDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Axpy, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &AxpyDesc) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        let alpha = coef::<T::Coef>(d.alpha);
        if alpha.is_zero() {
            return Ok(());
        }
        for_each_vector::<T, 2, _>(h, d, d.n, |d, i, threads| {
            let (x, y) = (Vect::<T>::new(d.x, i, d.n), Vect::<T>::new(d.y, i, d.n));
            walk::zip(threads, x, y, true, |x, y| simd::axpy(alpha, x, y));
        })
    }
}
