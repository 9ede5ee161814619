//! nrm2: accuracy anywhere in the range of the type.

use super::dot::results;
use super::limits::{Limits, exponent, ldexp};
use crate::prelude::*;

/// Norms of integers are not integers: there is nothing to be had exactly.
const RULES: &[Rule] = &[Rule::Accuracy, Rule::Empty, Rule::Nan, Rule::BadArguments, Rule::Determinism];

pub(super) fn nrm2<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => {
        t.scenario("nrm2", RULES, |c| run::<T, B>(c, |_, _| ()));
        t.scenario("nrm2", &[Rule::Own("extremes")], |c| run::<T, B>(c, extremes));
        t.scenario("nrm2", &[Rule::Own("nan_over_infinity")], |c| run::<T, B>(c, infinities));
    });
}

fn run<T: Scalar<Real: Num> + Num, B: Backend>(
    c: &mut Case<'_, B>,
    data: impl Fn(&mut Case<'_, B>, &mut Operand<T, B>),
) -> Verdict {
    let n = c.dim("n");
    let mut x = c.input::<T>("x", Form::vector(n));
    data(c, &mut x);
    let (out, plain) = results::<T::Real, B>(c);

    let mut operands = (x, out);
    c.run(&mut operands, |h, (x, out)| {
        match out.out()? {
            Out::Host([v]) if plain => *v = h.nrm2(x.vec()?)?,
            out => h.nrm2_into(x.vec()?, out)?,
        }
        Ok(())
    })?;

    let (x, out) = &operands;
    let bound = c.bound::<T::Real>();
    let tiny = Limits::of::<T::Real>().tiny;
    let bound = Bound { exact: false, storage: (bound.storage.0, tiny), ..bound };
    c.compare_within(&bound, out, |_, e, _| {
        let z = (0..n.n).map(|i| x.before(e, i, 0));
        norm(z.flat_map(|z| [z.re, z.im].into_iter().take(if T::COMPLEX { 2 } else { 1 })))
    })
}

/// The Euclidean norm of numbers anywhere in the range.
fn norm(parts: impl Iterator<Item = f64>) -> Acc {
    let parts: Vec<f64> = parts.collect();
    let mut acc = Acc::new(false);
    acc.terms = parts.len();
    let max = parts.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    acc.re = if parts.iter().any(|v| v.is_nan()) {
        Dd::from(f64::NAN)
    } else if max.is_infinite() || max == 0.0 {
        Dd::from(max)
    } else {
        let e = exponent(max);
        let scaled = parts.iter().map(|&v| ldexp(v, -e));
        let r = scaled.fold(Dd::default(), |sum, v| sum.add_prod(v, v)).sqrt();
        let (hi, lo) = (ldexp(r.hi, e), ldexp(r.lo, e));
        if hi.is_finite() { Dd { hi, lo } } else { Dd::from(hi) }
    };
    acc.mag = acc.re.hi;
    acc
}

/// Values from the ends of the range.
fn extremes<T: Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>, x: &mut Operand<T, B>) {
    let l = Limits::of::<T::Real>();
    let n = x.dense().first().map_or(1, |d| d.rows.max(1));
    // The norm of n of these stays representable, whatever their signs and parts.
    let huge = l.max / (2.0 * (2.0 * n as f64).sqrt());
    let kind = c.pick("data", &["huge", "tiny", "subnormal", "mixed", "one", "overflow", "3-4-5"]);
    let rng = c.rng();
    let mut part = |i: usize| {
        let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
        let size = match kind {
            "huge" => huge,
            "tiny" => l.min * 4.0,
            "subnormal" => l.tiny * 5.0,
            "mixed" => [huge, 1.0, l.min, l.tiny * 9.0][rng.below(4)],
            "one" if i == 0 => l.max / 2.0,
            "one" => 0.0,
            "overflow" => l.max,
            _ => {
                return if i == 0 {
                    300.0
                } else if i + 1 == n {
                    400.0
                } else {
                    0.0
                };
            }
        };
        sign * size * (0.75 + rng.unit() / 4.0)
    };
    x.fill(|_, i, _| Z::new(part(i), if T::COMPLEX && kind != "3-4-5" { part(i) } else { 0.0 }));
}

/// Infinities, in half of the cases with a NaN before or after them.
fn infinities<T: Num, B: Backend>(c: &mut Case<'_, B>, x: &mut Operand<T, B>) {
    c.plant(x, Z::new(f64::NEG_INFINITY, 0.0));
    c.plant(x, Z::new(2.0, f64::INFINITY));
    if c.pick("nan", &[true, false]) {
        c.plant(x, Z::new(1.0, f64::NAN));
        c.plant(x, Z::new(f64::NAN, 1.0));
    }
}
