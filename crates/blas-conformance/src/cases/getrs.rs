//! getrs: from factors and pivots that the suite makes up, so that getrf has no part in it.

use super::exact::{assembled, fill_factors, fill_pivots, order, vanishes};
use crate::prelude::*;

const RULES: &[Rule] = &[Rule::Accuracy, Rule::Exact, Rule::Empty, Rule::BadArguments, Rule::Determinism];

pub(super) fn getrs<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => {
        t.scenario("getrs", RULES, pivoted::<T, B>);
        t.scenario("getrs_npvt", RULES, unpivoted::<T, B>);
    });
}

const TRANS: &[Trans] = &[Trans::N, Trans::T, Trans::C, Trans::ConjN];

fn pivoted<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (n, nrhs) = (order(c, "n"), order(c, "nrhs"));
    let trans = c.pick("trans", TRANS);
    let mut a = c.bare::<T>("a", Role::In, Form::mat(n, n));
    fill_factors(c, &mut a, n.n);
    let mut pivots = c.bare::<i32>("pivots", Role::In, Form::contiguous(n));
    fill_pivots(c, &mut pivots, n.n);
    let b = c.output::<T>("b", Form::mat(n, nrhs));

    let mut operands = (a, pivots, b);
    c.run(&mut operands, |h, (a, pivots, b)| h.getrs(trans, a.mat()?, pivots.vec()?, b.mat_mut()?))?;

    let (a, pivots, b) = &operands;
    solved(c, trans, a, Some(pivots), b)
}

fn unpivoted<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (n, nrhs) = (order(c, "n"), order(c, "nrhs"));
    let trans = c.pick("trans", TRANS);
    let mut a = c.bare::<T>("a", Role::In, Form::mat(n, n));
    fill_factors(c, &mut a, n.n);
    let b = c.output::<T>("b", Form::mat(n, nrhs));

    let mut operands = (a, b);
    c.run(&mut operands, |h, (a, b)| h.getrs_npvt(trans, a.mat()?, b.mat_mut()?))?;

    let (a, b) = &operands;
    solved(c, trans, a, None, b)
}

/// op(A) * X is B, within the bound of |L| * |U| * |X|: three sums of n terms.
fn solved<T: Num, B: Backend>(
    c: &Case<'_, B>,
    trans: Trans,
    a: &Operand<T, B>,
    pivots: Option<&Operand<i32, B>>,
    b: &Operand<T, B>,
) -> Verdict {
    let (factors, x) = (a.dense(), b.dense_after());
    for (e, factors) in factors.iter().enumerate() {
        let a = assembled::<T, B>(factors, pivots, e);
        let n = factors.rows;
        for i in 0..n {
            for j in 0..x[e].cols {
                let mut acc = Acc::new(T::COMPLEX);
                for k in 0..n {
                    let mut term = if trans.is_transposed() { a.at(k, i) } else { a.at(i, k) };
                    if trans.is_conjugated() {
                        term.im = -term.im;
                    }
                    term.scale(x[e].at(k, j));
                    acc.add_acc(&term);
                }
                acc.terms = 3 * n;
                vanishes::<T, B>(c, "op(A) * X - B", (e, i, j), acc, b.before(e, i, j))?;
            }
        }
    }
    Ok(())
}
