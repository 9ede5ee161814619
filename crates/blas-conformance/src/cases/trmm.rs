//! trmm, in place and out of place.

use crate::prelude::*;

pub(super) fn trmm<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => {
        t.scenario("trmm", ALPHA, in_place::<T, B>);
        t.scenario("trmm_into", ALPHA, into::<T, B>);
    });
}

fn in_place<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (side, m, n, uplo, diag) = (c.side(), c.dim("m"), c.dim("n"), c.uplo(), c.diag());
    let alpha = c.coef::<T>("alpha")?;
    let order = if side == Side::Left { m } else { n };
    let a = c.input::<T>("a", Form::tri(order, uplo, diag)).unread_if(alpha.is_zero());
    let b = c.output::<T>("b", Form::mat(m, n)).unread_if(alpha.is_zero());

    let mut operands = (a, b);
    c.run(&mut operands, |h, (a, b)| h.trmm(side, alpha.get()?, a.tri()?, b.mat_mut()?))?;

    let (a, b) = &operands;
    let (a, old) = (a.dense(), b.dense());
    c.compare(b, |e, i, j| product(T::COMPLEX, side, alpha.z(), (&a[e], &old[e]), (i, j)))
}

fn into<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (side, m, n, uplo, diag) = (c.side(), c.dim("m"), c.dim("n"), c.uplo(), c.diag());
    let alpha = c.coef::<T>("alpha")?;
    let order = if side == Side::Left { m } else { n };
    let a = c.input::<T>("a", Form::tri(order, uplo, diag)).unread_if(alpha.is_zero());
    let b = c.input::<T>("b", Form::mat(m, n)).unread_if(alpha.is_zero());
    let out = c.output::<T>("c", Form::mat(m, n)).unread_if(true);

    let mut operands = (a, b, out);
    c.run(&mut operands, |h, (a, b, c)| h.trmm_into(side, alpha.get()?, a.tri()?, b.mat()?, c.mat_mut()?))?;

    let (a, b, out) = &operands;
    let (a, b) = (a.dense(), b.dense());
    c.compare(out, |e, i, j| product(T::COMPLEX, side, alpha.z(), (&a[e], &b[e]), (i, j)))
}

/// Element (i, j) of alpha * A * B or alpha * B * A.
fn product(complex: bool, side: Side, alpha: Z, (a, b): (&Dense, &Dense), (i, j): (usize, usize)) -> Acc {
    let product = |acc: &mut Acc| match side {
        Side::Left => a.dot(acc, i, b, j),
        Side::Right => b.dot(acc, i, a, j),
    };
    linear(complex, alpha, product, ZERO, || ZERO)
}
