//! gels: against the exact solution of well-conditioned problems.

use super::exact::{Cd, info, limit, order};
use crate::prelude::*;

const RULES: &[Rule] =
    &[Rule::Accuracy, Rule::Empty, Rule::BadArguments, Rule::Determinism, Rule::Own("rank_deficient")];

pub(super) fn gels<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => {
        t.scenario("gels", RULES, run::<T, B>);
        if T::COMPLEX {
            t.scenario("gels", &[Rule::Own("trans")], wrong_trans::<T, B>);
        }
    });
}

fn run<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (m, mut n, nrhs) = (order(c, "m"), order(c, "n"), order(c, "nrhs"));
    // Only for a square A do the transposed problem and the plain one have operands of the same shapes.
    if c.pick("square", &[false, true, false, false]) {
        n.n = m.n;
    }
    let trans =
        c.pick("trans", if T::COMPLEX { &[Trans::N, Trans::C] } else { &[Trans::N, Trans::T, Trans::C] });
    let mut a = c.bare::<T>("a", Role::Out, Form::mat(m, n));
    fill_well_conditioned(c, &mut a);
    let zero = if c.rule() == Rule::Own("rank_deficient") { make_deficient(c, &mut a) } else { Vec::new() };
    let b = c.output::<T>("b", Form::mat(Dim::bound("max(m,n)", m.n.max(n.n)), nrhs));
    let info = info(c);

    let mut operands = (a, b, info);
    c.run(&mut operands, |h, (a, b, info)| h.gels(trans, a.mat_mut()?, b.mat_mut()?, info.out()?))?;

    let (a, b, info) = &operands;
    let (a, x, b) = (a.dense(), b.dense_after(), b.dense());
    for e in 0..c.batch() {
        let want = zero.get(e).copied().flatten().map_or(0.0, |i: usize| i as f64 + 1.0);
        let got = info.after(0, e, 0).re;
        c.ensure(got == want, (e, "info", got), want)?;
        if want == 0.0 {
            let op = if trans.is_transposed() { a[e].h() } else { a[e].clone() };
            solves::<T, B>(c, e, &op, &b[e], &x[e])?;
        }
    }
    Ok(())
}

/// Singular values from 1 to 4: a diagonal of size 2 to 3, and the rest of norm 1 at most.
fn fill_well_conditioned<T: Num, B: Backend>(c: &mut Case<'_, B>, a: &mut Operand<T, B>) {
    let (m, n) = (a.place.form.rows.n, a.place.form.cols.n);
    let scale = 1.0 / ((if T::COMPLEX { 2 } else { 1 } * m * n).max(1) as f64).sqrt();
    let rng = c.rng();
    a.fill(|_, i, j| {
        let (re, im) = (rng.unit(), if T::COMPLEX { rng.unit() } else { 0.0 });
        let sign = if rng.below(2) == 0 { 2.0 } else { -2.0 };
        if i == j { Z::new(sign * (1.25 + re / 4.0), 0.0) } else { Z::new(re * scale, im * scale) }
    });
}

/// Makes a column of a tall matrix, or a row of a wide one, 0 in most entries: the triangular factor has exactly 0
/// there. Returns where.
fn make_deficient<T: Num, B: Backend>(c: &mut Case<'_, B>, a: &mut Operand<T, B>) -> Vec<Option<usize>> {
    let (m, n) = (a.place.form.rows.n, a.place.form.cols.n);
    let mut zero = Vec::new();
    for e in 0..c.batch() {
        let at = (e == 0 || c.rng().below(2) == 0).then(|| c.rng().below(m.min(n)));
        if let Some(at) = at {
            for i in 0..m.max(n) {
                let (i, j) = if m >= n { (i, at) } else { (at, i) };
                a.set(e, i, j, ZERO);
            }
        }
        zero.push(at);
    }
    zero
}

/// X is the solution of min |A * X - B|, or that of A * X = B of least norm.
fn solves<T: Num, B: Backend>(c: &Case<'_, B>, e: usize, a: &Dense, b: &Dense, x: &Dense) -> Verdict {
    let (p, q) = (a.rows, a.cols);
    let adjoint = a.h();
    // The shorter side: the Gram matrix is of full rank.
    let (tall, short) = if p >= q { (&adjoint, a) } else { (a, &adjoint) };
    let gram = Cholesky::new(tall, short);
    for j in 0..b.cols {
        let rhs: Vec<Cd> = (0..p).map(|i| Cd::from(b.at(i, j))).collect();
        let want = if p >= q { gram.solve(times(&adjoint, &rhs)) } else { times(&adjoint, &gram.solve(rhs)) };
        let norm = |v: &[Cd]| v.iter().map(|z| z.norm_sqr().hi).sum::<f64>().sqrt();
        let rhs = (0..p).map(|i| b.at(i, j).norm_sqr()).sum::<f64>().sqrt();
        // Perturbation theory of least squares with a condition of 4 at most and a norm of 1 at least.
        let size = 4.0 * (norm(&want) + 5.0 * rhs);
        let off: Vec<Cd> = (0..q).map(|i| want[i] - Cd::from(x.at(i, j))).collect();
        let most = limit::<T, B>(c, size, 4 * (p + q));
        c.ensure(norm(&off) <= most, (e, "column", j, "off by", norm(&off)), most)?;
    }
    Ok(())
}

fn times(a: &Dense, x: &[Cd]) -> Vec<Cd> {
    let row = |i: usize| (0..a.cols).fold(Cd::default(), |s, k| s + Cd::from(a.at(i, k)) * x[k]);
    (0..a.rows).map(row).collect()
}

/// L * Lᴴ of a Gram matrix, with the squares of the diagonal apart (L * D * Lᴴ).
struct Cholesky {
    n: usize,
    l: Vec<Cd>,
}

impl Cholesky {
    /// Of a * b, b being the adjoint of a.
    fn new(a: &Dense, b: &Dense) -> Self {
        let n = a.rows;
        let mut l = vec![Cd::default(); n * n];
        for i in 0..n {
            for j in 0..=i {
                let dot = |s, k| s + Cd::from(a.at(i, k)) * Cd::from(b.at(k, j));
                let mut sum = (0..a.cols).fold(Cd::default(), dot);
                for k in 0..j {
                    sum = sum - l[i * n + k] * l[j * n + k].conj() * l[k * n + k].re;
                }
                l[i * n + j] = if i == j { sum } else { sum * (Dd::from(1.0) / l[j * n + j].re) };
            }
        }
        Cholesky { n, l }
    }

    fn solve(&self, mut x: Vec<Cd>) -> Vec<Cd> {
        let n = self.n;
        for i in 0..n {
            for k in 0..i {
                x[i] = x[i] - self.l[i * n + k] * x[k];
            }
        }
        for i in (0..n).rev() {
            x[i] = x[i] * (Dd::from(1.0) / self.l[i * n + i].re);
            for k in i + 1..n {
                x[i] = x[i] - self.l[k * n + i].conj() * x[k];
            }
        }
        x
    }
}

/// The transpose of a complex matrix is not its adjoint: an error, and nothing is written.
fn wrong_trans<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (m, n, nrhs) = (order(c, "m"), order(c, "n"), c.dim("nrhs"));
    let trans = c.pick("trans", &[Trans::T, Trans::ConjN]);
    let a = c.output::<T>("a", Form::mat(m, n));
    let b = c.output::<T>("b", Form::mat(Dim::bound("max(m,n)", m.n.max(n.n)), nrhs));
    let info = info(c);

    let mut operands = (a, b, info);
    let mut refused = false;
    c.run(&mut operands, |h, (a, b, info)| {
        match h.gels(trans, a.mat_mut()?, b.mat_mut()?, info.out()?) {
            Err(Error::Argument { .. }) => refused = true,
            other => other?,
        }
        Ok(())
    })?;
    c.ensure(refused, "Ok", "Argument")?;
    let (a, b, _) = &operands;
    for o in [a, b] {
        o.each(|e, i, j| c.ensure(!o.raw_after(e, i, j).1, ("written", e, i, j), "nothing"))?;
    }
    Ok(())
}
