//! trmv, tbmv and tpmv.

use super::matvec::{row_product, width, zeros_meet_nan};
use crate::prelude::*;

pub(super) fn trmv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("trmv", BASIC, |c| {
        run::<T, B>(c, |_, n, uplo, diag| Form::tri(n, uplo, diag), |h, a, x| h.trmv(a.tri()?, x))
    }));
}

pub(super) fn tbmv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("tbmv", BASIC, |c| {
        run::<T, B>(
            c,
            |c, n, uplo, diag| Form::tri_band(n, width(c, "k", n.n), uplo, diag),
            |h, a, x| h.tbmv(a.tri_band()?, x),
        )
    }));
}

pub(super) fn tpmv<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("tpmv", BASIC, |c| {
        run::<T, B>(c, |_, n, uplo, diag| Form::tri_packed(n, uplo, diag), |h, a, x| h.tpmv(a.tri_packed()?, x))
    }));
}

type Product<T, B> = for<'a> fn(&Handle<B>, &'a Operand<T, B>, Batched<VecMut<'a, T, B>>) -> Result;

fn run<T: Field + Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: fn(&mut Case<'_, B>, Dim, Uplo, Diag) -> Form,
    product: Product<T, B>,
) -> Verdict {
    let (n, uplo, diag) = (c.dim("n"), c.uplo(), c.diag());
    let form = form(c, n, uplo, diag);
    let mut a = c.input::<T>("a", form);
    let mut x = c.output::<T>("x", Form::vector(n));
    zeros_meet_nan(c, &mut a, &mut x);

    let mut operands = (a, x);
    c.run(&mut operands, |h, (a, x)| product(h, a, x.vec_mut()?))?;

    let (a, x) = &operands;
    c.compare(x, |e, i, _| {
        let mut acc = Acc::new(T::COMPLEX);
        row_product(&mut acc, (a, |j| x.before(e, j, 0)), (e, i));
        acc
    })
}
