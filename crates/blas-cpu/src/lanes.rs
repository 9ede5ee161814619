//! Registers of real numbers, as the inner loops of Level 1 and 2 see them: those of AVX-512, those of AVX2, or an array
//! that the compiler may make one of.
//!
//! A loop is a [`Kernel`], generic over the register; [`run`] compiles it for each and picks the one of this machine.
//! Complex numbers lie in registers as pairs.

use std::ops::Range;

use blas_api::RealField;

use crate::isa::Isa;

/// A register of `N` numbers.
///
/// # Safety
/// Methods may be called only where the instructions of the register are to be had, which is inside of [`run`].
pub(crate) trait Lanes: Copy {
    type Real: Real;
    /// A register of at most eight numbers.
    type Narrow: Lanes<Real = Self::Real>;
    /// Answers of comparisons.
    type Mask: Copy;
    const N: usize;

    /// The same number in every place.
    unsafe fn splat(x: Self::Real) -> Self;
    /// Two numbers in turn.
    unsafe fn pairs(even: Self::Real, odd: Self::Real) -> Self;
    /// `N` numbers from memory.
    unsafe fn load(p: *const Self::Real) -> Self;
    /// The numbers of the places `r` from memory, and zeros: `p` is where that of place 0 would be.
    unsafe fn load_some(p: *const Self::Real, r: Range<usize>) -> Self;
    /// The first `n` numbers from memory, and zeros.
    #[inline(always)]
    unsafe fn load_first(p: *const Self::Real, n: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::load_some(p, 0..n) }
    }
    /// All numbers to memory.
    unsafe fn store(self, p: *mut Self::Real);
    /// The first `n` numbers to memory.
    unsafe fn store_first(self, p: *mut Self::Real, n: usize);
    /// The first `n` numbers from memory, by one load, and zeros: `n < N` is a power of 2.
    unsafe fn load_piece(p: *const Self::Real, n: usize) -> Self;
    /// The first `n` numbers to memory, by one store: `n < N` is a power of 2.
    unsafe fn store_piece(self, p: *mut Self::Real, n: usize);
    /// The numbers in the places `r`, and those of `other` elsewhere.
    unsafe fn within(self, r: Range<usize>, other: Self) -> Self;
    /// self + y
    unsafe fn add(self, y: Self) -> Self;
    /// self * y
    unsafe fn mul(self, y: Self) -> Self;
    /// self * y + z
    unsafe fn fma(self, y: Self, z: Self) -> Self;
    /// x * y + z, of single numbers.
    unsafe fn fma_one(x: Self::Real, y: Self::Real, z: Self::Real) -> Self::Real;
    /// Absolute values.
    unsafe fn abs(self) -> Self;
    /// The two numbers of each pair in the other order.
    unsafe fn swap(self) -> Self;
    /// The sums of the pairs of two registers, in some order.
    unsafe fn pair_sums(self, y: Self) -> Self;
    /// The smaller numbers; any, where one is NaN.
    unsafe fn min(self, y: Self) -> Self;
    /// The larger of numbers that are not negative, of which NaN is the largest.
    unsafe fn top(self, y: Self) -> Self;
    /// Where self is y.
    unsafe fn same(self, y: Self) -> Self::Mask;
    /// Where one of two is NaN.
    unsafe fn nan(self, y: Self) -> Self::Mask;
    /// Where one of two is.
    unsafe fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// A bit for each place, from the least significant one on.
    unsafe fn bits(mask: Self::Mask) -> u32;
    /// Sums of the numbers in even and in odd places.
    unsafe fn sums(self) -> [Self::Real; 2];

    /// The largest number, none being NaN.
    unsafe fn largest(self) -> Self::Real;
    /// The smallest number, none being NaN.
    unsafe fn smallest(self) -> Self::Real;

    /// Sum of all numbers.
    #[inline(always)]
    unsafe fn sum(self) -> Self::Real {
        // SAFETY: the caller's promise.
        let [even, odd] = unsafe { self.sums() };
        even + odd
    }
}

/// f32 or f64, with its registers.
pub(crate) trait Real: RealField {
    /// Numbers whose size is zero or between these can be squared, and a few of the squares summed, within the range:
    /// about the fourth roots of its borders.
    const MODERATE: [Self; 2];
    #[cfg(target_arch = "x86_64")]
    type Avx2: Lanes<Real = Self>;
    #[cfg(target_arch = "x86_64")]
    type Avx512: Lanes<Real = Self>;
}

impl Real for f32 {
    const MODERATE: [f32; 2] = [2.3283064e-10, 4294967296.0];
    #[cfg(target_arch = "x86_64")]
    type Avx2 = std::arch::x86_64::__m256;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = std::arch::x86_64::__m512;
}

impl Real for f64 {
    const MODERATE: [f64; 2] = [8.636168555094445e-78, 1.157920892373162e77];
    #[cfg(target_arch = "x86_64")]
    type Avx2 = std::arch::x86_64::__m256d;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = std::arch::x86_64::__m512d;
}

/// A loop over numbers of type `R`.
pub(crate) trait Kernel<R: Real> {
    type Output;

    /// To be `#[inline(always)]`, and what it calls as well.
    ///
    /// # Safety
    /// The machine has the register.
    unsafe fn run<V: Lanes<Real = R>>(&self) -> Self::Output;
}

/// Runs a loop with the registers of this machine.
#[inline(always)]
pub(crate) fn run<R: Real, K: Kernel<R>>(kernel: &K) -> K::Output {
    match Isa::get() {
        Isa::Portable => portable(kernel),
        // SAFETY: the family has been found on this machine.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { avx512(kernel) },
    }
}

/// A function of its own as the others are, so that callers need to keep registers for none of them.
#[inline(never)]
fn portable<R: Real, K: Kernel<R>>(kernel: &K) -> K::Output {
    // SAFETY: the portable register needs nothing.
    unsafe { kernel.run::<Plain<R>>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<R: Real, K: Kernel<R>>(kernel: &K) -> K::Output {
    // SAFETY: the features are on.
    unsafe { kernel.run::<R::Avx2>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<R: Real, K: Kernel<R>>(kernel: &K) -> K::Output {
    // SAFETY: the features are on.
    unsafe { kernel.run::<R::Avx512>() }
}

/// A loop over one or two vectors of type `C` with a coefficient: so few operands that they are handed over in registers, where
/// a kernel finds them at once, and not in memory, which takes as long as ten numbers.
pub(crate) trait Line<C> {
    type Real: Real;
    type Output;

    /// To be `#[inline(always)]`, and what it calls as well.
    ///
    /// # Safety
    /// The machine has the register, and `n` elements are where the loop needs them.
    unsafe fn run<V: Lanes<Real = Self::Real>>(n: usize, a: C, x: *const C, y: *mut C) -> Self::Output;
}

/// Runs a loop over vectors with the registers of this machine.
///
/// # Safety
/// `n` elements are where the loop needs them.
#[inline(always)]
pub(crate) unsafe fn run_line<C, L: Line<C>>(n: usize, a: C, x: *const C, y: *mut C) -> L::Output {
    // SAFETY: the family has been found on this machine; for the rest, the caller's promise.
    unsafe {
        match Isa::get() {
            Isa::Portable => portable_line::<C, L>(n, a, x, y),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => avx2_line::<C, L>(n, a, x, y),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512_line::<C, L>(n, a, x, y),
        }
    }
}

#[inline(never)]
unsafe fn portable_line<C, L: Line<C>>(n: usize, a: C, x: *const C, y: *mut C) -> L::Output {
    // SAFETY: the caller's promise; the portable register needs nothing.
    unsafe { L::run::<Plain<L::Real>>(n, a, x, y) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2_line<C, L: Line<C>>(n: usize, a: C, x: *const C, y: *mut C) -> L::Output {
    // SAFETY: the caller's promise; the features are on.
    unsafe { L::run::<<L::Real as Real>::Avx2>(n, a, x, y) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512_line<C, L: Line<C>>(n: usize, a: C, x: *const C, y: *mut C) -> L::Output {
    // SAFETY: as above.
    unsafe { L::run::<<L::Real as Real>::Avx512>(n, a, x, y) }
}

/// Numbers of the portable register.
const PLAIN: usize = 4;

/// The portable register: an array. Products are rounded before they are added.
#[derive(Clone, Copy)]
pub(crate) struct Plain<R>([R; PLAIN]);

impl<R: Real> Plain<R> {
    #[inline(always)]
    fn map(self, y: Self, f: impl Fn(R, R) -> R) -> Self {
        Plain(std::array::from_fn(|i| f(self.0[i], y.0[i])))
    }
}

impl<R: Real> Lanes for Plain<R> {
    type Real = R;
    type Narrow = Self;
    type Mask = u32;
    const N: usize = PLAIN;

    #[inline(always)]
    unsafe fn splat(x: R) -> Self {
        Plain([x; PLAIN])
    }
    #[inline(always)]
    unsafe fn pairs(even: R, odd: R) -> Self {
        Plain([even, odd, even, odd])
    }
    #[inline(always)]
    unsafe fn load(p: *const R) -> Self {
        // SAFETY: the caller's promise.
        Plain(unsafe { p.cast::<[R; PLAIN]>().read() })
    }
    #[inline(always)]
    unsafe fn load_some(p: *const R, r: Range<usize>) -> Self {
        let mut all = [R::zero(); PLAIN];
        // SAFETY: the caller's promise.
        r.for_each(|i| unsafe { all[i] = p.wrapping_add(i).read() });
        Plain(all)
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut R) {
        // SAFETY: the caller's promise.
        unsafe { p.cast::<[R; PLAIN]>().write(self.0) }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut R, n: usize) {
        // SAFETY: the caller's promise.
        (0..n).for_each(|i| unsafe { p.add(i).write(self.0[i]) });
    }
    #[inline(always)]
    unsafe fn load_piece(p: *const R, n: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::load_some(p, 0..n) }
    }
    #[inline(always)]
    unsafe fn store_piece(self, p: *mut R, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.store_first(p, n) }
    }
    #[inline(always)]
    unsafe fn within(self, r: Range<usize>, other: Self) -> Self {
        Plain(std::array::from_fn(|i| if r.contains(&i) { self.0[i] } else { other.0[i] }))
    }
    #[inline(always)]
    unsafe fn add(self, y: Self) -> Self {
        self.map(y, |x, y| x + y)
    }
    #[inline(always)]
    unsafe fn mul(self, y: Self) -> Self {
        self.map(y, |x, y| x * y)
    }
    #[inline(always)]
    unsafe fn fma(self, y: Self, z: Self) -> Self {
        self.map(y, |x, y| x * y).map(z, |x, z| x + z)
    }
    #[inline(always)]
    unsafe fn fma_one(x: R, y: R, z: R) -> R {
        x * y + z
    }
    #[inline(always)]
    unsafe fn abs(self) -> Self {
        Plain(self.0.map(num_traits::Float::abs))
    }
    #[inline(always)]
    unsafe fn swap(self) -> Self {
        let [a, b, c, d] = self.0;
        Plain([b, a, d, c])
    }
    #[inline(always)]
    unsafe fn pair_sums(self, y: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, y.0);
        Plain([a + b, c + d, e + f, g + h])
    }
    #[inline(always)]
    unsafe fn min(self, y: Self) -> Self {
        self.map(y, |x, y| if x < y { x } else { y })
    }
    #[inline(always)]
    unsafe fn top(self, y: Self) -> Self {
        self.map(y, |x, y| if x > y || x.is_nan() { x } else { y })
    }
    #[inline(always)]
    unsafe fn same(self, y: Self) -> u32 {
        (0..PLAIN).fold(0, |bits, i| bits | u32::from(self.0[i] == y.0[i]) << i)
    }
    #[inline(always)]
    unsafe fn nan(self, y: Self) -> u32 {
        (0..PLAIN).fold(0, |bits, i| bits | u32::from(self.0[i].is_nan() || y.0[i].is_nan()) << i)
    }
    #[inline(always)]
    unsafe fn either(a: u32, b: u32) -> u32 {
        a | b
    }
    #[inline(always)]
    unsafe fn bits(mask: u32) -> u32 {
        mask
    }
    #[inline(always)]
    unsafe fn sums(self) -> [R; 2] {
        let [a, b, c, d] = self.0;
        [a + c, b + d]
    }
    #[inline(always)]
    unsafe fn largest(self) -> R {
        self.0.into_iter().fold(self.0[0], |x, y| if x > y { x } else { y })
    }
    #[inline(always)]
    unsafe fn smallest(self) -> R {
        self.0.into_iter().fold(self.0[0], |x, y| if x < y { x } else { y })
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;
    use std::ops::Range;

    use super::Lanes;

    /// Eight numbers that say yes, between those that say no.
    static YES: [i32; 24] = [0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

    /// A mask of the places `r` of eight.
    #[inline(always)]
    unsafe fn some32(r: Range<usize>) -> __m256i {
        debug_assert!(r.start <= 8 && r.end <= 8);
        // SAFETY: within the table.
        unsafe {
            let end = _mm256_loadu_si256(YES.as_ptr().add(16 - r.end).cast());
            if r.start == 0 {
                return end;
            }
            _mm256_and_si256(end, _mm256_loadu_si256(YES.as_ptr().add(8 - r.start).cast()))
        }
    }

    #[inline(always)]
    unsafe fn some64(r: Range<usize>) -> __m256i {
        // SAFETY: the caller's promise of AVX2; a number of 64 bits is two of 32.
        unsafe { some32(2 * r.start..2 * r.end) }
    }

    /// [`Lanes::store_first`] in steps of halves: masked stores are slow on some processors.
    #[inline(always)]
    unsafe fn store_first32(mut p: *mut f32, n: usize, x: __m256) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut low = _mm256_castps256_ps128(x);
            if n >= 8 {
                return _mm256_storeu_ps(p, x);
            }
            if n >= 4 {
                _mm_storeu_ps(p, low);
                low = _mm256_extractf128_ps::<1>(x);
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

    #[inline(always)]
    unsafe fn store_first64(mut p: *mut f64, n: usize, x: __m256d) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut low = _mm256_castpd256_pd128(x);
            if n >= 4 {
                return _mm256_storeu_pd(p, x);
            }
            if n >= 2 {
                _mm_storeu_pd(p, low);
                low = _mm256_extractf128_pd::<1>(x);
                p = p.add(2);
            }
            if n % 2 == 1 {
                _mm_store_sd(p, low);
            }
        }
    }

    /// Bits `r`.
    #[inline(always)]
    fn bits(r: Range<usize>) -> u32 {
        (1 << r.end) - (1 << r.start)
    }

    /// The methods of a register that are one instruction, or nearly so. Numbers that are not negative are in the order of
    /// their bits, with NaN beyond infinity.
    macro_rules! lanes { ($($v:ty, $narrow:ty: $t:ident * $n:literal, $mask:ty, $some:expr, $load_piece:expr, $store_piece:expr;
        $set:ident, $loadu:ident, $maskload:expr, $storeu:ident, $store_first:expr, $blend:expr, $add:ident, $mul:ident, $fma:ident,
        $even:expr, $odd:expr, $min:ident, $top:expr, $abs:expr, $swap:expr, $pairs:expr, $same:expr, $nan:expr, $either:expr, $bits:expr, $sums:expr,
        $largest:expr, $smallest:expr;)*) => {$(
        impl Lanes for $v {
            type Real = $t;
            type Narrow = $narrow;
            type Mask = $mask;
            const N: usize = $n;

            #[inline(always)]
            unsafe fn splat(x: $t) -> Self {
                // SAFETY: the caller's promise, here and below.
                unsafe { $set(x) }
            }
            #[inline(always)]
            unsafe fn pairs(even: $t, odd: $t) -> Self {
                // SAFETY: as above.
                unsafe { $pairs(even, odd) }
            }
            #[inline(always)]
            unsafe fn load(p: *const $t) -> Self {
                // SAFETY: as above.
                unsafe { $loadu(p) }
            }
            #[inline(always)]
            unsafe fn load_some(p: *const $t, r: Range<usize>) -> Self {
                // SAFETY: as above; what is masked is not touched.
                unsafe { $maskload(p, $some(r)) }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $t) {
                // SAFETY: as above.
                unsafe { $storeu(p, self) }
            }
            #[inline(always)]
            unsafe fn store_first(self, p: *mut $t, n: usize) {
                // SAFETY: as above; what is masked is not touched.
                unsafe { $store_first(p, n, self) }
            }
            #[inline(always)]
            unsafe fn load_piece(p: *const $t, n: usize) -> Self {
                // SAFETY: as above.
                unsafe { $load_piece(p, n) }
            }
            #[inline(always)]
            unsafe fn store_piece(self, p: *mut $t, n: usize) {
                // SAFETY: as above.
                unsafe { $store_piece(p, n, self) }
            }
            #[inline(always)]
            unsafe fn within(self, r: Range<usize>, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $blend($some(r), other, self) }
            }
            #[inline(always)]
            unsafe fn add(self, y: Self) -> Self {
                // SAFETY: as above.
                unsafe { $add(self, y) }
            }
            #[inline(always)]
            unsafe fn mul(self, y: Self) -> Self {
                // SAFETY: as above.
                unsafe { $mul(self, y) }
            }
            #[inline(always)]
            unsafe fn fma(self, y: Self, z: Self) -> Self {
                // SAFETY: as above.
                unsafe { $fma(self, y, z) }
            }
            #[inline(always)]
            unsafe fn fma_one(x: $t, y: $t, z: $t) -> $t {
                x.mul_add(y, z)
            }
            #[inline(always)]
            unsafe fn abs(self) -> Self {
                // SAFETY: as above.
                unsafe { $abs(self) }
            }
            #[inline(always)]
            unsafe fn swap(self) -> Self {
                // SAFETY: as above.
                unsafe { $swap(self) }
            }
            #[inline(always)]
            unsafe fn pair_sums(self, y: Self) -> Self {
                // SAFETY: as above.
                unsafe { $add($even(self, y), $odd(self, y)) }
            }
            #[inline(always)]
            unsafe fn min(self, y: Self) -> Self {
                // SAFETY: as above.
                unsafe { $min(self, y) }
            }
            #[inline(always)]
            unsafe fn top(self, y: Self) -> Self {
                // SAFETY: as above.
                unsafe { $top(self, y) }
            }
            #[inline(always)]
            unsafe fn same(self, y: Self) -> $mask {
                // SAFETY: as above.
                unsafe { $same(self, y) }
            }
            #[inline(always)]
            unsafe fn nan(self, y: Self) -> $mask {
                // SAFETY: as above.
                unsafe { $nan(self, y) }
            }
            #[inline(always)]
            unsafe fn largest(self) -> $t {
                // SAFETY: as above.
                unsafe { $largest(self) }
            }
            #[inline(always)]
            unsafe fn smallest(self) -> $t {
                // SAFETY: as above.
                unsafe { $smallest(self) }
            }
            #[inline(always)]
            unsafe fn either(a: $mask, b: $mask) -> $mask {
                $either(a, b)
            }
            #[inline(always)]
            unsafe fn bits(mask: $mask) -> u32 {
                $bits(mask)
            }
            #[inline(always)]
            unsafe fn sums(self) -> [$t; 2] {
                // SAFETY: as above.
                unsafe { $sums(self) }
            }
        }
    )*}}

    lanes! {
        __m256, Self: f32 * 8, __m256, some32,
        |p, n| match n {
            4 => _mm256_zextps128_ps256(_mm_loadu_ps(p)),
            2 => _mm256_zextps128_ps256(_mm_castpd_ps(_mm_load_sd(p.cast()))),
            _ => _mm256_zextps128_ps256(_mm_load_ss(p)),
        },
        |p, n, x| match n {
            4 => _mm_storeu_ps(p, _mm256_castps256_ps128(x)),
            2 => _mm_storel_pd(p.cast(), _mm_castps_pd(_mm256_castps256_ps128(x))),
            _ => _mm_store_ss(p, _mm256_castps256_ps128(x)),
        };
        _mm256_set1_ps, _mm256_loadu_ps, _mm256_maskload_ps, _mm256_storeu_ps, store_first32,
        |m, no, yes| _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(m)),
        _mm256_add_ps, _mm256_mul_ps, _mm256_fmadd_ps,
        |x, y| _mm256_shuffle_ps::<0b10_00_10_00>(x, y), |x, y| _mm256_shuffle_ps::<0b11_01_11_01>(x, y), _mm256_min_ps,
        |x, y| _mm256_castsi256_ps(_mm256_max_epi32(_mm256_castps_si256(x), _mm256_castps_si256(y))),
        |x| _mm256_andnot_ps(_mm256_set1_ps(-0.0), x),
        |x| _mm256_permute_ps::<0b10_11_00_01>(x),
        |a, b| _mm256_setr_ps(a, b, a, b, a, b, a, b),
        |x, y| _mm256_cmp_ps::<_CMP_EQ_OQ>(x, y),
        |x, y| _mm256_cmp_ps::<_CMP_UNORD_Q>(x, y),
        // SAFETY: the caller's promise.
        |a, b| unsafe { _mm256_or_ps(a, b) },
        // SAFETY: the caller's promise.
        |m| unsafe { _mm256_movemask_ps(m) } as u32,
        |x| {
            let two = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
            let one = _mm_add_ps(two, _mm_movehl_ps(two, two));
            [_mm_cvtss_f32(one), _mm_cvtss_f32(_mm_movehdup_ps(one))]
        },
        |x| {
            let four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
        },
        |x| {
            let four = _mm_min_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)))
        };

        __m256d, Self: f64 * 4, __m256d, some64,
        |p, n| match n {
            2 => _mm256_zextpd128_pd256(_mm_loadu_pd(p)),
            _ => _mm256_zextpd128_pd256(_mm_load_sd(p)),
        },
        |p, n, x| match n {
            2 => _mm_storeu_pd(p, _mm256_castpd256_pd128(x)),
            _ => _mm_storel_pd(p, _mm256_castpd256_pd128(x)),
        };
        _mm256_set1_pd, _mm256_loadu_pd, _mm256_maskload_pd, _mm256_storeu_pd, store_first64,
        |m, no, yes| _mm256_blendv_pd(no, yes, _mm256_castsi256_pd(m)),
        _mm256_add_pd, _mm256_mul_pd, _mm256_fmadd_pd,
        |x, y| _mm256_unpacklo_pd(x, y), |x, y| _mm256_unpackhi_pd(x, y), _mm256_min_pd,
        |x, y| {
            let greater = _mm256_cmpgt_epi64(_mm256_castpd_si256(x), _mm256_castpd_si256(y));
            _mm256_blendv_pd(y, x, _mm256_castsi256_pd(greater))
        },
        |x| _mm256_andnot_pd(_mm256_set1_pd(-0.0), x),
        |x| _mm256_permute_pd::<0b0101>(x),
        |a, b| _mm256_setr_pd(a, b, a, b),
        |x, y| _mm256_cmp_pd::<_CMP_EQ_OQ>(x, y),
        |x, y| _mm256_cmp_pd::<_CMP_UNORD_Q>(x, y),
        // SAFETY: the caller's promise.
        |a, b| unsafe { _mm256_or_pd(a, b) },
        // SAFETY: the caller's promise.
        |m| unsafe { _mm256_movemask_pd(m) } as u32,
        |x| {
            let one = _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd::<1>(x));
            [_mm_cvtsd_f64(one), _mm_cvtsd_f64(_mm_unpackhi_pd(one, one))]
        },
        |x| {
            let two = _mm_max_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd::<1>(x));
            _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)))
        },
        |x| {
            let two = _mm_min_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd::<1>(x));
            _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)))
        };

        __m512, __m256: f32 * 16, __mmask16, |r| bits(r) as u16,
        |p, n| _mm512_zextps256_ps512(if n == 8 { _mm256_loadu_ps(p) } else { __m256::load_piece(p, n) }),
        |p, n, x| {
            let x = _mm512_castps512_ps256(x);
            if n == 8 { x.store(p) } else { x.store_piece(p, n) }
        };
        _mm512_set1_ps, _mm512_loadu_ps, |p, m| _mm512_maskz_loadu_ps(m, p), _mm512_storeu_ps,
        |p, n, x| _mm512_mask_storeu_ps(p, bits(0..n) as u16, x),
        |m, no, yes| _mm512_mask_blend_ps(m, no, yes),
        _mm512_add_ps, _mm512_mul_ps, _mm512_fmadd_ps,
        |x, y| _mm512_shuffle_ps::<0b10_00_10_00>(x, y), |x, y| _mm512_shuffle_ps::<0b11_01_11_01>(x, y), _mm512_min_ps,
        |x, y| _mm512_castsi512_ps(_mm512_max_epi32(_mm512_castps_si512(x), _mm512_castps_si512(y))),
        |x| _mm512_abs_ps(x),
        |x| _mm512_permute_ps::<0b10_11_00_01>(x),
        |a, b| _mm512_broadcast_f32x2(_mm_setr_ps(a, b, a, b)),
        |x, y| _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(x, y),
        |x, y| _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(x, y),
        |a: u16, b: u16| a | b,
        u32::from,
        |x| {
            let half = _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps::<1>(x));
            half.sums()
        },
        |x| _mm512_reduce_max_ps(x),
        |x| _mm512_reduce_min_ps(x);

        __m512d, Self: f64 * 8, __mmask8, |r| bits(r) as u8,
        |p, n| _mm512_zextpd256_pd512(if n == 4 { _mm256_loadu_pd(p) } else { __m256d::load_piece(p, n) }),
        |p, n, x| {
            let x = _mm512_castpd512_pd256(x);
            if n == 4 { x.store(p) } else { x.store_piece(p, n) }
        };
        _mm512_set1_pd, _mm512_loadu_pd, |p, m| _mm512_maskz_loadu_pd(m, p), _mm512_storeu_pd,
        |p, n, x| _mm512_mask_storeu_pd(p, bits(0..n) as u8, x),
        |m, no, yes| _mm512_mask_blend_pd(m, no, yes),
        _mm512_add_pd, _mm512_mul_pd, _mm512_fmadd_pd,
        |x, y| _mm512_unpacklo_pd(x, y), |x, y| _mm512_unpackhi_pd(x, y), _mm512_min_pd,
        |x, y| _mm512_castsi512_pd(_mm512_max_epi64(_mm512_castpd_si512(x), _mm512_castpd_si512(y))),
        |x| _mm512_abs_pd(x),
        |x| _mm512_permute_pd::<0b0101_0101>(x),
        |a, b| _mm512_broadcast_f64x2(_mm_setr_pd(a, b)),
        |x, y| _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(x, y),
        |x, y| _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(x, y),
        |a: u8, b: u8| a | b,
        u32::from,
        |x| {
            let half = _mm256_add_pd(_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd::<1>(x));
            half.sums()
        },
        |x| _mm512_reduce_max_pd(x),
        |x| _mm512_reduce_min_pd(x);
    }
}
