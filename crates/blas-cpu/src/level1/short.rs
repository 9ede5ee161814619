//! Calls on vectors that are short, or as good as that: those of one entry, whose elements lie one after the other and are few
//! enough for one thread and one partial result. Most calls are such.
//!
//! What decides is compiled into the caller with the call, where types are known and no descriptor need be written; what
//! computes is not, so that the caller need not be compiled for all kinds of registers.

use blas_api::{Address, Complex, Result, Scalar, Vector};

use super::iamax;
use crate::CpuHandle;
use crate::num::Acc;
use crate::simd;

/// Pointers to the elements of `vectors` of a call that is short: of at most so many elements.
#[inline(always)]
pub(super) fn short<T, const K: usize>(
    batch: usize,
    n: usize,
    most: usize,
    vectors: [&Vector; K],
) -> Option<[*mut T; K]> {
    if batch != 1 || !(1..=most).contains(&n) {
        return None;
    }
    let mut all = [std::ptr::null_mut(); K];
    for (p, v) in all.iter_mut().zip(vectors) {
        match *v {
            Vector { data: Address::Strided { ptr, .. }, inc: 1 } => *p = ptr.cast(),
            _ => return None,
        }
    }
    Some(all)
}

/// The answer to a call that is done, or that `any` makes. It gets a copy of the descriptor, since that of a short call is not
/// needed in memory.
///
/// # Safety
/// As for `any`.
#[inline(always)]
pub(super) unsafe fn done_or<D: Copy>(
    done: bool,
    any: unsafe fn(&CpuHandle, &D) -> Result,
    h: &CpuHandle,
    d: &D,
) -> Result {
    if done {
        return Ok(());
    }
    let d = *d;
    // SAFETY: the caller's promise.
    unsafe { any(h, &d) }
}

/// What is computed, of `n` elements of each vector.
///
/// # Safety
/// They are there; those that are written are not in use elsewhere.
pub(crate) trait Short: Acc {
    /// y += alpha * x
    unsafe fn axpy(n: usize, alpha: Self, x: *const Self, y: *mut Self);
    /// x *= alpha
    unsafe fn scal(n: usize, alpha: Self, x: *mut Self);
    /// y = x
    unsafe fn copy(n: usize, x: *const Self, y: *mut Self);
    /// Sum of x_i * y_i, or of conj(x_i) * y_i.
    unsafe fn dot(conj: bool, n: usize, x: *const Self, y: *const Self) -> Self;
    /// Sum of abs(re) + abs(im).
    unsafe fn asum(n: usize, x: *const Self) -> <Self as Scalar>::Real;
    /// Sum of re^2 + im^2, which may overflow or underflow.
    unsafe fn squares(n: usize, x: *const Self) -> <Self as Scalar>::Real;
    /// Index of the largest element, or of the smallest.
    unsafe fn extreme(largest: bool, n: usize, x: *const Self) -> usize;
}

macro_rules! short { ($($t:ty),*) => {$(
    impl Short for $t {
        #[inline(never)]
        unsafe fn axpy(n: usize, alpha: Self, x: *const Self, y: *mut Self) {
            // SAFETY: the caller's promise, here and below.
            unsafe { simd::axpy(alpha, std::slice::from_raw_parts(x, n), std::slice::from_raw_parts_mut(y, n)) }
        }
        #[inline(never)]
        unsafe fn scal(n: usize, alpha: Self, x: *mut Self) {
            // SAFETY: as above.
            unsafe { simd::scal(alpha, std::slice::from_raw_parts_mut(x, n)) }
        }
        #[inline(never)]
        unsafe fn copy(n: usize, x: *const Self, y: *mut Self) {
            // SAFETY: as above.
            unsafe { simd::copy(std::slice::from_raw_parts(x, n), std::slice::from_raw_parts_mut(y, n)) }
        }
        #[inline(never)]
        unsafe fn dot(conj: bool, n: usize, x: *const Self, y: *const Self) -> Self {
            // SAFETY: as above.
            unsafe { simd::dot(conj, std::slice::from_raw_parts(x, n), std::slice::from_raw_parts(y, n)) }
        }
        #[inline(never)]
        unsafe fn asum(n: usize, x: *const Self) -> <Self as Scalar>::Real {
            // SAFETY: as above.
            unsafe { simd::asum(std::slice::from_raw_parts(x, n)) }
        }
        #[inline(never)]
        unsafe fn squares(n: usize, x: *const Self) -> <Self as Scalar>::Real {
            // SAFETY: as above.
            unsafe { simd::squares(std::slice::from_raw_parts(x, n)) }
        }
        #[inline(never)]
        unsafe fn extreme(largest: bool, n: usize, x: *const Self) -> usize {
            // SAFETY: as above.
            let x = unsafe { std::slice::from_raw_parts(x, n) };
            if largest { iamax::extreme::<_, true>(0, x).0 } else { iamax::extreme::<_, false>(0, x).0 }
        }
    }
)*}}
short!(f32, f64, Complex<f32>, Complex<f64>);
