//! rot.

use blas_api::*;

use super::{for_each_vector, walk};
use crate::num::{Acc, Elem, Part};
use crate::operands::{Vect, coef, unsupported};
use crate::{CpuHandle, simd};

pub(crate) unsafe fn rot(h: &CpuHandle, d: &RotDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Rot, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &RotDesc) -> Result {
    // SAFETY: the descriptor's promise.
    let c = unsafe { coef::<Part<T>>(d.c) };
    if d.real {
        // SAFETY: the descriptor's promise.
        unsafe {
            let s = coef::<Part<T>>(d.s);
            apply::<T>(h, d, |x, y| (x.scale(c) + y.scale(s), y.scale(c) - x.scale(s)))
        }
    } else {
        // SAFETY: the descriptor's promise.
        unsafe {
            let s = coef::<T::Coef>(d.s);
            apply::<T>(h, d, |x, y| (x.scale(c) + s * y, y.scale(c) - s.conj() * x))
        }
    }
}

unsafe fn apply<T: Elem>(
    h: &CpuHandle,
    d: &RotDesc,
    f: impl Fn(T::Coef, T::Coef) -> (T::Coef, T::Coef) + Sync,
) -> Result {
    let rotate = |x: &mut [T::Coef], y: &mut [T::Coef]| {
        simd::wide(
            #[inline(always)]
            || x.iter_mut().zip(y).for_each(|(x, y)| (*x, *y) = f(*x, *y)),
        );
    };
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, 2, _>(h, d, d.n, |d, i, threads| {
            walk::zip_both(threads, Vect::<T>::new(d.x, i, d.n), Vect::new(d.y, i, d.n), rotate);
        })
    }
}
