//! nrm2.

use blas_api::*;
use num_traits::{Float, Zero};

use super::{Short, done_or, for_each_vector, short, walk};
use crate::lanes::Real;
use crate::num::{Acc, Elem, Part, exponent, times_power};
use crate::operands::{Vect, store, unsupported};
use crate::{CpuHandle, simd};

#[inline(always)]
pub(crate) unsafe fn nrm2(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in X => quick::<T>(d), else false), any_nrm2, h, d) }
}

/// Whether it is a short call, which then is done.
#[inline(always)]
unsafe fn quick<T: Short>(d: &ReduceDesc) -> bool {
    let Some([x]) = short::<T, 1>(d.batch, d.n, walk::BLOCK, [&d.x]) else { return false };
    // SAFETY: the descriptor's promise.
    let sum = unsafe { T::squares(d.n, x) };
    if is_safe(sum) {
        // SAFETY: as above.
        unsafe { store(d.out, 0, sum.sqrt()) };
    }
    is_safe(sum)
}

unsafe fn any_nrm2(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Nrm2, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, 1, _>(h, d, d.n, |d, i, threads| {
            let norm = norm(threads, Vect::<T>::new(d.x, i, d.n));
            store(d.out, i, T::Real::from_parts([norm, 0.0]));
        })
    }
}

/// Sums of squares in between are as good as the numbers: what has underflowed does not count beside the rest.
#[inline(always)]
fn is_safe<R: Real>(sum: R) -> bool {
    let least = if size_of::<R>() == size_of::<f32>() { 1e-20 } else { 1e-280 };
    sum.is_finite() && sum.parts()[0] >= least
}

/// A plain sum of squares; where it has left the range, once more in f64 with the numbers brought near 1.
///
/// # Safety
/// The memory of x is valid.
unsafe fn norm<T: Elem>(threads: usize, x: Vect<T>) -> f64 {
    // SAFETY: the caller's promise.
    let sum = unsafe { walk::fold(threads, x, |_, x| simd::squares(x), |a, b| a + b) };
    let sum = sum.unwrap_or_else(Part::<T>::zero);
    if sum.is_nan() || is_safe(sum) {
        return sum.parts()[0].sqrt();
    }
    // SAFETY: as above.
    unsafe { scaled_norm(threads, x) }
}

/// The norm of numbers of any size, none of which is NaN.
///
/// # Safety
/// The memory of x is valid.
#[cold]
unsafe fn scaled_norm<T: Elem>(threads: usize, x: Vect<T>) -> f64 {
    let largest = |x: &[T::Coef]| {
        x.iter()
            .fold(0.0, |m, x| simd::max(simd::max(m, f64_of::<T>(x.re()).abs()), f64_of::<T>(x.im()).abs()))
    };
    // SAFETY: the caller's promise.
    let largest = unsafe { walk::fold(threads, x, |_, x| largest(x), simd::max) }.unwrap_or(0.0);
    if largest == 0.0 || largest.is_infinite() {
        return largest;
    }
    // A power of two that is itself in range, whatever the number is.
    let e = exponent(largest).clamp(-1000, 1000);
    let scale = times_power(1.0, -e);
    let square = |x: T::Coef| {
        let part = |v| f64_of::<T>(v) * scale;
        part(x.re()) * part(x.re()) + part(x.im()) * part(x.im())
    };
    let squares = |x: &[T::Coef]| {
        simd::wide(
            #[inline(always)]
            || simd::sum(x, square),
        )
    };
    // SAFETY: the caller's promise.
    let sum = unsafe { walk::fold(threads, x, |_, x| squares(x), |a, b| a + b) };
    times_power(sum.unwrap_or(0.0).sqrt(), e)
}

#[inline(always)]
fn f64_of<T: Elem>(part: Part<T>) -> f64 {
    part.parts()[0]
}
