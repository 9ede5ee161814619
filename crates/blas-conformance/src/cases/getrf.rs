//! getrf, with pivots and without.

use super::exact::{Product, info, order, permutation, split, vanishes};
use crate::prelude::*;

const RULES: &[Rule] =
    &[Rule::Accuracy, Rule::Exact, Rule::Empty, Rule::BadArguments, Rule::Determinism, Rule::Own("singular")];

pub(super) fn getrf<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => {
        t.scenario("getrf", RULES, pivoted::<T, B>);
        t.scenario("getrf_npvt", RULES, unpivoted::<T, B>);
    });
}

fn pivoted<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (m, n) = (order(c, "m"), order(c, "n"));
    let k = m.n.min(n.n);
    let mut a = c.output::<T>("a", Form::mat(m, n));
    let mut want = Vec::new();
    if c.integers() {
        want = (0..c.batch()).map(|_| Integers::new::<T, B>(c, m.n, n.n, true)).collect();
        a.fill(|e, i, j| want[e].a(i, j));
    }
    let zero = zero_column(c, &mut a, k);
    let pivots = c.output::<i32>("pivots", Form::contiguous(Dim::bound("min(m,n)", k))).unread_if(true);
    let info = info(c);

    let mut operands = (a, pivots, info);
    c.run(&mut operands, |h, (a, pivots, info)| h.getrf(a.mat_mut()?, pivots.vec_mut()?, info.out()?))?;

    let (a, pivots, info) = &operands;
    let (before, after) = (a.dense(), a.dense_after());
    for e in 0..c.batch() {
        let p: Vec<usize> = (0..k).map(|i| pivots.after(e, i, 0).re as usize).collect();
        let valid = p.iter().enumerate().all(|(i, p)| (i + 1..=m.n).contains(p));
        c.ensure(valid, (e, &p), "pivots from i to m")?;
        factors::<T, B>(c, e, &before[e], &after[e], &permutation(m.n, p.iter().copied()))?;
        // The pivot is the largest of its column, by the sum or the modulus of its parts.
        let largest = if T::COMPLEX { std::f64::consts::SQRT_2 } else { 1.0 } + 16.0 * T::UNIT;
        let (l, _) = split(&after[e]);
        let growth = (0..l.rows).flat_map(|i| (0..l.cols).map(move |j| (i, j)));
        let growth = growth.map(|(i, j)| l.at(i, j).norm()).fold(0.0, f64::max);
        c.ensure(growth <= largest, (e, growth), "no element of L above 1")?;
        is_first_zero(c, e, &after[e], info, zero[e])?;
        if let Some(want) = want.get(e) {
            c.ensure(p == want.pivots, (e, p), &want.pivots)?;
        }
    }
    if !want.is_empty() {
        c.compare(a, |e, i, j| want[e].factor(T::COMPLEX, i, j))?;
    }
    Ok(())
}

fn unpivoted<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (m, n) = (order(c, "m"), order(c, "n"));
    let k = m.n.min(n.n);
    let mut a = c.output::<T>("a", Form::mat(m, n));
    let mut want = Vec::new();
    if c.integers() {
        want = (0..c.batch()).map(|_| Integers::new::<T, B>(c, m.n, n.n, false)).collect();
        a.fill(|e, i, j| want[e].a(i, j));
    } else {
        // Dominated by the diagonal, or the factors grow out of all proportion.
        let dominant = m.n.max(n.n) as f64;
        a.fill(|_, i, j| c.value::<T>() + if i == j { Z::new(dominant, 0.0) } else { ZERO });
    }
    let zero = zero_column(c, &mut a, k);
    let info = info(c);

    let mut operands = (a, info);
    c.run(&mut operands, |h, (a, info)| h.getrf_npvt(a.mat_mut()?, info.out()?))?;

    let (a, info) = &operands;
    let (before, after) = (a.dense(), a.dense_after());
    let rows: Vec<usize> = (0..m.n).collect();
    for e in 0..c.batch() {
        is_first_zero(c, e, &after[e], info, zero[e])?;
        // A column that is 0 from its pivot down leaves 0 / 0 below it, unless it is the last.
        if zero[e].is_none() {
            factors::<T, B>(c, e, &before[e], &after[e], &rows)?;
        }
    }
    if !want.is_empty() {
        c.compare(a, |e, i, j| want[e].factor(T::COMPLEX, i, j))?;
    }
    Ok(())
}

/// Under the rule about singular matrices: makes a column 0 in most entries of the batch. Elimination keeps it 0 to the
/// last bit. Returns where.
fn zero_column<T: Num, B: Backend>(
    c: &mut Case<'_, B>,
    a: &mut Operand<T, B>,
    k: usize,
) -> Vec<Option<usize>> {
    let singular = c.rule() == Rule::Own("singular");
    (0..a.entries())
        .map(|e| {
            let at = (singular && k > 0 && (e == 0 || c.rng().below(3) > 0)).then(|| c.rng().below(k))?;
            c.note("zero column", (e, at));
            for i in 0..a.place.form.rows.n {
                a.set(e, i, at, ZERO);
            }
            Some(at)
        })
        .collect()
}

/// Row `rows[i]` of A is row i of L * U.
fn factors<T: Num, B: Backend>(
    c: &Case<'_, B>,
    e: usize,
    a: &Dense,
    factors: &Dense,
    rows: &[usize],
) -> Verdict {
    let (l, u) = split(factors);
    let product = Product::new(T::COMPLEX, &l, &u);
    for (i, &row) in rows.iter().enumerate() {
        for j in 0..a.cols {
            vanishes::<T, B>(c, "L * U - P * A", (e, i, j), product.at(i, j), a.at(row, j))?;
        }
    }
    Ok(())
}

fn is_first_zero<B: Backend>(
    c: &Case<'_, B>,
    e: usize,
    factors: &Dense,
    info: &Operand<i32, B>,
    zero: Option<usize>,
) -> Verdict {
    let first = (0..factors.rows.min(factors.cols)).find(|&i| factors.at(i, i) == ZERO);
    let got = info.after(0, e, 0).re;
    let want = first.map_or(0.0, |i| i as f64 + 1.0);
    c.ensure(got == want, (e, "info", got), want)?;
    c.ensure(zero.is_none() || zero == first, (e, "first zero of U", first), zero)
}

/// A matrix whose factors are known: those of L are at most 1/2 in size, so that each pivot is the one largest element of
/// its column, and no operation rounds.
struct Integers {
    /// The factors in one matrix.
    factors: Dense,
    /// L * U, and the row of A that is each row of it.
    product: Dense,
    rows: Vec<usize>,
    pivots: Vec<usize>,
}

impl Integers {
    fn new<T: Num, B: Backend>(c: &mut Case<'_, B>, m: usize, n: usize, permuted: bool) -> Self {
        let rng = c.rng();
        let turn = |z: f64, k: usize| {
            if T::COMPLEX {
                [Z::new(z, 0.0), Z::new(0.0, z), Z::new(-z, 0.0), Z::new(0.0, -z)][k]
            } else if k < 2 {
                Z::new(z, 0.0)
            } else {
                Z::new(-z, 0.0)
            }
        };
        let factors = Dense::new(m, n, |i, j| {
            let size = match i.cmp(&j) {
                std::cmp::Ordering::Equal => [1.0, 2.0][rng.below(2)],
                std::cmp::Ordering::Less => rng.below(3) as f64,
                std::cmp::Ordering::Greater => [0.0, 0.5][rng.below(2)],
            };
            turn(size, rng.below(4))
        });
        let (l, u) = split(&factors);
        let product = Product::new(T::COMPLEX, &l, &u);
        let product = Dense::new(m, n, |i, j| product.at(i, j).z());
        let mut rows: Vec<usize> = (0..m).collect();
        if permuted {
            rng.shuffle(&mut rows);
        }
        // Where each row of L * U is when its turn comes.
        let mut at: Vec<usize> = vec![0; m];
        for (i, &row) in rows.iter().enumerate() {
            at[row] = i;
        }
        let mut pivots = Vec::new();
        for step in 0..m.min(n) {
            let from = at.iter().position(|&i| i == step).unwrap_or(step);
            pivots.push(from + 1);
            at.swap(step, from);
        }
        // Rows that are never a pivot stay where the exchanges have left them.
        let factors = Dense::new(m, n, |i, j| factors.at(at[i], j));
        Integers { factors, rows, product, pivots }
    }

    fn a(&self, i: usize, j: usize) -> Z {
        let row = self.rows.iter().position(|&row| row == i).unwrap_or(i);
        self.product.at(row, j)
    }

    fn factor(&self, complex: bool, i: usize, j: usize) -> Acc {
        let mut acc = Acc::new(complex);
        acc.add(self.factors.at(i, j));
        acc
    }
}
