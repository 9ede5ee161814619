//! symm and hemm.

use crate::prelude::*;

pub(super) fn symm<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("symm", ALPHA_BETA, |c| {
        run::<T, B>(c, Form::sym, |h, side, alpha, (a, b, c), beta| {
            h.symm(side, alpha.get()?, a.sym()?, b.mat()?, beta.get()?, c.mat_mut()?)
        })
    }));
    // The Hermitian name takes real types as well.
    each_type!(t, T in R => t.scenario("hemm", ALPHA_BETA, hemm_of::<T, B>));
}

pub(super) fn hemm<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("hemm", ALPHA_BETA, hemm_of::<T, B>));
}

fn hemm_of<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, B>(c, Form::herm, |h, side, alpha, (a, b, c), beta| {
        h.hemm(side, alpha.get()?, a.herm()?, b.mat()?, beta.get()?, c.mat_mut()?)
    })
}

type Operands<T, B> = (Operand<T, B>, Operand<T, B>, Operand<T, B>);

fn run<T: Field + Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: fn(Dim, Uplo) -> Form,
    call: fn(&Handle<B>, Side, &Coefficient<T, B>, &mut Operands<T, B>, &Coefficient<T, B>) -> Result,
) -> Verdict {
    let (side, m, mut n, uplo) = (c.side(), c.dim("m"), c.dim("n"), c.uplo());
    // Only a square B has the shape of its transpose.
    if c.pick("square", &[false, true, false, false]) {
        n.n = m.n;
    }
    let (alpha, beta) = (c.coef::<T>("alpha")?, c.coef::<T>("beta")?);
    let order = if side == Side::Left { m } else { n };
    let a = c.input::<T>("a", form(order, uplo)).unread_if(alpha.is_zero());
    let b = c.input::<T>("b", Form::mat(m, n)).unread_if(alpha.is_zero());
    let out = c.output::<T>("c", Form::mat(m, n)).unread_if(beta.is_zero());

    let mut operands = (a, b, out);
    c.run(&mut operands, |h, operands| call(h, side, &alpha, operands, &beta))?;

    let (a, b, out) = &operands;
    let (a, b) = (a.dense(), b.dense());
    c.compare(out, |e, i, j| {
        let product = |acc: &mut Acc| match side {
            Side::Left => a[e].dot(acc, i, &b[e], j),
            Side::Right => b[e].dot(acc, i, &a[e], j),
        };
        linear(T::COMPLEX, alpha.z(), product, beta.z(), || out.before(e, i, j))
    })
}
