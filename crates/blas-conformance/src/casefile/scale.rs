//! Taking a row from its own type to another one.
//!
//! Numbers that sit near an end of the row's own range say something about that end: 1e308 in f64 means "squares
//! overflow, the number itself does not". In another range the same number means something else, or does not exist. So
//! such numbers are multiplied by a power of two that takes them to the same distance from the same end of the new
//! range. Numbers between the ends but far from 1 (1e-200) go to the same fraction of the new range. All other numbers
//! stay. Numbers that lie close together get one common factor, so that ratios and sums keep their meaning, and
//! expected values are scaled alike.

use blas_api::{DType, Scalar, with_dtype};

/// Exponents of a binary floating-point type.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Range {
    /// Of the largest number.
    max: i32,
    /// Of the smallest normal number.
    min: i32,
    /// Of the smallest subnormal number.
    sub: i32,
}

impl Range {
    fn of(dtype: DType) -> Range {
        match dtype.real() {
            DType::F16 => Range { max: 15, min: -14, sub: -24 },
            DType::BF16 => Range { max: 127, min: -126, sub: -133 },
            DType::F32 => Range { max: 127, min: -126, sub: -149 },
            _ => Range { max: 1023, min: -1022, sub: -1074 },
        }
    }

    /// Numbers with at least this exponent, by size, are special to the type: their squares come near the ends.
    fn special(self) -> i32 {
        self.max * 3 / 8
    }
}

/// Powers of two by which the numbers of a row are multiplied, by exponent range.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Scaling {
    clusters: Vec<Cluster>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Cluster {
    low: i32,
    high: i32,
    shift: i32,
}

impl Scaling {
    /// The scaling of a row with these numbers, or why the row has no meaning in the type `to`.
    pub(super) fn new(numbers: &[f64], from: DType, to: DType) -> Result<Scaling, String> {
        let (own, new) = (Range::of(from), Range::of(to));
        let clusters = if own.max == new.max { Vec::new() } else { clusters(numbers, own, new) };
        let scaling = Scaling { clusters };
        for &v in numbers {
            let scaled = scaling.apply(v);
            let kept = round(scaled, to);
            if v.is_finite() && (!kept.is_finite() || (kept == 0.0) != (v == 0.0)) {
                return Err(format!("{v:e} is an ordinary number that {to} cannot hold"));
            }
        }
        Ok(scaling)
    }

    /// The number in the new range, not rounded to the new type.
    pub(super) fn apply(&self, v: f64) -> f64 {
        let Some(e) = exponent(v) else { return v };
        match self.clusters.iter().find(|c| (c.low..=c.high).contains(&e)) {
            // In two steps: the factor itself may be outside of the range of f64.
            Some(c) => v * 2f64.powi(c.shift / 2) * 2f64.powi(c.shift - c.shift / 2),
            None => v,
        }
    }
}

/// What the type `to` makes of a number.
pub(super) fn round(v: f64, to: DType) -> f64 {
    with_dtype!(to, T in S => T::from_parts([v, 0.0]).parts()[0], else v)
}

/// Relative error of [`round`], 0 for numbers that have none.
pub(super) fn rounding(v: f64, to: DType) -> f64 {
    let rounded = round(v, to);
    if v.is_finite() && v != 0.0 && rounded.is_finite() { ((rounded - v) / v).abs() } else { 0.0 }
}

/// Binary exponent of a finite number but 0.
fn exponent(v: f64) -> Option<i32> {
    if v == 0.0 || !v.is_finite() {
        return None;
    }
    let bits = v.abs().to_bits();
    let biased = (bits >> 52) as i32;
    Some(if biased > 0 { biased - 1023 } else { -1011 - bits.leading_zeros() as i32 })
}

/// Runs of special exponents with no wide gap in them, each with its shift.
fn clusters(numbers: &[f64], own: Range, new: Range) -> Vec<Cluster> {
    let mut special: Vec<i32> =
        numbers.iter().filter_map(|&v| exponent(v)).filter(|e| e.abs() >= own.special()).collect();
    special.sort_unstable();
    let mut clusters: Vec<Cluster> = Vec::new();
    for e in special {
        match clusters.last_mut() {
            Some(c) if e - c.high <= own.max / 16 => c.high = e,
            _ => clusters.push(Cluster { low: e, high: e, shift: 0 }),
        }
    }
    for c in &mut clusters {
        c.shift = if c.high > 0 { shift_high(c.high, own, new) } else { shift_low(c.low, own, new) };
    }
    clusters
}

/// How near to an end, in exponents, counts as near in both ranges.
fn near(own: Range, new: Range) -> i32 {
    (own.max / 3).min(new.max / 3).min(40)
}

fn shift_high(e: i32, own: Range, new: Range) -> i32 {
    if own.max - e <= near(own, new) { new.max - own.max } else { middle(e, own, new) }
}

fn shift_low(e: i32, own: Range, new: Range) -> i32 {
    let deep = own.min - (own.min - own.sub).min(new.min - new.sub) * 2 / 3;
    if e <= deep {
        new.sub - own.sub
    } else if e - own.min <= near(own, new) {
        new.min - own.min
    } else {
        middle(e, own, new)
    }
}

/// To the same fraction of the range. The exponent is coarsened first, so that 1e200 and 1e-200 get opposite shifts.
fn middle(e: i32, own: Range, new: Range) -> i32 {
    let step = (own.max / 32).max(1);
    let coarse = (f64::from(e) / f64::from(step)).abs().round() as i32 * step * e.signum();
    coarse * new.max / own.max - coarse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(numbers: &[f64], from: DType, to: DType) -> Vec<f64> {
        let s = Scaling::new(numbers, from, to).unwrap();
        numbers.iter().map(|&v| round(s.apply(v), to)).collect()
    }

    #[test]
    fn exponents_are_binary_logarithms() {
        for (v, e) in [(1.0, 0), (-1.5, 0), (0.75, -1), (f64::MAX, 1023), (f64::MIN_POSITIVE, -1022)] {
            assert_eq!(exponent(v), Some(e), "{v}");
        }
        assert_eq!(exponent(5e-324), Some(-1074));
        assert_eq!(exponent(f64::MIN_POSITIVE / 2.0), Some(-1023));
        assert_eq!(exponent(0.0), None);
        assert_eq!(exponent(f64::INFINITY), None);
        assert_eq!(exponent(f64::NAN), None);
    }

    #[test]
    fn ends_of_the_range_go_to_ends_of_the_range() {
        assert_eq!(scaled(&[f64::MAX / 4.0], DType::F64, DType::F32)[0], 2f64.powi(126));
        assert_eq!(scaled(&[5e-324], DType::F64, DType::F32)[0], 2f64.powi(-149));
        assert_eq!(scaled(&[5e-324], DType::F64, DType::F16)[0], 2f64.powi(-24));
        assert_eq!(scaled(&[f64::MIN_POSITIVE], DType::F64, DType::BF16)[0], 2f64.powi(-126));
        assert_eq!(scaled(&[f64::from(f32::MIN_POSITIVE)], DType::F32, DType::F64)[0], f64::MIN_POSITIVE);
        assert_eq!(scaled(&[2f64.powi(127)], DType::C32, DType::C64)[0], 2f64.powi(1023));
    }

    #[test]
    fn close_numbers_keep_their_ratio() {
        let v = scaled(&[3e307, 4e307, 5e307, 1.5], DType::F64, DType::F32);
        assert!((v[0] / v[1] - 0.75).abs() < 1e-6 && (v[2] / v[1] - 1.25).abs() < 1e-6);
        assert!(v[0] > 1e36 && v[3] == 1.5);
        // Subnormal numbers have few bits, but keep their ratio within them.
        let v = scaled(&[1e-310, 2e-310, -3e-310], DType::F64, DType::F32);
        assert!(v[0] > 0.0 && v[0] < f64::from(f32::MIN_POSITIVE));
        assert!((v[1] / v[0] - 2.0).abs() < 1e-3 && (v[2] / v[0] + 3.0).abs() < 1e-3);
    }

    #[test]
    fn the_middle_keeps_underflow_of_squares() {
        let v = scaled(&[3e-200, 1e-300, 4e-200, 5e-200], DType::F64, DType::F32);
        assert!((v[0] as f32).powi(2) == 0.0 && v[0] > v[1]);
        assert!((v[0].hypot(v[2]) / v[3] - 1.0).abs() < 1e-6);
        let v = scaled(&[2e20, 1e-20], DType::F32, DType::F64);
        assert!(v[0].powi(2).is_infinite());
        let v = scaled(&[1e200, 1e-200], DType::F64, DType::F32);
        assert!((v[0] * v[1] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn ordinary_numbers_stay_or_have_no_place() {
        assert_eq!(scaled(&[42.0, -0.5, 1e8], DType::F64, DType::F32), [42.0, -0.5, 1e8]);
        assert_eq!(scaled(&[1e308], DType::F64, DType::C64), [1e308]);
        assert!(Scaling::new(&[1e60], DType::F64, DType::F32).is_err());
        assert!(Scaling::new(&[100000.0], DType::F64, DType::F16).is_err());
        assert!(Scaling::new(&[f64::INFINITY, f64::NAN, 0.0], DType::F64, DType::F16).is_ok());
    }
}
