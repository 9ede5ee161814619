//! dot, dotc, dsdot.

use blas_api::*;

use super::{Short, done_or, for_each_vector, short, walk};
use crate::num::Elem;
use crate::operands::{Vect, store, unsupported};
use crate::{CpuHandle, simd};

#[inline(always)]
pub(crate) unsafe fn dot(h: &CpuHandle, d: &DotDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in X => quick::<T>(false, d), else false), any_dot, h, d) }
}

#[inline(always)]
pub(crate) unsafe fn dotc(h: &CpuHandle, d: &DotDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in C => quick::<T>(true, d), else false), any_dotc, h, d) }
}

/// Whether it is a short call, which then is done.
#[inline(always)]
unsafe fn quick<T: Short>(conj: bool, d: &DotDesc) -> bool {
    let Some([x, y]) = short::<T, 2>(d.batch, d.n, walk::BLOCK, [&d.x, &d.y]) else { return false };
    // SAFETY: the descriptor's promise.
    unsafe { store(d.out, 0, T::dot(conj, d.n, x, y)) };
    true
}

unsafe fn any_dot(h: &CpuHandle, d: &DotDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d, false) }, else Err(unsupported(Routine::Dot, d.dtype)))
}

unsafe fn any_dotc(h: &CpuHandle, d: &DotDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { typed::<T>(h, d, true) }, else Err(unsupported(Routine::Dotc, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &DotDesc, conj: bool) -> Result {
    // SAFETY: the caller's promise.
    unsafe { reduce::<T, T::Coef, T>(h, d, |x, y| simd::dot(conj, x, y), T::from_coef) }
}

pub(crate) unsafe fn dsdot(h: &CpuHandle, d: &DotDesc) -> Result {
    if d.dtype != DType::F32 {
        return Err(unsupported(Routine::Dsdot, d.dtype));
    }
    let wide = |x: &[f32], y: &[f32]| {
        simd::wide(
            #[inline(always)]
            || simd::sum2(x, y, |x, y| f64::from(x) * f64::from(y)),
        )
    };
    // SAFETY: the caller's promise.
    unsafe { reduce::<f32, f64, f64>(h, d, wide, |sum| sum) }
}

/// Sums of `f` over chunks, stored as `out` makes them.
unsafe fn reduce<T: Elem, A: Scalar, R: Element>(
    h: &CpuHandle,
    d: &DotDesc,
    f: impl Fn(&[T::Coef], &[T::Coef]) -> A + Sync,
    out: impl Fn(A) -> R + Sync,
) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, 2, _>(h, d, d.n, |d, i, threads| {
            let (x, y) = (Vect::<T>::new(d.x, i, d.n), Vect::<T>::new(d.y, i, d.n));
            let sum = walk::fold2(threads, x, y, &f, |a, b| a + b);
            store(d.out, i, out(sum.unwrap_or_else(A::zero)));
        })
    }
}
