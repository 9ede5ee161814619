//! syrk and herk.

use crate::prelude::*;

pub(super) fn syrk<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("syrk", ALPHA_BETA_K, |c| {
        run::<T, T, B>(c, Form::sym, Dense::t, |h, alpha, (a, c), beta| {
            h.syrk(alpha.get()?, a.mat()?, beta.get()?, c.sym_mut()?)
        })
    }));
    // The Hermitian name takes real types as well.
    each_type!(t, T in R => t.scenario("herk", ALPHA_BETA_K, herk_of::<T, B>));
}

pub(super) fn herk<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("herk", ALPHA_BETA_K, herk_of::<T, B>));
}

fn herk_of<T: Field<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, T::Real, B>(c, Form::herm, Dense::h, |h, alpha, (a, c), beta| {
        h.herk(alpha.get()?, a.mat()?, beta.get()?, c.herm_mut()?)
    })
}

fn run<T: Field + Num, K: Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: fn(Dim, Uplo) -> Form,
    adjoint: fn(&Dense) -> Dense,
    call: fn(
        &Handle<B>,
        &Coefficient<K, B>,
        &mut (Operand<T, B>, Operand<T, B>),
        &Coefficient<K, B>,
    ) -> Result,
) -> Verdict {
    let (n, k, uplo) = (c.dim("n"), c.dim("k"), c.uplo());
    let (alpha, beta) = (c.coef::<K>("alpha")?, c.coef::<K>("beta")?);
    let a = c.input::<T>("a", Form::mat(n, k)).unread_if(alpha.is_zero());
    let out = c.output::<T>("c", form(n, uplo)).unread_if(beta.is_zero());

    let mut operands = (a, out);
    c.run(&mut operands, |h, operands| call(h, &alpha, operands, &beta))?;

    let (a, out) = &operands;
    let a = a.dense();
    let adjoint: Vec<_> = a.iter().map(adjoint).collect();
    c.compare(out, |e, i, j| {
        let product = |acc: &mut Acc| a[e].dot(acc, i, &adjoint[e], j);
        linear(T::COMPLEX, alpha.z(), product, beta.z(), || out.before(e, i, j)).on_diagonal_of(out, i, j)
    })
}
