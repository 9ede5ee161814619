//! rotg.

use blas_api::*;
use num_traits::{Float, Zero};

use crate::num::Acc;
use crate::operands::unsupported;
use crate::CpuHandle;

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

/// c is real and not negative, s = conj(b) a / (|a| r'), r has the direction of a. b is left.
fn complex<T: Acc>(a: T, b: T) -> Rotation<T> {
    let real_zero = T::Real::zero();
    if b.is_zero() {
        return (a, b, num_traits::One::one(), T::zero());
    }
    if a.is_zero() {
        let (size, unit) = polar(b);
        return (T::new(size, real_zero), b, real_zero, unit.conj());
    }
    let ((a_size, a_unit), (b_size, b_unit)) = (polar(a), polar(b));
    let size = a_size.hypot(b_size);
    if size.is_infinite() && a_size.is_finite() && b_size.is_finite() {
        return overflowing(a_size, a_unit, b, b_size, b_unit);
    }
    // Of sizes near 1, so that subnormal ones do not lose bits.
    let (c, s) = direction(a_size, b_size);
    (a_unit.scale(size), b, c, (a_unit * b_unit.conj()).scale(s))
}
