//! Vectors of one column: reflectors, dot, axpy.

use crate::num::{Acc, exponent, times_power};

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
    x.iter_mut().for_each(|v| *v = v.divide(divisor));
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

/// Sum of conj(x_i) * y_i, in eight partial sums.
pub(super) fn dotc<T: Acc>(x: &[T], y: &[T]) -> T {
    let mut sums = [T::zero(); 8];
    let (xs, ys) = (x.chunks_exact(8), y.chunks_exact(8));
    let tail = xs.remainder().iter().zip(ys.remainder());
    let tail = tail.fold(T::zero(), |sum, (&x, &y)| sum + x.conj() * y);
    for (x, y) in xs.zip(ys) {
        for i in 0..8 {
            sums[i] += x[i].conj() * y[i];
        }
    }
    sums.iter().fold(tail, |sum, &v| sum + v)
}

/// y = alpha * x + y
pub(super) fn axpy<T: Acc>(alpha: T, x: &[T], y: &mut [T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += alpha * x;
    }
}
