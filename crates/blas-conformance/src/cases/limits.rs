//! The ends of the range of each type.

use crate::prelude::*;

/// Ends of the range of a real type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Largest finite value.
    pub(super) max: f64,
    /// Smallest positive normal value.
    pub(super) min: f64,
    /// Smallest positive value.
    pub(super) tiny: f64,
}

impl Limits {
    /// Of a real type.
    pub(super) fn of<T: Num>() -> Self {
        let (max, min, tiny) = match T::DTYPE {
            DType::F16 => (f16::MAX.z(), f16::MIN_POSITIVE.z(), f16::MIN_POSITIVE_SUBNORMAL.z()),
            DType::BF16 => (bf16::MAX.z(), bf16::MIN_POSITIVE.z(), bf16::MIN_POSITIVE_SUBNORMAL.z()),
            DType::F32 => (f32::MAX.z(), f32::MIN_POSITIVE.z(), f32::from_bits(1).z()),
            _ => (f64::MAX.z(), f64::MIN_POSITIVE.z(), f64::from_bits(1).z()),
        };
        Limits { max: max.re, min: min.re, tiny: tiny.re }
    }
}

/// `v * 2^e`, rounded at most once where the result is subnormal.
pub(super) fn ldexp(v: f64, e: i32) -> f64 {
    // No single power of two reaches from the smallest number to the largest.
    let first = e.clamp(-1000, 1000);
    let rest = (e - first).clamp(-1000, 1000);
    v * 2f64.powi(first) * 2f64.powi(rest)
}

/// The e of 2^e <= v < 2^(e + 1), for a positive finite v.
pub(super) fn exponent(v: f64) -> i32 {
    let scaled = if v < f64::MIN_POSITIVE { v * 2f64.powi(100) } else { v };
    let e = (scaled.to_bits() >> 52) as i32 - 1023;
    if v < f64::MIN_POSITIVE { e - 100 } else { e }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_and_powers() {
        for v in [1.0, 1.5, 3.0, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), f64::from_bits(77)] {
            let e = exponent(v);
            let m = ldexp(v, -e);
            assert!((1.0..2.0).contains(&m), "{v:e} {e} {m}");
            assert_eq!(ldexp(m, e), v);
        }
    }
}
