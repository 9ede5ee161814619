//! trsv, tbsv and tpsv.

use super::limits::ldexp;
use super::matvec::{row_product, width, zeros_meet_nan};
use crate::prelude::*;

/// Pivots of which the reciprocal overflows, or is not exact where the quotient is.
const PIVOT: Rule = Rule::Own("pivot");

pub(super) fn trsv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => register(t, "trsv", |c| {
        run::<T, B>(c, |_, n, uplo, diag| Form::tri(n, uplo, diag), |h, a, x| h.trsv(a.tri()?, x))
    }));
}

pub(super) fn tbsv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => register(t, "tbsv", |c| {
        run::<T, B>(
            c,
            |c, n, uplo, diag| Form::tri_band(n, width(c, "k", n.n), uplo, diag),
            |h, a, x| h.tbsv(a.tri_band()?, x),
        )
    }));
}

pub(super) fn tpsv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => register(t, "tpsv", |c| {
        run::<T, B>(c, |_, n, uplo, diag| Form::tri_packed(n, uplo, diag), |h, a, x| h.tpsv(a.tri_packed()?, x))
    }));
}

fn register<B: Backend>(t: &mut Table<B>, name: &'static str, body: fn(&mut Case<'_, B>) -> Verdict) {
    t.scenario(name, BASIC, body);
    t.scenario(name, &[PIVOT], body);
}

type Solve<T, B> = for<'a> fn(&Handle<B>, &'a Operand<T, B>, Batched<VecMut<'a, T, B>>) -> Result;

fn run<T: Field + Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: fn(&mut Case<'_, B>, Dim, Uplo, Diag) -> Form,
    solve: Solve<T, B>,
) -> Verdict {
    let (n, uplo) = (c.dim("n"), c.uplo());
    let diag = if c.rule() == PIVOT { Diag::NonUnit } else { c.diag() };
    let form = form(c, n, uplo, diag);
    if c.rule() == PIVOT {
        return extreme_pivots(c, form, solve);
    }
    let mut a = c.solvable::<T>("a", Role::In, form);
    let mut x = c.output::<T>("x", Form::vector(n));
    zeros_meet_nan(c, &mut a, &mut x);

    let mut operands = (a, x);
    c.run(&mut operands, |h, (a, x)| solve(h, a, x.vec_mut()?))?;

    let (a, x) = &operands;
    if c.integers() {
        let exact: Vec<_> = (0..x.entries()).map(|e| substitute(a, x, e)).collect();
        return c.compare(x, |e, i, _| exact[e][i]);
    }
    c.residual(x, |e, i, _| {
        let mut acc = Acc::new(T::COMPLEX);
        row_product(&mut acc, (a, |j| x.after(e, j, 0)), (e, i));
        acc.add(-x.before(e, i, 0));
        acc
    })
}

/// Solves an integer system with pivots 1 and -1, which are their own reciprocals.
fn substitute<T: Num, B: Backend>(a: &Operand<T, B>, b: &Operand<T, B>, e: usize) -> Vec<Acc> {
    let form = a.place.form;
    let n = form.rows.n;
    let mut x = vec![Acc::new(T::COMPLEX); n];
    for step in 0..n {
        let i = if form.uplo == Uplo::Lower { step } else { n - 1 - step };
        let mut acc = Acc::new(T::COMPLEX);
        acc.add(b.before(e, i, 0));
        for j in (0..n).filter(|&j| j != i && form.stores(i, j)) {
            acc.fma(-a.before(e, i, j), x[j].z());
        }
        acc.scale(a.before(e, i, i));
        x[i] = acc;
    }
    x
}

/// Rows scaled by powers of two from the least subnormal up, integers besides: dividing gives integers, exactly in real
/// types, which multiplying by a rounded reciprocal does not.
fn extreme_pivots<T: Field + Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: Form,
    solve: Solve<T, B>,
) -> Verdict {
    let n = form.rows.n;
    let single = T::DTYPE.real() == DType::F32;
    let scales: &[i32] = if single { &[-149, -140, -127, 0, 110] } else { &[-1074, -1060, -1023, 0, 1000] };
    let mut a = c.bare::<T>("a", Role::In, form);
    let mut x = c.output::<T>("x", Form::vector(form.rows));
    let rng = c.rng();
    let rows: Vec<(f64, usize)> =
        (0..n).map(|_| (ldexp(1.0, scales[rng.below(scales.len())]), rng.below(n))).collect();
    a.fill(|_, i, j| {
        let (scale, other) = rows[i];
        let pivot = [1.0, 3.0, -41.0, 49.0, -127.0][rng.below(5)] * scale;
        match (i == j, T::COMPLEX) {
            (true, true) if rng.below(2) == 0 => Z::new(0.0, pivot),
            (true, _) => Z::new(pivot, 0.0),
            // Complex division rounds: there, no row passes its error on.
            (false, false) if j == other => Z::new(scale, 0.0),
            (false, _) => ZERO,
        }
    });
    let mut part = || [1.0, -1.0, 2.0, -3.0, 3.0][rng.below(5)];
    let want: Vec<Vec<Z>> = (0..x.entries())
        .map(|_| (0..n).map(|_| Z::new(part(), if T::COMPLEX { part() } else { 0.0 })).collect())
        .collect();
    x.fill(|e, i, _| {
        let mut b = Acc::new(T::COMPLEX);
        row_product(&mut b, (&a, |j| want[e][j]), (e, i));
        b.z()
    });

    let mut operands = (a, x);
    c.run(&mut operands, |h, (a, x)| solve(h, a, x.vec_mut()?))?;

    let bound = Bound { exact: !T::COMPLEX, ..c.bound::<T>() };
    c.compare_within(&bound, &operands.1, |e, i, _| {
        let mut acc = Acc::new(T::COMPLEX);
        acc.add(want[e][i]);
        acc
    })
}
