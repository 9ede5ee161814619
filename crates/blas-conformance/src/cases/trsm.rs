//! trsm: by residuals, and exactly for integers.

use crate::prelude::*;

pub(super) fn trsm<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("trsm", ALPHA, run::<T, B>));
}

fn run<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (side, m, n, uplo, diag) = (c.side(), c.dim("m"), c.dim("n"), c.uplo(), c.diag());
    let alpha = c.coef::<T>("alpha")?;
    let order = if side == Side::Left { m } else { n };
    let mut a = c.solvable::<T>("a", Role::In, Form::tri(order, uplo, diag));
    if c.rule() == Rule::Nan && c.rng().below(2) == 0 {
        c.plant(&mut a, Z::new(f64::NAN, 1.0));
    }
    let a = a.unread_if(alpha.is_zero());
    let b = c.output::<T>("b", Form::mat(m, n)).unread_if(alpha.is_zero());

    let mut operands = (a, b);
    c.run(&mut operands, |h, (a, b)| h.trsm(side, alpha.get()?, a.tri()?, b.mat_mut()?))?;

    let (a, b) = &operands;
    if alpha.is_zero() {
        return c.compare(b, |_, _, _| Acc::new(T::COMPLEX));
    }
    let (a, old, x) = (a.dense(), b.dense(), b.dense_after());
    if c.integers() {
        let exact: Vec<Dense> = (0..b.entries()).map(|e| solution(side, alpha.z(), &a[e], &old[e])).collect();
        return c.compare(b, |e, i, j| {
            let mut acc = Acc::new(T::COMPLEX);
            acc.add(exact[e].at(i, j));
            acc
        });
    }
    c.residual(b, |e, i, j| {
        let mut acc = Acc::new(T::COMPLEX);
        match side {
            Side::Left => a[e].dot(&mut acc, i, &x[e], j),
            Side::Right => x[e].dot(&mut acc, i, &a[e], j),
        }
        acc.fma(-alpha.z(), old[e].at(i, j));
        acc
    })
}

/// X of A * X = alpha * B or X * A = alpha * B, which for small integers is exact.
fn solution(side: Side, alpha: Z, a: &Dense, b: &Dense) -> Dense {
    let (a, b) = if side == Side::Left { (a.clone(), b.clone()) } else { (a.t(), b.t()) };
    let columns: Vec<Vec<Z>> =
        (0..b.cols).map(|j| a.solve((0..b.rows).map(|i| alpha * b.at(i, j)).collect())).collect();
    let x = Dense::new(b.rows, b.cols, |i, j| columns[j][i]);
    if side == Side::Left { x } else { x.t() }
}
