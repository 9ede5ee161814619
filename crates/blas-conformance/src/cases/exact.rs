//! What the oracles of the solvers share: complex numbers of double-double parts, exact products, residuals.

use std::ops::{Add, Mul, Neg, Sub};

use crate::prelude::*;

/// A complex number of double-double parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cd {
    pub(super) re: Dd,
    pub(super) im: Dd,
}

impl Cd {
    pub(super) fn conj(self) -> Self {
        Cd { re: self.re, im: -self.im }
    }

    /// The squared modulus.
    pub(super) fn norm_sqr(self) -> Dd {
        self.re * self.re + self.im * self.im
    }
}

impl From<Z> for Cd {
    fn from(z: Z) -> Self {
        Cd { re: Dd::from(z.re), im: Dd::from(z.im) }
    }
}

impl Add for Cd {
    type Output = Cd;
    fn add(self, b: Cd) -> Cd {
        Cd { re: self.re + b.re, im: self.im + b.im }
    }
}

impl Sub for Cd {
    type Output = Cd;
    fn sub(self, b: Cd) -> Cd {
        Cd { re: self.re - b.re, im: self.im - b.im }
    }
}

impl Neg for Cd {
    type Output = Cd;
    fn neg(self) -> Cd {
        Cd { re: -self.re, im: -self.im }
    }
}

impl Mul for Cd {
    type Output = Cd;
    fn mul(self, b: Cd) -> Cd {
        Cd { re: self.re * b.re - self.im * b.im, im: self.re * b.im + self.im * b.re }
    }
}

impl Mul<Dd> for Cd {
    type Output = Cd;
    fn mul(self, b: Dd) -> Cd {
        Cd { re: self.re * b, im: self.im * b }
    }
}

/// The product of a lower and an upper triangular or trapezoidal matrix: its elements, and how large their terms are.
pub(super) struct Product {
    cols: usize,
    data: Vec<Acc>,
}

impl Product {
    pub(super) fn new(complex: bool, l: &Dense, u: &Dense) -> Self {
        let mut data = Vec::with_capacity(l.rows * u.cols);
        for i in 0..l.rows {
            for j in 0..u.cols {
                let mut acc = Acc::new(complex);
                for p in 0..l.cols.min(i + 1).min(j + 1) {
                    acc.fma(l.at(i, p), u.at(p, j));
                }
                data.push(acc);
            }
        }
        Product { cols: u.cols, data }
    }

    pub(super) fn at(&self, i: usize, j: usize) -> Acc {
        self.data[i * self.cols + j]
    }

    /// Moves row i to row `order[i]`.
    #[must_use]
    pub(super) fn rows_to(&self, order: &[usize]) -> Self {
        let mut moved = Product { cols: self.cols, data: self.data.clone() };
        for (i, &to) in order.iter().enumerate() {
            for j in 0..self.cols {
                moved.data[to * self.cols + j] = self.at(i, j);
            }
        }
        moved
    }
}

/// The residual `exact - value` must vanish: exactly for integers, else within twice Higham's bound for its terms.
pub(super) fn vanishes<T: Num, B: Backend>(
    c: &Case<'_, B>,
    what: &str,
    at: (usize, usize, usize),
    mut residual: Acc,
    value: Z,
) -> Verdict {
    residual.re = residual.re - Dd::from(value.re);
    residual.im = residual.im - Dd::from(value.im);
    let size = residual.re.abs().hi.max(residual.im.abs().hi);
    let limit = limit::<T, B>(c, residual.mag, residual.terms);
    c.ensure(size <= limit, (what, at, size), limit)
}

/// Twice Higham's bound for sums of `terms` products of total size `mag`; 0 for integers.
pub(super) fn limit<T: Num, B: Backend>(c: &Case<'_, B>, mag: f64, terms: usize) -> f64 {
    let mut size = Acc::new(T::COMPLEX);
    (size.mag, size.terms) = (mag, terms);
    2.0 * c.bound::<T>().of(&size)
}

/// A size for a factorisation, whose oracle takes its cube.
pub(super) fn order<B: Backend>(c: &mut Case<'_, B>, name: &'static str) -> Dim {
    let dim = c.dim(name);
    let most = match (c.rng().below(16), c.is_full()) {
        (0, true) => 193,
        (0 | 1, _) => 130,
        _ => 67,
    };
    Dim { n: dim.n.min(most), ..dim }
}

/// One `info` a batch entry.
pub(super) fn info<B: Backend>(c: &mut Case<'_, B>) -> Operand<i32, B> {
    let (n, site) = (c.batch(), c.site());
    c.scalars::<i32>("info", n, site).unread_if(true)
}

/// The factors in one matrix: unit lower L, and U.
pub(super) fn split(f: &Dense) -> (Dense, Dense) {
    let k = f.rows.min(f.cols);
    let l = Dense::new(f.rows, k, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => ZERO,
        std::cmp::Ordering::Equal => ONE,
        std::cmp::Ordering::Greater => f.at(i, j),
    });
    let u = Dense::new(k, f.cols, |i, j| if i <= j { f.at(i, j) } else { ZERO });
    (l, u)
}

/// Which row of A is each row of L * U, by the exchanges in order.
pub(super) fn permutation(rows: usize, pivots: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    for (i, p) in pivots.enumerate() {
        order.swap(i, p - 1);
    }
    order
}

/// Factors L and U of a well-conditioned matrix, in one. With integers, L and U and their inverses have entries -1, 0
/// and 1 only.
pub(super) fn fill_factors<T: Num, B: Backend>(c: &mut Case<'_, B>, a: &mut Operand<T, B>, n: usize) {
    let integers = c.integers();
    let rng = c.rng();
    let scale = 1.0 / n.max(1) as f64;
    // Integers: one element in each row of L and one in each row of U.
    let below: Vec<usize> = (0..n).map(|i| rng.below(i.max(1))).collect();
    let above: Vec<usize> = (0..n).map(|i| i + rng.below(n - i)).collect();
    a.fill(|_, i, j| {
        let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
        if integers {
            let chosen = i == j || (i > j && below[i] == j) || (i < j && above[i] == j);
            return Z::new(if chosen { sign } else { 0.0 }, 0.0);
        }
        let mut part = || rng.unit();
        let (re, im) = (part(), if T::COMPLEX { part() } else { 0.0 });
        if i == j { Z::new(sign * (1.5 + re / 2.0), im) } else { Z::new(re * scale, im * scale) }
    });
}

/// Valid pivots of order n.
pub(super) fn fill_pivots<B: Backend>(c: &mut Case<'_, B>, pivots: &mut Operand<i32, B>, n: usize) {
    let rng = c.rng();
    pivots.fill(|_, i, _| Z::new((i + 1 + rng.below(n - i)) as f64, 0.0));
}

/// P⁻¹ * L * U: the matrix that factors and pivots stand for.
pub(super) fn assembled<T: Num, B: Backend>(
    factors: &Dense,
    pivots: Option<&Operand<i32, B>>,
    entry: usize,
) -> Product {
    let (l, u) = split(factors);
    let product = Product::new(T::COMPLEX, &l, &u);
    match pivots {
        None => product,
        Some(p) => {
            let pivots = (0..factors.rows).map(|i| p.before(entry, i, 0).re as usize);
            product.rows_to(&permutation(factors.rows, pivots))
        }
    }
}
