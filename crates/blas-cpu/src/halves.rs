//! f16 and bf16, which are converted many at a time.

use blas_api::{bf16, f16};
use half::slice::HalfFloatSliceExt;

use crate::num::{Elem, columns};

/// The registers of the families of kernels, of which all but the portable one include the instructions that convert f16.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{bf16, columns, f16};

    /// Functions that convert columns, N elements at a time.
    macro_rules! conversions { ($($name:ident: $from:ty, $to:ty; $features:literal, $n:literal, $few:expr;)*) => {$(
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $name(from: (*const $from, isize), size: [usize; 2], to: (*mut $to, isize)) {
            // SAFETY: the caller's promise; as many elements are in each chunk.
            unsafe { columns(from, size, to).for_each(|(x, y)| chunks::<_, _, $n>(x, y, |x, y| $few(x, y))) };
        }
    )*}}

    /// Calls `few` for N elements at a time, of which the last may be copies.
    #[inline(always)]
    fn chunks<S: Copy + Default, D: Copy + Default, const N: usize>(
        src: &[S],
        dst: &mut [D],
        few: impl Fn(*const S, *mut D),
    ) {
        let (src, rest) = src.as_chunks::<N>();
        let (dst, dst_rest) = dst.as_chunks_mut::<N>();
        for (x, y) in src.iter().zip(dst) {
            few(x.as_ptr(), y.as_mut_ptr());
        }
        if !rest.is_empty() {
            let (mut x, mut y) = ([S::default(); N], [D::default(); N]);
            x[..rest.len()].copy_from_slice(rest);
            few(x.as_ptr(), y.as_mut_ptr());
            dst_rest.copy_from_slice(&y[..rest.len()]);
        }
    }

    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;

    conversions! {
        widen_f16: f16, f32; "avx2,f16c", 8,
            |x: *const f16, y| _mm256_storeu_ps(y, _mm256_cvtph_ps(_mm_loadu_si128(x.cast())));
        widen_f16_by_16: f16, f32; "avx512f", 16,
            |x: *const f16, y| _mm512_storeu_ps(y, _mm512_cvtph_ps(_mm256_loadu_si256(x.cast())));
        narrow_f16: f32, f16; "avx2,f16c", 8,
            |x, y: *mut f16| _mm_storeu_si128(y.cast(), _mm256_cvtps_ph::<NEAREST>(_mm256_loadu_ps(x)));
        narrow_f16_by_16: f32, f16; "avx512f", 16,
            |x, y: *mut f16| _mm256_storeu_si256(y.cast(), _mm512_cvtps_ph::<NEAREST>(_mm512_loadu_ps(x)));
        widen_bf16: bf16, f32; "avx2", 8, |x: *const bf16, y: *mut f32| {
            let bits = _mm256_cvtepu16_epi32(_mm_loadu_si128(x.cast()));
            _mm256_storeu_si256(y.cast(), _mm256_slli_epi32::<16>(bits));
        };
        widen_bf16_by_16: bf16, f32; "avx512f", 16, |x: *const bf16, y: *mut f32| {
            let bits = _mm512_cvtepu16_epi32(_mm256_loadu_si256(x.cast()));
            _mm512_storeu_si512(y.cast(), _mm512_slli_epi32::<16>(bits));
        };
        // To nearest, ties to even: the bits that are dropped carry from just over a half, or from a half if the one above is set.
        narrow_bf16: f32, bf16; "avx2", 8, |x, y: *mut bf16| {
            let number = _mm256_loadu_ps(x);
            let bits = _mm256_castps_si256(number);
            let odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
            let rounded = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
            // NaN stays one, also where all bits that say so are dropped.
            let (nan, quiet) = (_mm256_cmp_ps::<_CMP_UNORD_Q>(number, number), _mm256_set1_epi32(1 << 22));
            let all = _mm256_blendv_epi8(rounded, _mm256_or_si256(bits, quiet), _mm256_castps_si256(nan));
            let upper = _mm256_srli_epi32::<16>(all);
            let packed = _mm256_permute4x64_epi64::<0b10_00>(_mm256_packus_epi32(upper, upper));
            _mm_storeu_si128(y.cast(), _mm256_castsi256_si128(packed));
        };
        narrow_bf16_by_16: f32, bf16; "avx512f", 16, |x, y: *mut bf16| {
            let number = _mm512_loadu_ps(x);
            let bits = _mm512_castps_si512(number);
            let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
            let rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
            let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(number, number);
            let all = _mm512_mask_or_epi32(rounded, nan, bits, _mm512_set1_epi32(1 << 22));
            _mm256_storeu_si256(y.cast(), _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(all)));
        };
    }
}

macro_rules! halves { ($($t:ty: $widen:ident, $widen_by_16:ident, $narrow:ident, $narrow_by_16:ident;)*) => {$(
    impl Elem for $t {
        const DIRECT: bool = false;

        unsafe fn widen_columns(from: (*const Self, isize), size: [usize; 2], to: (*mut f32, isize)) {
            // SAFETY: the caller's promise; the instructions are there.
            unsafe {
                #[cfg(target_arch = "x86_64")]
                match crate::isa::Isa::get() {
                    crate::isa::Isa::Portable => {}
                    crate::isa::Isa::Avx2 => return x86::$widen(from, size, to),
                    crate::isa::Isa::Avx512 => return x86::$widen_by_16(from, size, to),
                }
                columns(from, size, to).for_each(|(x, y)| x.convert_to_f32_slice(y));
            }
        }

        unsafe fn narrow_columns(from: (*const f32, isize), size: [usize; 2], to: (*mut Self, isize)) {
            // SAFETY: as above.
            unsafe {
                #[cfg(target_arch = "x86_64")]
                match crate::isa::Isa::get() {
                    crate::isa::Isa::Portable => {}
                    crate::isa::Isa::Avx2 => return x86::$narrow(from, size, to),
                    crate::isa::Isa::Avx512 => return x86::$narrow_by_16(from, size, to),
                }
                columns(from, size, to).for_each(|(x, y)| y.convert_from_f32_slice(x));
            }
        }
    }
)*}}
halves! {
    f16: widen_f16, widen_f16_by_16, narrow_f16, narrow_f16_by_16;
    bf16: widen_bf16, widen_bf16_by_16, narrow_bf16, narrow_bf16_by_16;
}
