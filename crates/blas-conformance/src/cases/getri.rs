//! getri: from factors and pivots that the suite makes up.

use super::exact::{Product, assembled, fill_factors, fill_pivots, info, order, vanishes};
use crate::prelude::*;

const RULES: &[Rule] =
    &[Rule::Accuracy, Rule::Exact, Rule::Empty, Rule::BadArguments, Rule::Determinism, Rule::Own("singular")];

pub(super) fn getri<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => {
        t.scenario("getri", RULES, pivoted::<T, B>);
        t.scenario("getri_npvt", RULES, unpivoted::<T, B>);
    });
}

fn pivoted<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = order(c, "n");
    let a = factors::<T, B>(c, n);
    let mut pivots = c.bare::<i32>("pivots", Role::In, Form::contiguous(n));
    fill_pivots(c, &mut pivots, n.n);
    let inverse = inverse::<T, B>(c, n);
    let info = info(c);

    let mut operands = (a, pivots, inverse, info);
    c.run(&mut operands, |h, (a, pivots, inverse, info)| {
        h.getri(a.mat()?, pivots.vec()?, inverse.mat_mut()?, info.out()?)
    })?;

    let (a, pivots, inverse, info) = &operands;
    inverted(c, a, Some(pivots), inverse, info)
}

fn unpivoted<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = order(c, "n");
    let a = factors::<T, B>(c, n);
    let inverse = inverse::<T, B>(c, n);
    let info = info(c);

    let mut operands = (a, inverse, info);
    c.run(&mut operands, |h, (a, inverse, info)| h.getri_npvt(a.mat()?, inverse.mat_mut()?, info.out()?))?;

    let (a, inverse, info) = &operands;
    inverted(c, a, None, inverse, info)
}

/// Factors; under the rule about singular matrices with zeros on the diagonal of U in most entries.
fn factors<T: Num, B: Backend>(c: &mut Case<'_, B>, n: Dim) -> Operand<T, B> {
    let mut a = c.bare::<T>("a", Role::In, Form::mat(n, n));
    fill_factors(c, &mut a, n.n);
    if c.rule() == Rule::Own("singular") {
        for e in 0..c.batch() {
            for _ in 0..c.rng().below(3) + usize::from(e == 0) {
                let at = c.rng().below(n.n);
                a.set(e, at, at, ZERO);
            }
        }
    }
    a
}

/// The inverse: not read, and left as it is where there is none.
fn inverse<T: Num, B: Backend>(c: &mut Case<'_, B>, n: Dim) -> Operand<T, B> {
    let unread = c.rule() != Rule::Own("singular");
    c.output::<T>("c", Form::mat(n, n)).unread_if(unread)
}

fn inverted<T: Num, B: Backend>(
    c: &Case<'_, B>,
    a: &Operand<T, B>,
    pivots: Option<&Operand<i32, B>>,
    inverse: &Operand<T, B>,
    info: &Operand<i32, B>,
) -> Verdict {
    let (factors, x) = (a.dense(), inverse.dense_after());
    for (e, factors) in factors.iter().enumerate() {
        let n = factors.rows;
        let first = (0..n).find(|&i| factors.at(i, i) == ZERO);
        let (got, want) = (info.after(0, e, 0).re, first.map_or(0.0, |i| i as f64 + 1.0));
        c.ensure(got == want, (e, "info", got), want)?;
        if first.is_some() {
            let elements = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            let changed = elements.filter(|&(i, j)| inverse.raw_after(e, i, j).1).count();
            c.ensure(changed == 0, (e, changed, "elements of C changed"), 0)?;
            continue;
        }
        // A * X is I, or X * A is: an algorithm promises one of the two (Higham, section 14.3).
        let a = assembled::<T, B>(factors, pivots, e);
        is_identity::<T, B>(c, (e, n), &a, &x[e], true)
            .or_else(|_| is_identity::<T, B>(c, (e, n), &a, &x[e], false))?;
    }
    Ok(())
}

/// Whether A * X (or X * A) is the identity, within the bound of |L| * |U| * |X|.
fn is_identity<T: Num, B: Backend>(
    c: &Case<'_, B>,
    (e, n): (usize, usize),
    a: &Product,
    x: &Dense,
    right: bool,
) -> Verdict {
    for i in 0..n {
        for j in 0..n {
            let mut acc = Acc::new(T::COMPLEX);
            for k in 0..n {
                let (mut term, factor) =
                    if right { (a.at(i, k), x.at(k, j)) } else { (a.at(k, j), x.at(i, k)) };
                term.scale(factor);
                acc.add_acc(&term);
            }
            acc.terms = 3 * n;
            let what = if right { "A * C - I" } else { "C * A - I" };
            vanishes::<T, B>(c, what, (e, i, j), acc, if i == j { ONE } else { ZERO })?;
        }
    }
    Ok(())
}
