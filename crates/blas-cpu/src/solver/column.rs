//! Vectors of one column: reflectors and quotients.

use num_traits::{Float as _, Zero as _};

use crate::lanes::Real;
use crate::num::{Acc, exponent, times_power};
use crate::simd::wide;

/// The larger of the two parts in absolute value.
pub(super) fn max_part<T: Acc>(x: T) -> f64 {
    let [re, im] = x.parts();
    re.abs().max(im.abs())
}

/// x * 2^e
pub(super) fn scaled<T: Acc>(x: T, e: i32) -> T {
    T::from_parts(x.parts().map(|p| times_power(p, e)))
}

/// The elementary reflector H = I - tau * (1, v) * (1, v)ᴴ with Hᴴ * (alpha, x) = (beta, 0), beta real. alpha becomes
/// beta and x becomes v; returns tau.
pub(super) fn larfg<T: Acc>(alpha: &mut T, x: &mut [T]) -> T {
    let zero = T::zero();
    if alpha.parts()[1] == 0.0 && x.iter().all(|v| *v == zero) {
        return zero;
    }
    let max = x.iter().fold(max_part(*alpha), |max, &v| max.max(max_part(v)));
    // Squares and sums of numbers in this range stay in the range of f32.
    let e = if max.is_finite() && !(1e-15..1e15).contains(&max) { -exponent(max) } else { 0 };
    if e != 0 {
        *alpha = scaled(*alpha, e);
        x.iter_mut().for_each(|v| *v = scaled(*v, e));
    }
    let [re, im] = alpha.parts();
    let beta = -(re * re + im * im + sum_of_squares(x)).sqrt().copysign(re);
    let divisor = T::from_parts([re - beta, im]);
    divide(x, divisor);
    *alpha = T::from_parts([times_power(beta, -e), 0.0]);
    T::from_parts([(beta - re) / beta, -im / beta])
}

/// In eight partial sums, which keeps rounding errors and latency low.
fn sum_of_squares<T: Acc>(x: &[T]) -> f64 {
    let mut sums = [0.0; 8];
    for chunk in x.chunks(8) {
        for (sum, v) in sums.iter_mut().zip(chunk) {
            let [re, im] = v.parts();
            *sum += re * re + im * im;
        }
    }
    sums.iter().sum()
}

/// x = x / by
pub(super) fn divide<T: Acc>(x: &mut [T], by: T) {
    let (re, im) = (by.re(), by.im());
    if im.is_zero() {
        return wide(
            #[inline(always)]
            || x.iter_mut().for_each(|v| *v = T::new(v.re() / re, v.im() / re)),
        );
    }
    // Where squares and products are far from the borders of the range, the plain formula is as good as any.
    let [low, high] = T::Real::MODERATE;
    let moderate = |v: T| {
        let [re, im] = [v.re().abs(), v.im().abs()];
        (re >= low || re.is_zero()) & (im >= low || im.is_zero()) & (re <= high) & (im <= high)
    };
    wide(
        #[inline(always)]
        || {
            if moderate(by) && x.iter().fold(true, |all, v| all & moderate(*v)) {
                let square = re * re + im * im;
                x.iter_mut().for_each(|v| {
                    let (a, b) = (v.re(), v.im());
                    *v = T::new((a * re + b * im) / square, (b * re - a * im) / square);
                });
            } else {
                x.iter_mut().for_each(|v| *v = v.divide(by));
            }
        },
    );
}
