//! rotg.

use blas_api::*;
use num_traits::{Float, Zero};

use crate::CpuHandle;
use crate::num::{Acc, exponent, times_power};
use crate::operands::unsupported;

pub(crate) unsafe fn rotg(_h: &CpuHandle, d: &RotgDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        match d.dtype {
            DType::F32 => each::<f32>(d, real),
            DType::F64 => each::<f64>(d, real),
            DType::C32 => each::<Complex<f32>>(d, complex),
            DType::C64 => each::<Complex<f64>>(d, complex),
            other => return Err(unsupported(Routine::Rotg, other)),
        }
    }
    Ok(())
}

/// r, z, c, s
type Rotation<T> = (T, T, <T as Scalar>::Real, T);

unsafe fn each<T: Acc>(d: &RotgDesc, f: impl Fn(T, T) -> Rotation<T>) {
    let (a, b) = (d.a.ptr().cast::<T>(), d.b.ptr().cast::<T>());
    let (c, s) = (d.c.ptr().cast::<T::Real>(), d.s.ptr().cast::<T>());
    for i in 0..d.batch {
        // SAFETY: the descriptor's promise: one value an entry.
        unsafe { (*a.add(i), *b.add(i), *c.add(i), *s.add(i)) = f(*a.add(i), *b.add(i)) };
    }
}

/// Smallest power of two whose reciprocal does not overflow, and that reciprocal.
fn safe_range<R: Float>() -> (R, R) {
    (R::min_positive_value(), R::min_positive_value().recip())
}

/// r takes the sign of the operand larger in size; z tells c and s.
fn real<T: RealField>(a: T, b: T) -> Rotation<T> {
    let (zero, one) = (T::zero(), T::one());
    if b.is_zero() {
        return (a, zero, one, zero);
    }
    if a.is_zero() {
        return (b, one, zero, one);
    }
    let (safe_min, safe_max) = safe_range::<T>();
    let scale = Float::abs(a).max(Float::abs(b)).max(safe_min).min(safe_max);
    let sign = if Float::abs(a) > Float::abs(b) { Float::signum(a) } else { Float::signum(b) };
    let (x, y) = (a / scale, b / scale);
    let size = sign * Float::sqrt(x * x + y * y);
    // Of the scaled numbers: r itself may have lost bits to underflow.
    let (c, s) = (x / size, y / size);
    let z = if Float::abs(a) > Float::abs(b) {
        s
    } else if c.is_zero() {
        one
    } else {
        one / c
    };
    (scale * size, z, c, s)
}

/// c is real and not negative, s = conj(b) a / (|a| r'), r has the direction of a. b is left. In f64, on numbers
/// brought near 1: only r itself can leave the range.
fn complex<T: Acc>(a: T, b: T) -> Rotation<T> {
    if b.is_zero() {
        return (a, b, num_traits::One::one(), T::zero());
    }
    let wide = |z: T| {
        let [re, im] = z.parts();
        Complex::new(re, im)
    };
    let (r, c, s) = wide_complex(wide(a), wide(b));
    (T::from_parts([r.re, r.im]), b, T::Real::from_parts([c, 0.0]), T::from_parts([s.re, s.im]))
}

fn wide_complex(a: Complex<f64>, b: Complex<f64>) -> (Complex<f64>, f64, Complex<f64>) {
    let (largest, unit_b) = (size(a).max(size(b)), unit(b));
    if !largest.is_finite() {
        let r = a.norm().hypot(b.norm());
        return (unit(a) * r, a.norm() / r, unit(a) * unit_b.conj() * (b.norm() / r));
    }
    let e = exponent(largest);
    if a.is_zero() {
        return (Complex::new(times_power(shrink(b, e).norm(), e), 0.0), 0.0, unit_b.conj());
    }
    let (a_norm, b_norm) = (shrink(a, e).norm(), shrink(b, e).norm());
    let r = a_norm.hypot(b_norm);
    let unit_a = unit(a);
    let grow = |part: f64| times_power(part * r, e);
    (Complex::new(grow(unit_a.re), grow(unit_a.im)), a_norm / r, unit_a * unit_b.conj() * (b_norm / r))
}

/// The larger part.
fn size(z: Complex<f64>) -> f64 {
    z.re.abs().max(z.im.abs())
}

/// z / 2^e
fn shrink(z: Complex<f64>, e: i32) -> Complex<f64> {
    Complex::new(times_power(z.re, -e), times_power(z.im, -e))
}

/// z / |z|
fn unit(z: Complex<f64>) -> Complex<f64> {
    let size = size(z);
    if size == 0.0 || !size.is_finite() {
        return z / z.norm();
    }
    let z = shrink(z, exponent(size));
    z / z.norm()
}
