//! Double-double arithmetic: the oracle's numbers, twice as wide as f64.

/// The unevaluated sum of two doubles, about 106 bits. Infinities and NaN are carried in `hi` alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dd {
    /// The value rounded to f64.
    pub hi: f64,
    /// What the rounding left.
    pub lo: f64,
}

/// Sum and its rounding error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

/// Product and its rounding error.
fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

impl Dd {
    /// Renormalises; an infinite or NaN sum has no error term.
    fn new(hi: f64, lo: f64) -> Self {
        let (s, e) = two_sum(hi, lo);
        if s.is_finite() { Dd { hi: s, lo: e } } else { Dd { hi, lo: 0.0 } }
    }

    /// `self + a * b`; the product is exact.
    #[must_use]
    pub fn add_prod(self, a: f64, b: f64) -> Self {
        let (p, e) = two_prod(a, b);
        if !p.is_finite() {
            return self + Dd::from(p);
        }
        self + Dd { hi: p, lo: e }
    }

    /// Square root, to double-double accuracy.
    #[must_use]
    pub fn sqrt(self) -> Self {
        let r = self.hi.sqrt();
        if r == 0.0 || !r.is_finite() {
            return Dd::from(r);
        }
        // One step of Newton's iteration from the double result.
        let rest = self - Dd::from(0.0).add_prod(r, r);
        Dd::new(r, rest.hi / (2.0 * r))
    }

    /// Absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }
}

impl From<f64> for Dd {
    fn from(v: f64) -> Self {
        Dd { hi: v, lo: 0.0 }
    }
}

impl std::ops::Neg for Dd {
    type Output = Dd;
    fn neg(self) -> Dd {
        Dd { hi: -self.hi, lo: -self.lo }
    }
}

impl std::ops::Add for Dd {
    type Output = Dd;
    fn add(self, b: Dd) -> Dd {
        let (s, e) = two_sum(self.hi, b.hi);
        if !s.is_finite() {
            return Dd::from(s);
        }
        let (t, f) = two_sum(self.lo, b.lo);
        let r = Dd::new(s, e + t);
        Dd::new(r.hi, r.lo + f)
    }
}

impl std::ops::Sub for Dd {
    type Output = Dd;
    fn sub(self, b: Dd) -> Dd {
        self + -b
    }
}

impl std::ops::Mul<f64> for Dd {
    type Output = Dd;
    fn mul(self, b: f64) -> Dd {
        let (p, e) = two_prod(self.hi, b);
        if !p.is_finite() {
            return Dd::from(p);
        }
        Dd::new(p, e + self.lo * b)
    }
}

impl std::ops::Mul for Dd {
    type Output = Dd;
    fn mul(self, b: Dd) -> Dd {
        let (p, e) = two_prod(self.hi, b.hi);
        if !p.is_finite() {
            return Dd::from(p);
        }
        Dd::new(p, e + (self.hi * b.lo + self.lo * b.hi))
    }
}

impl std::ops::Div for Dd {
    type Output = Dd;
    fn div(self, b: Dd) -> Dd {
        let q1 = self.hi / b.hi;
        if !q1.is_finite() {
            return Dd::from(q1);
        }
        let rest = self - b * q1;
        Dd::new(q1, rest.hi / b.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::Dd;

    #[test]
    fn keeps_what_f64_loses() {
        let one = Dd::from(1.0);
        let tiny = 2f64.powi(-80);
        assert_eq!((one + Dd::from(tiny) - one).hi, tiny);
        // (1 + 2^-52)^2 needs 105 bits.
        let x = 1.0 + f64::EPSILON;
        let square = Dd::default().add_prod(x, x);
        assert_eq!((square - one).hi, 2.0 * f64::EPSILON);
        assert_eq!((square - one - Dd::from(2.0 * f64::EPSILON)).hi, f64::EPSILON * f64::EPSILON);
    }

    #[test]
    fn roots_and_quotients() {
        let two = Dd::from(2.0);
        let r = two.sqrt();
        assert!((r * r - two).abs().hi < 2f64.powi(-102));
        let third = Dd::from(1.0) / Dd::from(3.0);
        assert!((third * 3.0 - Dd::from(1.0)).abs().hi < 2f64.powi(-102));
    }

    #[test]
    fn infinities_and_nan() {
        let inf = Dd::from(f64::INFINITY);
        assert_eq!((inf + Dd::from(1.0)).hi, f64::INFINITY);
        assert!((inf - inf).hi.is_nan());
        assert!(Dd::default().add_prod(0.0, f64::NAN).hi.is_nan());
        assert_eq!(Dd::default().add_prod(2.0, f64::INFINITY).hi, f64::INFINITY);
    }
}
