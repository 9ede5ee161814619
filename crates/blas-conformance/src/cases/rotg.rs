//! rotg: r, c, s and z against their definition, from one end of the range to the other.
//!
//! Operands are scaled by a power of two before anything is computed of them, so that the oracle itself neither
//! overflows nor underflows.

use super::limits::{Limits, exponent, ldexp};
use crate::prelude::*;

const RULES: &[Rule] = &[
    Rule::Accuracy,
    Rule::Empty,
    Rule::Nan,
    Rule::BadArguments,
    Rule::Determinism,
    Rule::Own("extremes"),
    Rule::Own("zeros"),
];

pub(super) fn rotg<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in R => t.scenario("rotg", RULES, run::<T, B>));
    each_type!(t, T in C => t.scenario("rotg", RULES, run::<T, B>));
    each_type!(t, T in X => t.scenario("rotg_mixed", &[Rule::Own("mixed_place")], mixed::<T, B>));
}

fn run<T: Field + Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (n, site) = (c.batch(), c.site());
    let (mut a, mut b) = (c.scalars::<T>("a", n, site), c.scalars::<T>("b", n, site));
    let cos = c.scalars::<T::Real>("c", n, site).unread_if(true);
    let sin = c.scalars::<T>("s", n, site).unread_if(true);
    let sizes = sizes::<T::Real, B>(c);
    for o in [&mut a, &mut b] {
        let rng = c.rng();
        o.fill(|_, _, _| {
            let size = sizes[rng.below(sizes.len())];
            let mut part = || size * (0.75 + rng.unit() / 4.0) * if rng.below(2) == 0 { 1.0 } else { -1.0 };
            let z = Z::new(part(), if T::COMPLEX { part() } else { 0.0 });
            // Some on an axis of the complex plane.
            [z, z, Z::new(z.re, 0.0), if T::COMPLEX { Z::new(0.0, z.im) } else { z }][rng.below(4)]
        });
        if c.rule() == Rule::Nan {
            c.plant(o, Z::new(f64::NAN, 1.0));
        }
    }

    let mut operands = (a, b, cos, sin);
    c.run(&mut operands, |h, (a, b, cos, sin)| h.rotg(a.out()?, b.out()?, cos.out()?, sin.out()?))?;

    let (a, b, cos, sin) = &operands;
    let want: Vec<Want> = (0..n).map(|e| Want::of::<T>(a.before(0, e, 0), b.before(0, e, 0))).collect();
    let tiny = Limits::of::<T::Real>().tiny;
    let bound = c.bound::<T>();
    let bound = Bound { exact: false, storage: (bound.storage.0, tiny), ..bound };
    c.compare_within(&bound, a, |_, e, _| want[e].r)?;
    if c.rule() == Rule::Nan {
        return Ok(());
    }
    c.compare_within(&bound, cos, |_, e, _| want[e].c)?;
    c.compare_within(&bound, sin, |_, e, _| want[e].s)?;
    zeros(c, (a, b), cos, sin)?;
    if T::COMPLEX {
        return super::copy::exactly(c, b, |_, e| b.before(0, e, 0));
    }
    // z tells c and s as they are; it is 0 where b is.
    c.compare_within(&bound, b, |_, e, _| {
        let (a, b) = (a.before(0, e, 0).re.abs(), b.before(0, e, 0).re.abs());
        let (cos, sin) = (Dd::from(cos.after(0, e, 0).re), Dd::from(sin.after(0, e, 0).re));
        let one = Dd::from(1.0);
        real(if a > b || b == 0.0 {
            sin
        } else if cos.hi != 0.0 {
            one / cos
        } else {
            one
        })
    })
}

/// What zeros give is exact.
fn zeros<T: Field + Scalar<Real: Num> + Num, B: Backend>(
    c: &Case<'_, B>,
    (a, b): (&Operand<T, B>, &Operand<T, B>),
    cos: &Operand<T::Real, B>,
    sin: &Operand<T, B>,
) -> Verdict {
    a.each(|_, e, _| {
        let (before, other) = (a.before(0, e, 0), b.before(0, e, 0));
        let got = (cos.after(0, e, 0), sin.after(0, e, 0), a.after(0, e, 0));
        if other == ZERO {
            c.ensure(got == (ONE, ZERO, before), got, (ONE, ZERO, before))?;
        } else if before == ZERO && T::COMPLEX {
            c.ensure(got.0 == ZERO && got.2.im == 0.0, got, "c = 0 and a real r")?;
        } else if before == ZERO {
            c.ensure(got == (ZERO, ONE, other), got, (ZERO, ONE, other))?;
        }
        Ok(())
    })
}

/// The sizes of operands under the case's rule.
fn sizes<R: Num, B: Backend>(c: &mut Case<'_, B>) -> Vec<f64> {
    let l = Limits::of::<R>();
    match c.rule() {
        // Subnormal numbers only against normal ones: a subnormal r has no accuracy.
        Rule::Own("extremes") => {
            let (root_max, root_min) = (l.max.sqrt(), l.min.sqrt());
            let kind = c.pick("sizes", &[0, 1, 2, 3, 4, 5]);
            let all = [
                vec![l.max / 4.0, l.max / 1024.0],
                vec![l.min * 4.0, l.min * 1024.0],
                vec![l.max / 4.0, l.min * 4.0, 1.0],
                vec![root_max, root_max * 64.0, root_max / 64.0],
                vec![root_min, root_min * 64.0, root_min / 64.0],
                vec![1.0, R::UNIT, R::UNIT * R::UNIT, 1.0 / R::UNIT],
            ];
            all[kind].clone()
        }
        Rule::Own(_) => vec![0.0, 1.0, 0.0, l.max / 4.0, l.min * 4.0],
        _ => vec![1.0],
    }
}

/// What the routine gives by definition.
struct Want {
    r: Acc,
    c: Acc,
    s: Acc,
}

impl Want {
    fn of<T: Num>(a: Z, b: Z) -> Self {
        let largest = [a.re, a.im, b.re, b.im].iter().fold(0.0f64, |m, v| m.max(v.abs()));
        if [a.re, a.im, b.re, b.im].iter().any(|v| v.is_nan()) {
            let nan = acc::<T>([Dd::from(f64::NAN), Dd::default()]);
            return Want { r: nan, c: nan, s: nan };
        }
        let e = if largest == 0.0 { 0 } else { exponent(largest) };
        let down = |v: f64| ldexp(v, -e);
        // Of the number itself: beside a large b, a small a vanishes below.
        let direction_a = direction(a);
        let (a, b) = (Z::new(down(a.re), down(a.im)), Z::new(down(b.re), down(b.im)));
        let (size_a, size_b) = (modulus(a), modulus(b));
        let norm = (size_a * size_a + size_b * size_b).sqrt();
        let zero = Dd::default();
        let one = Dd::from(1.0);
        let up = |v: Dd| Dd { hi: ldexp(v.hi, e), lo: ldexp(v.lo, e) };

        if b == ZERO {
            let r = acc::<T>([up(Dd::from(a.re)), up(Dd::from(a.im))]);
            return Want { r, c: real(one), s: acc::<T>([zero, zero]) };
        }
        if T::COMPLEX {
            // The direction of a; that of 1 where a is 0.
            let (re, im) = direction_a;
            let r = acc::<T>([up(re * norm), up(im * norm)]);
            // direction * conj(b) / norm
            let s_re = (re * b.re + im * b.im) / norm;
            let s_im = (im * b.re - re * b.im) / norm;
            return Want { r, c: real(size_a / norm), s: acc::<T>([s_re, s_im]) };
        }
        // r has the sign of the larger one, of b if they tie.
        let larger = if a.re.abs() > b.re.abs() { a.re } else { b.re };
        let r = if larger < 0.0 { -norm } else { norm };
        let (cos, sin) = (Dd::from(a.re) / r, Dd::from(b.re) / r);
        Want { r: real(up(r)), c: real(cos), s: real(sin) }
    }
}

/// z / |z|, and 1 for 0.
fn direction(z: Z) -> (Dd, Dd) {
    let largest = z.re.abs().max(z.im.abs());
    if largest == 0.0 {
        return (Dd::from(1.0), Dd::default());
    }
    let e = exponent(largest);
    let z = Z::new(ldexp(z.re, -e), ldexp(z.im, -e));
    let size = modulus(z);
    (Dd::from(z.re) / size, Dd::from(z.im) / size)
}

/// The modulus of a number whose square may underflow.
fn modulus(z: Z) -> Dd {
    let largest = z.re.abs().max(z.im.abs());
    if largest == 0.0 {
        return Dd::default();
    }
    let e = exponent(largest);
    let (re, im) = (ldexp(z.re, -e), ldexp(z.im, -e));
    let r = Dd::default().add_prod(re, re).add_prod(im, im).sqrt();
    Dd { hi: ldexp(r.hi, e), lo: ldexp(r.lo, e) }
}

/// A value with the error of a handful of operations, relative to its size.
fn acc<T: Num>(parts: [Dd; 2]) -> Acc {
    let mut acc = Acc::new(T::COMPLEX);
    [acc.re, acc.im] = parts;
    acc.mag = acc.re.hi.hypot(acc.im.hi);
    acc.terms = 4;
    acc
}

fn real(v: Dd) -> Acc {
    acc::<f64>([v, Dd::default()])
}

/// Scalars partly on the host and partly on the device are refused.
fn mixed<T: Field + Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.batch();
    let odd = c.pick("odd", &[0, 1, 2, 3]);
    let first = c.site();
    let other = if first == Site::Host { Site::Device } else { Site::Host };
    let site = |k: usize| if k == odd { other } else { first };
    let (a, b) = (c.scalars::<T>("a", n, site(0)), c.scalars::<T>("b", n, site(1)));
    let (cos, sin) = (c.scalars::<T::Real>("c", n, site(2)), c.scalars::<T>("s", n, site(3)));
    let mut operands = (a, b, cos, sin);
    let mut refused = false;
    c.run(&mut operands, |h, (a, b, cos, sin)| {
        match h.rotg(a.out()?, b.out()?, cos.out()?, sin.out()?) {
            Err(Error::MixedPlace { .. }) => refused = true,
            other => other?,
        }
        Ok(())
    })?;
    c.ensure(refused, "Ok", "MixedPlace")
}
