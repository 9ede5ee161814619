//! geqrf: the reflectors are unitary, and applied to R they give A.

use super::exact::{Cd, limit, order};
use crate::prelude::*;

const RULES: &[Rule] =
    &[Rule::Accuracy, Rule::Empty, Rule::BadArguments, Rule::Determinism, Rule::Own("zero_column")];

pub(super) fn geqrf<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("geqrf", RULES, run::<T, B>));
}

fn run<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (m, n) = (order(c, "m"), order(c, "n"));
    let k = m.n.min(n.n);
    let mut a = c.output::<T>("a", Form::mat(m, n));
    if c.rule() == Rule::Own("zero_column") {
        let at = c.rng().below(n.n);
        for e in 0..c.batch() {
            for i in 0..m.n {
                a.set(e, i, at, ZERO);
            }
        }
    }
    let tau = c.output::<T>("tau", Form::contiguous(Dim::bound("min(m,n)", k))).unread_if(true);

    let mut operands = (a, tau);
    c.run(&mut operands, |h, (a, tau)| h.geqrf(a.mat_mut()?, tau.vec_mut()?))?;

    let (a, tau) = &operands;
    for (e, (a, f)) in a.dense().iter().zip(a.dense_after()).enumerate() {
        let q: Vec<Reflector> = (0..k).map(|j| Reflector::new(&f, j, tau.after(e, j, 0))).collect();
        for (j, h) in q.iter().enumerate() {
            let (off, size) = h.off_unitary();
            let most = limit::<T, B>(c, size, 2 * m.n + 4);
            c.ensure(off <= most, (e, "reflector", j, "off unitary by", off), most)?;
        }
        for j in 0..n.n {
            // Column j of Q * R, against that of A: the error is bounded by the norm of the column.
            let mut column = vec![Cd::default(); m.n];
            for (i, v) in column.iter_mut().enumerate().take(j + 1) {
                *v = Cd::from(f.at(i, j));
            }
            for h in q.iter().rev() {
                h.apply(&mut column);
            }
            let square = |i: usize| a.at(i, j).norm_sqr();
            let size = (0..m.n).map(square).sum::<f64>().sqrt();
            let error: f64 = (0..m.n).map(|i| (column[i] - Cd::from(a.at(i, j))).norm_sqr().hi).sum();
            let most = limit::<T, B>(c, size, 4 * (m.n + k));
            c.ensure(error.sqrt() <= most, (e, "column", j, "of Q * R - A", error.sqrt()), most)?;
        }
    }
    Ok(())
}

/// I - tau * v * vᴴ, where v is 0 above `from` and 1 there.
struct Reflector {
    from: usize,
    v: Vec<Cd>,
    tau: Cd,
}

impl Reflector {
    fn new(f: &Dense, j: usize, tau: Z) -> Self {
        let v = (j..f.rows).map(|i| Cd::from(if i == j { ONE } else { f.at(i, j) })).collect();
        Reflector { from: j, v, tau: Cd::from(tau) }
    }

    fn apply(&self, x: &mut [Cd]) {
        let x = &mut x[self.from..];
        let dot = self.v.iter().zip(&*x).fold(Cd::default(), |s, (v, x)| s + v.conj() * *x);
        let factor = self.tau * dot;
        for (x, v) in x.iter_mut().zip(&self.v) {
            *x = *x - *v * factor;
        }
    }

    /// The norm of Hᴴ * H - I, and of the terms that cancel in it.
    fn off_unitary(&self) -> (f64, f64) {
        let square = self.v.iter().fold(Dd::default(), |s, v| s + v.norm_sqr());
        let twice = self.tau.re * 2.0;
        let other = self.tau.norm_sqr() * square;
        let norm = |v: Dd| (v * square).hi.abs();
        (norm(other - twice), norm(other) + norm(twice))
    }
}
