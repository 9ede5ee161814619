//! nrm2.

use blas_api::*;

use super::{for_each_vector, walk};
use crate::num::{Acc, Elem, exponent, times_power};
use crate::operands::{Vect, store, unsupported};
use crate::{CpuHandle, simd};

pub(crate) unsafe fn nrm2(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Nrm2, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector(h, d, d.n, |d, i, threads| {
            let norm = norm(threads, Vect::<T>::new(d.x, i, d.n));
            store(d.out, i, T::Real::from_parts([norm, 0.0]));
        })
    }
}

/// Sums of squares in between are as good as the numbers: what has underflowed does not count beside the rest.
const SAFE: std::ops::Range<f64> = 1e-280..f64::INFINITY;

/// A plain sum of squares in f64, which only f64 itself can drive out of range; then once more with the numbers
/// brought near 1.
///
/// # Safety
/// The memory of x is valid.
unsafe fn norm<T: Elem>(threads: usize, x: Vect<T>) -> f64 {
    let squares = |scale: f64| {
        let square = |x: T::Coef| {
            let part = |v| f64_of::<T>(v) * scale;
            part(x.re()) * part(x.re()) + part(x.im()) * part(x.im())
        };
        let sum = |x: &[T::Coef]| {
            simd::wide(
                #[inline(always)]
                || simd::sum(x, square),
            )
        };
        // SAFETY: the caller's promise.
        unsafe { walk::fold(threads, x, |_, x| sum(x), |a, b| a + b) }.unwrap_or(0.0)
    };
    let sum = squares(1.0);
    if sum.is_nan() || SAFE.contains(&sum) {
        return sum.sqrt();
    }
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
    times_power(squares(times_power(1.0, -e)).sqrt(), e)
}

#[inline(always)]
fn f64_of<T: Elem>(part: crate::num::Part<T>) -> f64 {
    part.parts()[0]
}
