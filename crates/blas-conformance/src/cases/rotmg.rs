//! rotmg: H by its properties.
//!
//! H takes (x1, y1) to (x1', 0), and keeps the form d1 x^2 + d2 y^2: H^T diag(d1', d2') H = diag(d1, d2). Both hold
//! whatever the scaling, which has to bring d1' and d2' between 1 / 4096^2 and 4096^2.

use super::limits::Limits;
use crate::prelude::*;

const RULES: &[Rule] = &[
    Rule::Accuracy,
    Rule::Empty,
    Rule::BadArguments,
    Rule::Determinism,
    Rule::Own("rescale"),
    Rule::Own("negative"),
    Rule::Own("zeros"),
    Rule::Own("terminates"),
];

pub(super) fn rotmg<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in R => t.scenario("rotmg", RULES, run::<T, B>));
}

fn run<T: RealField + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (n, site) = (c.batch(), c.site());
    let [mut d1, mut d2, mut x1, mut y1] = ["d1", "d2", "x1", "y1"].map(|name| c.scalars::<T>(name, n, site));
    y1.role = Role::In;
    let param = c.scalars::<T>("param", 5 * n, site).unread_if(true);
    for e in 0..n {
        let problem = problem::<T, B>(c);
        for (o, v) in [&mut d1, &mut d2, &mut x1, &mut y1].into_iter().zip(problem) {
            o.set(0, e, 0, Z::new(v, 0.0));
        }
        c.note("problem", problem);
    }

    let mut operands = (d1, d2, x1, y1, param);
    c.run(&mut operands, |h, (d1, d2, x1, y1, param)| {
        h.rotmg(d1.out()?, d2.out()?, x1.out()?, y1.out()?, param.out()?)
    })?;
    if c.rule() == Rule::Own("terminates") {
        return Ok(());
    }

    let (d1, d2, x1, y1, param) = &operands;
    for e in 0..n {
        let old = Problem::new([d1, d2, x1, y1].map(|o| o.before(0, e, 0).re));
        let new = [d1, d2, x1].map(|o| o.after(0, e, 0).re);
        let p = std::array::from_fn(|k| param.after(0, 5 * e + k, 0).re);
        check::<T, B>(c, &old, new, p)?;
    }
    Ok(())
}

/// d1, d2, x1, y1 under the case's rule.
fn problem<T: Num, B: Backend>(c: &mut Case<'_, B>) -> [f64; 4] {
    let l = Limits::of::<T>();
    let rule = c.rule();
    let rng = c.rng();
    let mut size = || 0.75 + rng.unit() / 4.0;
    let [d1, d2, x1, y1] = std::array::from_fn(|_| size());
    let mut sign = || if rng.below(2) == 0 { 1.0 } else { -1.0 };
    let (x1, y1) = (x1 * sign(), y1 * sign());
    let round = |v: f64| T::from_z(Z::new(v, 0.0)).z().re;
    let values = match rule {
        Rule::Own("rescale") => {
            let mut power = |most: usize| 2f64.powi(rng.below(2 * most + 1) as i32 - most as i32);
            [d1 * power(36), d2 * power(36), x1 * power(4), y1 * power(4)]
        }
        // |d1 x1^2| and |d2 y1^2| well apart, or the sum would have no accuracy.
        Rule::Own("negative") => match rng.below(4) {
            0 => [-d1, d2, x1, y1],
            1 => [-d1, -d2, x1, y1],
            2 => [d1, -d2, x1, y1 / 16.0],
            _ => [d1, -d2, x1 / 16.0, y1],
        },
        Rule::Own("zeros") => match rng.below(5) {
            0 => [0.0, d2, x1, y1],
            1 => [d1, 0.0, x1, y1],
            2 => [d1, d2, 0.0, y1],
            3 => [d1, d2, x1, 0.0],
            _ => [0.0; 4],
        },
        Rule::Own("terminates") => {
            let ends = [f64::INFINITY, f64::NAN, l.max, l.tiny, l.min, 1.0, f64::NEG_INFINITY, 0.0];
            std::array::from_fn(|_| ends[rng.below(ends.len())])
        }
        _ => [d1, d2, x1, y1],
    };
    values.map(round)
}

/// A problem, and what kind of answer it has.
struct Problem {
    d: [f64; 2],
    v: [f64; 2],
    /// d1 x1^2 and d2 y1^2.
    q: [f64; 2],
}

impl Problem {
    fn new([d1, d2, x1, y1]: [f64; 4]) -> Self {
        Problem { d: [d1, d2], v: [x1, y1], q: [d1 * x1 * x1, d2 * y1 * y1] }
    }

    /// No rotation does it: everything becomes 0.
    fn is_hopeless(&self) -> bool {
        self.d[0] < 0.0 || (self.q[0].abs() <= self.q[1].abs() && self.q[1] < 0.0)
    }

    /// There is nothing to do.
    fn is_idle(&self) -> bool {
        self.d[0] >= 0.0 && self.d[1] * self.v[1] == 0.0
    }

    /// By how much the rounding of 1 + q grows where the two have opposite signs.
    fn condition(&self) -> f64 {
        let [a, b] = self.q;
        (a.abs() + b.abs()) / (a + b).abs()
    }
}

fn check<T: Num, B: Backend>(c: &Case<'_, B>, old: &Problem, new: [f64; 3], p: [f64; 5]) -> Verdict {
    let got = (new, p);
    if old.is_idle() {
        let same = new == [old.d[0], old.d[1], old.v[0]];
        return c.ensure(same && p[0] == -2.0, got, "flag -2 and nothing changed");
    }
    if old.is_hopeless() {
        let zero = new == [0.0; 3] && p == [-1.0, 0.0, 0.0, 0.0, 0.0];
        return c.ensure(zero, got, "flag -1 and everything 0");
    }
    let [h11, h21, h12, h22] = match p[0] {
        -1.0 => [p[1], p[2], p[3], p[4]],
        0.0 => [1.0, p[2], p[3], 1.0],
        1.0 => [p[1], -1.0, 1.0, p[4]],
        _ => return c.ensure(false, got, "flag -1, 0 or 1"),
    };
    let [d1, d2, x1] = new;
    let [x, y] = old.v;
    // A sum of products that must vanish. Every one of its factors has a few roundings behind it.
    let limit = 24.0 * T::UNIT * old.condition();
    let vanishes = |what: &str, terms: &[[f64; 3]]| {
        let product = |t: &[f64; 3]| Dd::from(t[0]) * t[1] * t[2];
        let sum = terms.iter().map(product).fold(Dd::default(), |s, t| s + t).hi.abs();
        let mag: f64 = terms.iter().map(|t| product(t).hi.abs()).sum();
        c.ensure(sum <= limit * mag, (got, sum), (what, limit * mag))
    };
    vanishes("second component is 0", &[[h21, x, 1.0], [h22, y, 1.0]])?;
    vanishes("first component is x1", &[[h11, x, 1.0], [h12, y, 1.0], [-1.0, x1, 1.0]])?;
    vanishes("H^T D' H is D at (1, 1)", &[[d1, h11, h11], [d2, h21, h21], [-1.0, old.d[0], 1.0]])?;
    vanishes("H^T D' H is D at (1, 2)", &[[d1, h11, h12], [d2, h21, h22]])?;
    vanishes("H^T D' H is D at (2, 2)", &[[d1, h12, h12], [d2, h22, h22], [-1.0, old.d[1], 1.0]])?;
    // The reference has 4096^2 as 1.67772e7 in single precision.
    let (low, high) = (5.960_46e-8, 16_777_216.0);
    let scaled = |d: f64| d == 0.0 || (low..=high).contains(&d.abs());
    c.ensure(scaled(d1) && scaled(d2), got, "d1 and d2 between 1 / 4096^2 and 4096^2")
}
