//! Elements as the suite sees them.

use blas_api::{Complex, Element, Scalar, bf16, f16};

/// The value of any element, exactly; real types have imaginary part 0.
pub type Z = Complex<f64>;

/// An element type: conversion to and from exact values, and a poison that no computation gives.
pub trait Num: Element {
    /// Unit roundoff of storage in this type; 0 for integers.
    const UNIT: f64;
    /// Half of the smallest positive value: the most that rounding loses near 0.
    const TINY: f64;
    /// Whether the type has an imaginary part.
    const COMPLEX: bool = false;
    /// The value.
    fn z(self) -> Z;
    /// The nearest element; integers wrap.
    fn from_z(z: Z) -> Self;
    /// NaN with a payload that depends on `i`; a recognisable value for integers.
    fn poison(i: usize) -> Self;
    /// The bit pattern.
    fn bits(self) -> [u64; 2];
    /// The part that [`Z`] calls imaginary replaced by that of another element.
    #[must_use]
    fn with_imaginary_of(self, _other: Self) -> Self {
        self
    }
}

macro_rules! float { ($($t:ty, $bits:ty, $unit:expr, $tiny:expr, $poison:expr;)*) => {$(
    impl Num for $t {
        const UNIT: f64 = $unit;
        const TINY: f64 = $tiny;
        fn z(self) -> Z { Z::new(self.parts()[0], 0.0) }
        fn from_z(z: Z) -> Self { <$t as Scalar>::from_parts([z.re, 0.0]) }
        fn poison(i: usize) -> Self { <$t>::from_bits($poison + (i % 61) as $bits) }
        fn bits(self) -> [u64; 2] { [u64::from(self.to_bits()), 0] }
    }
)*}}
float! {
    f16, u16, exp2(-11), exp2(-25), 0x7e40;
    bf16, u16, exp2(-8), exp2(-134), 0x7fc0;
    f32, u32, exp2(-24), exp2(-150), 0x7fc5_a500;
    f64, u64, exp2(-53), 0.0, 0x7ff8_5aa5_0000_0000;
}

macro_rules! complex { ($($t:ty),*) => {$(
    impl Num for Complex<$t> {
        const UNIT: f64 = <$t as Num>::UNIT;
        const TINY: f64 = <$t as Num>::TINY;
        const COMPLEX: bool = true;
        fn z(self) -> Z { Z::new(self.re.z().re, self.im.z().re) }
        fn from_z(z: Z) -> Self { Complex::new(z.re as $t, z.im as $t) }
        fn poison(i: usize) -> Self { Complex::new(<$t as Num>::poison(i), <$t as Num>::poison(i + 1)) }
        fn bits(self) -> [u64; 2] { [self.re.bits()[0], self.im.bits()[0]] }
        fn with_imaginary_of(self, other: Self) -> Self { Complex::new(self.re, other.im) }
    }
)*}}
complex!(f32, f64);

macro_rules! integer { ($($t:ty, $poison:expr;)*) => {$(
    impl Num for $t {
        const UNIT: f64 = 0.0;
        const TINY: f64 = 0.0;
        fn z(self) -> Z { Z::new(self as f64, 0.0) }
        fn from_z(z: Z) -> Self { z.re as i128 as $t }
        fn poison(i: usize) -> Self { $poison - (i % 7) as $t }
        fn bits(self) -> [u64; 2] { [self as u64, 0] }
    }
)*}}
integer! {
    i8, 0x5a;
    i32, 0x5a5a_5a5a;
    i64, 0x5a5a_5a5a_5a5a;
}

/// 2 to a power, in constants.
const fn exp2(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_types() {
        assert_eq!(f64::UNIT, f64::EPSILON / 2.0);
        assert_eq!(f32::UNIT, f64::from(f32::EPSILON) / 2.0);
        assert_eq!(f16::UNIT, f16::EPSILON.z().re / 2.0);
        assert_eq!(bf16::UNIT, bf16::EPSILON.z().re / 2.0);
        assert_eq!(f16::TINY, f16::MIN_POSITIVE_SUBNORMAL.z().re / 2.0);
        assert_eq!(bf16::TINY, bf16::MIN_POSITIVE_SUBNORMAL.z().re / 2.0);
        assert_eq!(f32::TINY, f64::from(f32::from_bits(1)) / 2.0);
    }

    #[test]
    fn poison_is_nan() {
        for i in 0..100 {
            assert!(f16::poison(i).is_nan() && bf16::poison(i).is_nan());
            assert!(f32::poison(i).is_nan() && f64::poison(i).is_nan());
        }
        assert_ne!(f32::poison(0).bits(), f32::poison(1).bits());
    }
}
