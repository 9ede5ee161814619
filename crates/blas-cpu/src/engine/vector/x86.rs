//! The registers of x86-64.

use std::arch::asm;
use std::arch::x86_64::*;

use super::Vector;
use crate::num::Acc as _;

/// The mask of [`Vector::load_first`] for AVX2: the first `n` of as many lanes as fit, from a window on ones and zeros.
#[inline(always)]
unsafe fn window<const LANES: usize>(ones: *const i32, n: usize) -> __m256i {
    let step = 8 / LANES;
    // SAFETY: the caller hands 16 numbers, and n is at most the number of lanes.
    unsafe { _mm256_loadu_si256(ones.add((LANES - n) * step).cast()) }
}

static ONES: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

// SAFETY of all blocks below: the promises of the trait.
macro_rules! shared {
    ($real:ty, $lanes:literal, $zero:ident, $splat:ident, $load:ident, $store:ident, $add:ident, $mul:ident,
    $div:ident, $fma:ident, $fma_conj:ident, |$x:ident| $swap:expr) => {
        type Real = $real;
        const LANES: usize = $lanes;
        #[inline(always)]
        unsafe fn zero() -> Self {
            // SAFETY: see above.
            unsafe { $zero() }
        }
        #[inline(always)]
        unsafe fn splat(x: $real) -> Self {
            // SAFETY: see above.
            unsafe { $splat(x) }
        }
        #[inline(always)]
        unsafe fn load(p: *const $real) -> Self {
            // SAFETY: see above.
            unsafe { $load(p) }
        }
        #[inline(always)]
        unsafe fn store(self, p: *mut $real) {
            // SAFETY: see above.
            unsafe { $store(p, self) }
        }
        #[inline(always)]
        unsafe fn prefetch(p: *const $real) {
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
        unsafe fn add(self, y: Self) -> Self {
            // SAFETY: see above.
            unsafe { $add(self, y) }
        }
        #[inline(always)]
        unsafe fn mul(self, y: Self) -> Self {
            // SAFETY: see above.
            unsafe { $mul(self, y) }
        }
        #[inline(always)]
        unsafe fn div(self, y: Self) -> Self {
            // SAFETY: see above.
            unsafe { $div(self, y) }
        }
        #[inline(always)]
        unsafe fn fma(self, y: Self, z: Self) -> Self {
            // SAFETY: see above.
            unsafe { $fma(self, y, z) }
        }
        #[inline(always)]
        unsafe fn fma_conj(self, y: Self, z: Self) -> Self {
            // SAFETY: see above.
            unsafe { $fma_conj(self, y, z) }
        }
        #[inline(always)]
        unsafe fn swap(self) -> Self {
            let $x = self;
            // SAFETY: see above.
            unsafe { $swap }
        }
    };
}

impl Vector for __m256d {
    shared!(
        f64,
        4,
        _mm256_setzero_pd,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_add_pd,
        _mm256_mul_pd,
        _mm256_div_pd,
        _mm256_fmadd_pd,
        _mm256_fmaddsub_pd,
        |x| _mm256_permute_pd::<0b0101>(x)
    );
    #[inline(always)]
    unsafe fn has_nan(self, y: Self) -> bool {
        // SAFETY: see above.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_UNORD_Q>(self, y)) != 0 }
    }
    #[inline(always)]
    unsafe fn has_small(self) -> bool {
        // SAFETY: see above.
        unsafe {
            _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(
                _mm256_andnot_pd(_mm256_set1_pd(-0.0), self),
                _mm256_set1_pd(f64::MODERATE[0]),
            )) != 0
        }
    }
    #[inline(always)]
    unsafe fn is_moderate(self) -> bool {
        // SAFETY: see above.
        unsafe {
            let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), self);
            let (low, high) = (_mm256_set1_pd(f64::MODERATE[0]), _mm256_set1_pd(f64::MODERATE[1]));
            let small = _mm256_cmp_pd::<_CMP_LE_OQ>(size, high);
            let large = _mm256_cmp_pd::<_CMP_GE_OQ>(size, low);
            let zero = _mm256_cmp_pd::<_CMP_EQ_OQ>(size, _mm256_setzero_pd());
            let ok = _mm256_movemask_pd(_mm256_and_pd(small, _mm256_or_pd(large, zero)));
            ok == (1 << Self::LANES) - 1
        }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const f64, n: usize) -> Self {
        // SAFETY: see above; lanes that are masked out are not accessed.
        unsafe { _mm256_maskload_pd(p, window::<4>(ONES.as_ptr(), n)) }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut f64, n: usize) {
        // In steps of halves: masked stores are slow on some processors.
        // SAFETY: see above.
        unsafe {
            let mut low = _mm256_castpd256_pd128(self);
            let mut p = p;
            if n >= 4 {
                return _mm256_storeu_pd(p, self);
            }
            if n >= 2 {
                _mm_storeu_pd(p, low);
                low = _mm256_extractf128_pd::<1>(self);
                p = p.add(2);
            }
            if n % 2 == 1 {
                _mm_store_sd(p, low);
            }
        }
    }
}

impl Vector for __m256 {
    shared!(
        f32,
        8,
        _mm256_setzero_ps,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_add_ps,
        _mm256_mul_ps,
        _mm256_div_ps,
        _mm256_fmadd_ps,
        _mm256_fmaddsub_ps,
        |x| _mm256_permute_ps::<0b1011_0001>(x)
    );
    #[inline(always)]
    unsafe fn has_nan(self, y: Self) -> bool {
        // SAFETY: see above.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_UNORD_Q>(self, y)) != 0 }
    }
    #[inline(always)]
    unsafe fn has_small(self) -> bool {
        // SAFETY: see above.
        unsafe {
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(
                _mm256_andnot_ps(_mm256_set1_ps(-0.0), self),
                _mm256_set1_ps(f32::MODERATE[0]),
            )) != 0
        }
    }
    #[inline(always)]
    unsafe fn is_moderate(self) -> bool {
        // SAFETY: see above.
        unsafe {
            let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), self);
            let (low, high) = (_mm256_set1_ps(f32::MODERATE[0]), _mm256_set1_ps(f32::MODERATE[1]));
            let small = _mm256_cmp_ps::<_CMP_LE_OQ>(size, high);
            let large = _mm256_cmp_ps::<_CMP_GE_OQ>(size, low);
            let zero = _mm256_cmp_ps::<_CMP_EQ_OQ>(size, _mm256_setzero_ps());
            let ok = _mm256_movemask_ps(_mm256_and_ps(small, _mm256_or_ps(large, zero)));
            ok == (1 << Self::LANES) - 1
        }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const f32, n: usize) -> Self {
        // SAFETY: see above; lanes that are masked out are not accessed.
        unsafe { _mm256_maskload_ps(p, window::<8>(ONES.as_ptr(), n)) }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut f32, n: usize) {
        // SAFETY: see above.
        unsafe {
            let mut low = _mm256_castps256_ps128(self);
            let mut p = p;
            if n >= 8 {
                return _mm256_storeu_ps(p, self);
            }
            if n >= 4 {
                _mm_storeu_ps(p, low);
                low = _mm256_extractf128_ps::<1>(self);
                p = p.add(4);
            }
            if n & 2 != 0 {
                _mm_storel_pd(p.cast(), _mm_castps_pd(low));
                low = _mm_movehl_ps(low, low);
                p = p.add(2);
            }
            if n & 1 != 0 {
                _mm_store_ss(p, low);
            }
        }
    }
}

impl Vector for __m512d {
    shared!(
        f64,
        8,
        _mm512_setzero_pd,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_add_pd,
        _mm512_mul_pd,
        _mm512_div_pd,
        _mm512_fmadd_pd,
        _mm512_fmaddsub_pd,
        |x| _mm512_permute_pd::<0b0101_0101>(x)
    );
    #[inline(always)]
    unsafe fn has_nan(self, y: Self) -> bool {
        // SAFETY: see above.
        unsafe { _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(self, y) != 0 }
    }
    #[inline(always)]
    unsafe fn has_small(self) -> bool {
        // SAFETY: see above.
        unsafe {
            _mm512_cmp_pd_mask::<_CMP_LT_OQ>(_mm512_abs_pd(self), _mm512_set1_pd(f64::MODERATE[0])) != 0
        }
    }
    #[inline(always)]
    unsafe fn is_moderate(self) -> bool {
        // SAFETY: see above.
        unsafe {
            let size = _mm512_abs_pd(self);
            let (low, high) = (_mm512_set1_pd(f64::MODERATE[0]), _mm512_set1_pd(f64::MODERATE[1]));
            let small = _mm512_cmp_pd_mask::<_CMP_LE_OQ>(size, high);
            let large = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(size, low);
            let zero = _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(size, _mm512_setzero_pd());
            small & (large | zero) == u8::MAX
        }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const f64, n: usize) -> Self {
        // SAFETY: see above; lanes that are masked out are not accessed.
        unsafe { _mm512_maskz_loadu_pd(0xff >> (8 - n), p) }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut f64, n: usize) {
        // SAFETY: see above; lanes that are masked out are not accessed.
        unsafe { _mm512_mask_storeu_pd(p, 0xff >> (8 - n), self) }
    }
}

impl Vector for __m512 {
    shared!(
        f32,
        16,
        _mm512_setzero_ps,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_add_ps,
        _mm512_mul_ps,
        _mm512_div_ps,
        _mm512_fmadd_ps,
        _mm512_fmaddsub_ps,
        |x| _mm512_permute_ps::<0b1011_0001>(x)
    );
    #[inline(always)]
    unsafe fn has_nan(self, y: Self) -> bool {
        // SAFETY: see above.
        unsafe { _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(self, y) != 0 }
    }
    #[inline(always)]
    unsafe fn has_small(self) -> bool {
        // SAFETY: see above.
        unsafe {
            _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_abs_ps(self), _mm512_set1_ps(f32::MODERATE[0])) != 0
        }
    }
    #[inline(always)]
    unsafe fn is_moderate(self) -> bool {
        // SAFETY: see above.
        unsafe {
            let size = _mm512_abs_ps(self);
            let (low, high) = (_mm512_set1_ps(f32::MODERATE[0]), _mm512_set1_ps(f32::MODERATE[1]));
            let small = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(size, high);
            let large = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(size, low);
            let zero = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(size, _mm512_setzero_ps());
            small & (large | zero) == u16::MAX
        }
    }
    #[inline(always)]
    unsafe fn load_first(p: *const f32, n: usize) -> Self {
        // SAFETY: see above; lanes that are masked out are not accessed.
        unsafe { _mm512_maskz_loadu_ps(0xffff >> (16 - n), p) }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut f32, n: usize) {
        // SAFETY: see above; lanes that are masked out are not accessed.
        unsafe { _mm512_mask_storeu_ps(p, 0xffff >> (16 - n), self) }
    }
}
