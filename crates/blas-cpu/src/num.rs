//! What the kernels need of numbers beyond the contract's own traits.

use blas_api::{Complex, Field, Scalar};

use crate::lanes::Real;

/// A type that sums are formed in: f32, f64 and their complex numbers.
pub(crate) trait Acc: Field<Real: Real> {
    /// Whether there is an imaginary part.
    const COMPLEX: bool = Self::PARTS == 2;
    /// Real numbers that make one: 1 or 2, one after the other.
    const PARTS: usize = size_of::<Self>() / size_of::<Self::Real>();
    /// Real part.
    fn re(self) -> Self::Real;
    /// Imaginary part; 0 for real types.
    fn im(self) -> Self::Real;
    /// From the parts; the imaginary one is dropped for real types.
    fn new(re: Self::Real, im: Self::Real) -> Self;
    /// Both parts times a real number.
    fn scale(self, k: Self::Real) -> Self;
    /// The quotient, without overflow or underflow on the way to a representable one.
    fn divide(self, by: Self) -> Self;

    /// abs(re) + abs(im)
    #[inline(always)]
    fn abs1(self) -> Self::Real {
        num_traits::Float::abs(self.re()) + num_traits::Float::abs(self.im())
    }

    /// The number with its imaginary part set to 0.
    #[inline(always)]
    fn real(self) -> Self {
        Self::new(self.re(), Self::Real::default())
    }

    /// Its conjugate if `conj`.
    #[inline(always)]
    fn conj_if(self, conj: bool) -> Self {
        if conj { self.conj() } else { self }
    }
}

/// An element of the contract's six floating-point types.
pub(crate) trait Elem: Scalar<Coef: Acc, Real: Scalar<Coef = Part<Self>>> {
    /// Whether the accumulation type is the type itself.
    const DIRECT: bool;
    /// Widens k columns of m elements, which are a step apart, to the accumulation type, exactly.
    ///
    /// # Safety
    /// All elements are there.
    unsafe fn widen_columns(from: (*const Self, isize), size: [usize; 2], to: (*mut Self::Coef, isize));

    /// Rounds k columns of m elements from the accumulation type.
    ///
    /// # Safety
    /// All elements are there.
    unsafe fn narrow_columns(from: (*const Self::Coef, isize), size: [usize; 2], to: (*mut Self, isize));

    /// [Widens](Self::widen_columns) a slice to one of the same length.
    fn widen(src: &[Self], dst: &mut [Self::Coef]) {
        let size = [src.len().min(dst.len()), 1];
        // SAFETY: so many elements are in both.
        unsafe { Self::widen_columns((src.as_ptr(), 0), size, (dst.as_mut_ptr(), 0)) };
    }

    /// [Rounds](Self::narrow_columns) a slice to one of the same length.
    fn narrow(src: &[Self::Coef], dst: &mut [Self]) {
        let size = [src.len().min(dst.len()), 1];
        // SAFETY: as above.
        unsafe { Self::narrow_columns((src.as_ptr(), 0), size, (dst.as_mut_ptr(), 0)) };
    }
}

/// Type of the parts of the accumulation type: f32 or f64.
pub(crate) type Part<T> = <<T as Scalar>::Coef as Scalar>::Real;

macro_rules! direct { ($($t:ty),*) => {$(
    impl Elem for $t {
        const DIRECT: bool = true;
        unsafe fn widen_columns(from: (*const Self, isize), size: [usize; 2], to: (*mut Self, isize)) {
            // SAFETY: the caller's promise.
            unsafe { columns(from, size, to).for_each(|(from, to)| to.copy_from_slice(from)) };
        }
        unsafe fn narrow_columns(from: (*const Self, isize), size: [usize; 2], to: (*mut Self, isize)) {
            // SAFETY: as above.
            unsafe { columns(from, size, to).for_each(|(from, to)| to.copy_from_slice(from)) };
        }
    }
)*}}
direct!(f32, f64, Complex<f32>, Complex<f64>);

/// The columns from and to which elements are converted: k of m, which are a step apart.
///
/// # Safety
/// m x k elements can be read and written.
#[inline(always)]
pub(crate) unsafe fn columns<'a, S: 'a, D: 'a>(
    (from, from_step): (*const S, isize),
    [m, k]: [usize; 2],
    (to, step): (*mut D, isize),
) -> impl Iterator<Item = (&'a [S], &'a mut [D])> {
    // SAFETY: the caller's promise.
    (0..k as isize).map(move |l| unsafe {
        let from = std::slice::from_raw_parts(from.wrapping_offset(l * from_step), m);
        (from, std::slice::from_raw_parts_mut(to.wrapping_offset(l * step), m))
    })
}

macro_rules! acc { ($($t:ident, $divide:ident);*) => {$(
    impl Acc for $t {
        #[inline(always)]
        fn re(self) -> $t { self }
        #[inline(always)]
        fn im(self) -> $t { 0.0 }
        #[inline(always)]
        fn new(re: $t, _im: $t) -> $t { re }
        #[inline(always)]
        fn scale(self, k: $t) -> $t { self * k }
        #[inline(always)]
        fn divide(self, by: $t) -> $t { self / by }
    }
    impl Acc for Complex<$t> {
        #[inline(always)]
        fn re(self) -> $t { self.re }
        #[inline(always)]
        fn im(self) -> $t { self.im }
        #[inline(always)]
        fn new(re: $t, im: $t) -> Self { Complex { re, im } }
        #[inline(always)]
        fn scale(self, k: $t) -> Self { Complex { re: self.re * k, im: self.im * k } }
        #[inline]
        fn divide(self, by: Self) -> Self { $divide(self, by) }
    }
)*}}
acc!(f32, divide32; f64, divide64);

/// The range of f64 has room for all products of f32.
fn divide32(x: Complex<f32>, y: Complex<f32>) -> Complex<f32> {
    if y.im == 0.0 {
        return Complex::new(x.re / y.re, x.im / y.re);
    }
    let wide = |z: Complex<f32>| (f64::from(z.re), f64::from(z.im));
    let ((a, b), (c, d)) = (wide(x), wide(y));
    let q = if c.is_finite() && d.is_finite() { quotient(a, b, c, d) } else { smith(a, b, c, d) };
    Complex::new(q.re as f32, q.im as f32)
}

/// Both operands are brought to a size near 1 by powers of two first.
fn divide64(x: Complex<f64>, y: Complex<f64>) -> Complex<f64> {
    if y.im == 0.0 {
        return Complex::new(x.re / y.re, x.im / y.re);
    }
    let (xmax, ymax) = (x.re.abs().max(x.im.abs()), y.re.abs().max(y.im.abs()));
    let finite = [x.re, x.im, y.re, y.im].iter().all(|v| v.is_finite());
    if !finite || xmax == 0.0 {
        return smith(x.re, x.im, y.re, y.im);
    }
    let (e, f) = (exponent(xmax), exponent(ymax));
    let q =
        quotient(times_power(x.re, -e), times_power(x.im, -e), times_power(y.re, -f), times_power(y.im, -f));
    Complex::new(times_power(q.re, e - f), times_power(q.im, e - f))
}

/// (a + bi) / (c + di) where no product leaves the range.
fn quotient(a: f64, b: f64, c: f64, d: f64) -> Complex<f64> {
    let size = c * c + d * d;
    Complex::new((a * c + b * d) / size, (b * c - a * d) / size)
}

/// Smith's formula: infinite and zero operands give what a limit would.
fn smith(a: f64, b: f64, c: f64, d: f64) -> Complex<f64> {
    if c.abs() >= d.abs() {
        let r = d / c;
        let size = c + d * r;
        Complex::new((a + b * r) / size, (b - a * r) / size)
    } else {
        let r = c / d;
        let size = c * r + d;
        Complex::new((a * r + b) / size, (b * r - a) / size)
    }
}

/// The e with 2^e <= x < 2^(e+1), for positive finite x.
pub(crate) fn exponent(x: f64) -> i32 {
    let field = |x: f64| (x.to_bits() >> 52) as i32 - 1023;
    if x < f64::MIN_POSITIVE { field(x * 2f64.powi(54)) - 54 } else { field(x) }
}

/// x * 2^e in up to three exact steps, for abs(e) < 3000.
pub(crate) fn times_power(mut x: f64, mut e: i32) -> f64 {
    while e > 1000 {
        x *= 2f64.powi(1000);
        e -= 1000;
    }
    while e < -1000 {
        x *= 2f64.powi(-1000);
        e += 1000;
    }
    x * 2f64.powi(e)
}

#[cfg(test)]
mod tests {
    use super::*;
    use blas_api::{bf16, f16};

    /// All numbers there are, and what is on the way to the next.
    #[test]
    fn halves_are_converted_as_one_by_one() {
        fn check<T: Elem<Coef = f32> + Scalar<Coef = f32>>(bits: fn(u16) -> T) {
            let all: Vec<T> = (0..=u16::MAX).map(bits).collect();
            let mut wide = vec![0.0; all.len()];
            T::widen(&all, &mut wide);
            let same = |x: f32, y: f32| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
            assert!(all.iter().zip(&wide).all(|(x, y)| same(x.to_coef(), *y)));
            for (part, ulps) in [(0.0, 0), (0.25, 0), (0.5, -1), (0.5, 0), (0.5, 1), (1.0, -1)] {
                let between = |x: &[f32]| {
                    f32::from_bits((x[0] + (x[1] - x[0]) * part).to_bits().wrapping_add_signed(ulps))
                };
                let numbers: Vec<f32> = wide.windows(2).map(between).collect();
                let mut narrow = vec![T::default(); numbers.len()];
                T::narrow(&numbers, &mut narrow);
                assert!(
                    numbers.iter().zip(narrow).all(|(x, y)| same(T::from_coef(*x).to_coef(), y.to_coef()))
                );
            }
        }
        check(f16::from_bits);
        check(bf16::from_bits);
    }

    #[test]
    fn complex_quotients_keep_the_range() {
        let z = Complex::<f64>::new;
        assert_eq!(z(1e308, 1e308).divide(z(1e308, 1e308)), z(1.0, 0.0));
        assert_eq!(z(1e-310, 1e-310).divide(z(1e-310, 1e-310)), z(1.0, 0.0));
        assert_eq!(z(2e-310, 0.0).divide(z(1e-310, 0.0)), z(2.0, 0.0));
        assert_eq!(z(0.0, 4.0).divide(z(0.0, 2.0)), z(2.0, 0.0));
        assert_eq!(z(1.0, 2.0).divide(z(3.0, -4.0)), z(-0.2, 0.4));
        assert_eq!(z(0.0, 0.0).divide(z(3.0, -4.0)), z(0.0, 0.0));
        assert_eq!(z(1.0, 1.0).divide(z(f64::INFINITY, 1.0)), z(0.0, 0.0));
        assert!(z(f64::NAN, 1.0).divide(z(1.0, 1.0)).re.is_nan());
        let c = Complex::<f32>::new;
        assert_eq!(c(1e38, 1e38).divide(c(1e38, 1e38)), c(1.0, 0.0));
        assert_eq!(c(1e-45, 1e-45).divide(c(1e-45, 1e-45)), c(1.0, 0.0));
        assert_eq!(c(1.0, 1.0).divide(c(1.0, f32::INFINITY)), c(0.0, 0.0));
    }

    #[test]
    fn exponents() {
        for (x, e) in [(1.0, 0), (1.9, 0), (2.0, 1), (0.75, -1), (5e-324, -1074), (f64::MAX, 1023)] {
            assert_eq!(exponent(x), e);
        }
        assert_eq!(times_power(times_power(3.0, -1060), 1060), 3.0);
    }
}
