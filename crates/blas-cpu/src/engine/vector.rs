//! Vector registers: what the kernels of [`tile`](super::tile) need of them beyond [`Lanes`].

use num_traits::{One, Zero};

use crate::lanes::{Lanes, Real};

/// A register of real numbers. Complex numbers are in it as pairs of a real and an imaginary part.
///
/// # Safety
/// As for [`Lanes`].
pub(super) trait Vector: Lanes {
    /// Asks for the cache line at `p`, which need not be there.
    unsafe fn prefetch(p: *const Self::Real);
    /// The same number, of which the compiler knows nothing.
    fn opaque(x: isize) -> isize;
    /// The quotients.
    unsafe fn div(self, y: Self) -> Self;
    /// self * y - z for real parts and self * y + z for imaginary ones, rounded once.
    unsafe fn fma_conj(self, y: Self, z: Self) -> Self;
    /// Where self is at most y.
    unsafe fn at_most(self, y: Self) -> Self::Mask;
    /// Where both are.
    unsafe fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// All zero.
    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller's promise, here and below.
        unsafe { Self::splat(Self::Real::zero()) }
    }
    /// What products with imaginary parts are multiplied with to be added to those with real parts: -1 for real parts and 1 for
    /// imaginary ones, or the reverse if the imaginary parts that they were formed with are those of conjugates.
    #[inline(always)]
    unsafe fn signs(conj: bool) -> Self {
        let one = Self::Real::one();
        // SAFETY: as above.
        unsafe { Self::zero().fma_conj(Self::zero(), Self::splat(if conj { -one } else { one })) }
    }
    /// Complex products with a number, of the products with its real part (these) and with its imaginary part.
    #[inline(always)]
    unsafe fn pair(self, im: Self, signs: Self) -> Self {
        // SAFETY: as above.
        unsafe { im.swap().fma(signs, self) }
    }
    /// Whether it is so in all places.
    #[inline(always)]
    unsafe fn all(mask: Self::Mask) -> bool {
        // SAFETY: as above.
        unsafe { Self::bits(mask) == (1 << Self::N) - 1 }
    }
    /// Whether all numbers are [moderate](Real::MODERATE) or zero.
    #[inline(always)]
    unsafe fn is_moderate(self) -> bool {
        // SAFETY: as above.
        unsafe {
            let ([low, high], size) = (Self::Real::MODERATE.map(|x| Self::splat(x)), self.abs());
            let zero = size.same(Self::zero());
            Self::all(Self::both(size.at_most(high), Self::either(low.at_most(size), zero)))
        }
    }
    /// Whether a number of either is NaN.
    #[inline(always)]
    unsafe fn has_nan(self, y: Self) -> bool {
        // SAFETY: as above.
        unsafe { Self::bits(self.nan(y)) != 0 }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::asm;
    use std::arch::x86_64::*;

    use super::{Lanes, Vector};

    macro_rules! vectors { ($($v:ty: $div:ident, $fma_conj:ident, $at_most:expr, $both:expr;)*) => {$(
        impl Vector for $v {
            #[inline(always)]
            unsafe fn prefetch(p: *const Self::Real) {
                // SAFETY: a hint.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(p.cast()) }
            }
            #[inline(always)]
            fn opaque(mut x: isize) -> isize {
                // SAFETY: nothing is done.
                unsafe { asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags)) };
                x
            }
            #[inline(always)]
            unsafe fn div(self, y: Self) -> Self {
                // SAFETY: the caller's promise, here and below.
                unsafe { $div(self, y) }
            }
            #[inline(always)]
            unsafe fn fma_conj(self, y: Self, z: Self) -> Self {
                // SAFETY: as above.
                unsafe { $fma_conj(self, y, z) }
            }
            #[inline(always)]
            unsafe fn at_most(self, y: Self) -> <Self as Lanes>::Mask {
                // SAFETY: as above.
                unsafe { $at_most(self, y) }
            }
            #[inline(always)]
            unsafe fn both(a: <Self as Lanes>::Mask, b: <Self as Lanes>::Mask) -> <Self as Lanes>::Mask {
                $both(a, b)
            }
        }
    )*}}
    vectors! {
        __m256: _mm256_div_ps, _mm256_fmaddsub_ps, |x, y| _mm256_cmp_ps::<_CMP_LE_OQ>(x, y),
            // SAFETY: the caller's promise.
            |a, b| unsafe { _mm256_and_ps(a, b) };
        __m256d: _mm256_div_pd, _mm256_fmaddsub_pd, |x, y| _mm256_cmp_pd::<_CMP_LE_OQ>(x, y),
            // SAFETY: the caller's promise.
            |a, b| unsafe { _mm256_and_pd(a, b) };
        __m512: _mm512_div_ps, _mm512_fmaddsub_ps, |x, y| _mm512_cmp_ps_mask::<_CMP_LE_OQ>(x, y), |a, b| a & b;
        __m512d: _mm512_div_pd, _mm512_fmaddsub_pd, |x, y| _mm512_cmp_pd_mask::<_CMP_LE_OQ>(x, y), |a, b| a & b;
    }
}
