//! symv, sbmv, spmv and their Hermitian twins.

use super::matvec::{row_product, width, zeros_meet_nan};
use crate::prelude::*;

pub(super) fn symv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("symv", ALPHA_BETA, |c| {
        run::<T, B>(c, |_, n, uplo| Form::sym(n, uplo), |h, alpha, a, x, beta, y| h.symv(alpha, a.sym()?, x, beta, y))
    }));
    // The Hermitian names take real types as well.
    each_type!(t, T in R => t.scenario("hemv", ALPHA_BETA, hemv_of::<T, B>));
}

pub(super) fn hemv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("hemv", ALPHA_BETA, hemv_of::<T, B>));
}

pub(super) fn sbmv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in R => t.scenario("sbmv", ALPHA_BETA, |c| {
        run::<T, B>(
            c,
            |c, n, uplo| Form::sym_band(n, width(c, "k", n.n), uplo),
            |h, alpha, a, x, beta, y| h.sbmv(alpha, a.sym_band()?, x, beta, y),
        )
    }));
    each_type!(t, T in R => t.scenario("hbmv", ALPHA_BETA, hbmv_of::<T, B>));
}

pub(super) fn hbmv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("hbmv", ALPHA_BETA, hbmv_of::<T, B>));
}

pub(super) fn spmv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in R => t.scenario("spmv", ALPHA_BETA, |c| {
        run::<T, B>(
            c,
            |_, n, uplo| Form::sym_packed(n, uplo),
            |h, alpha, a, x, beta, y| h.spmv(alpha, a.sym_packed()?, x, beta, y),
        )
    }));
    each_type!(t, T in R => t.scenario("hpmv", ALPHA_BETA, hpmv_of::<T, B>));
}

pub(super) fn hpmv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("hpmv", ALPHA_BETA, hpmv_of::<T, B>));
}

fn hemv_of<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, B>(
        c,
        |_, n, uplo| Form::herm(n, uplo),
        |h, alpha, a, x, beta, y| h.hemv(alpha, a.herm()?, x, beta, y),
    )
}

fn hbmv_of<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, B>(
        c,
        |c, n, uplo| Form::herm_band(n, width(c, "k", n.n), uplo),
        |h, alpha, a, x, beta, y| h.hbmv(alpha, a.herm_band()?, x, beta, y),
    )
}

fn hpmv_of<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, B>(
        c,
        |_, n, uplo| Form::herm_packed(n, uplo),
        |h, alpha, a, x, beta, y| h.hpmv(alpha, a.herm_packed()?, x, beta, y),
    )
}

type Product<T, B> = for<'a> fn(
    &Handle<B>,
    Coef<'a, T, B>,
    &'a Operand<T, B>,
    Batched<VecRef<'a, T, B>>,
    Coef<'a, T, B>,
    Batched<VecMut<'a, T, B>>,
) -> Result;

fn run<T: Field + Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: fn(&mut Case<'_, B>, Dim, Uplo) -> Form,
    product: Product<T, B>,
) -> Verdict {
    let (n, uplo) = (c.dim("n"), c.uplo());
    let form = form(c, n, uplo);
    let (alpha, beta) = (c.coef::<T>("alpha")?, c.coef::<T>("beta")?);
    let mut a = c.input::<T>("a", form);
    let mut x = c.input::<T>("x", Form::vector(n));
    zeros_meet_nan(c, &mut a, &mut x);
    let (a, x) = (a.unread_if(alpha.is_zero()), x.unread_if(alpha.is_zero()));
    let y = c.output::<T>("y", Form::vector(n)).unread_if(beta.is_zero());

    let mut operands = (a, x, y);
    c.run(&mut operands, |h, (a, x, y)| product(h, alpha.get()?, a, x.vec()?, beta.get()?, y.vec_mut()?))?;

    let (a, x, y) = &operands;
    c.compare(y, |e, i, _| {
        let product = |acc: &mut Acc| row_product(acc, (a, |j| x.before(e, j, 0)), (e, i));
        linear(T::COMPLEX, alpha.z(), product, beta.z(), || y.before(e, i, 0))
    })
}
