//! syr2k, her2k, and the products of which one triangle is computed, syrkx and herkx.

use crate::prelude::*;

pub(super) fn syr2k<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("syr2k", ALPHA_BETA_K, |c| {
        run::<T, T, B>(c, Form::sym, Terms { adjoint: Dense::t, second: Some(|alpha| alpha) }, |h, alpha, (a, b, c), beta| {
            h.syr2k(alpha.get()?, a.mat()?, b.mat()?, beta.get()?, c.sym_mut()?)
        })
    }));
    // The Hermitian names take real types as well.
    each_type!(t, T in R => t.scenario("her2k", ALPHA_BETA_K, her2k_of::<T, B>));
}

pub(super) fn her2k<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("her2k", ALPHA_BETA_K, her2k_of::<T, B>));
}

pub(super) fn syrkx<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("syrkx", ALPHA_BETA_K, |c| {
        run::<T, T, B>(c, Form::sym, Terms { adjoint: Dense::t, second: None }, |h, alpha, (a, b, c), beta| {
            h.syrkx(alpha.get()?, a.mat()?, b.mat()?, beta.get()?, c.sym_mut()?)
        })
    }));
    each_type!(t, T in R => t.scenario("herkx", ALPHA_BETA_K, herkx_of::<T, B>));
}

pub(super) fn herkx<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("herkx", ALPHA_BETA_K, herkx_of::<T, B>));
}

fn her2k_of<T: Field<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let terms = Terms { adjoint: Dense::h, second: Some(|alpha| alpha.conj()) };
    run::<T, T::Real, B>(c, Form::herm, terms, |h, alpha, (a, b, c), beta| {
        h.her2k(alpha.get()?, a.mat()?, b.mat()?, beta.get()?, c.herm_mut()?)
    })
}

fn herkx_of<T: Field<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, T::Real, B>(
        c,
        Form::herm,
        Terms { adjoint: Dense::h, second: None },
        |h, alpha, (a, b, c), beta| h.herkx(alpha.get()?, a.mat()?, b.mat()?, beta.get()?, c.herm_mut()?),
    )
}

/// What the routines differ in: the transpose or the conjugate transpose, and the coefficient of the second product, if
/// there is one.
struct Terms {
    adjoint: fn(&Dense) -> Dense,
    second: Option<fn(Z) -> Z>,
}

type Operands<T, B> = (Operand<T, B>, Operand<T, B>, Operand<T, B>);

fn run<T: Field + Num, K: Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: fn(Dim, Uplo) -> Form,
    terms: Terms,
    call: fn(&Handle<B>, &Coefficient<T, B>, &mut Operands<T, B>, &Coefficient<K, B>) -> Result,
) -> Verdict {
    let (n, k, uplo) = (c.dim("n"), c.dim("k"), c.uplo());
    let (alpha, beta) = (c.coef::<T>("alpha")?, c.coef::<K>("beta")?);
    let a = c.input::<T>("a", Form::mat(n, k)).unread_if(alpha.is_zero());
    let b = c.input::<T>("b", Form::mat(n, k)).unread_if(alpha.is_zero());
    let out = c.output::<T>("c", form(n, uplo)).unread_if(beta.is_zero());

    let mut operands = (a, b, out);
    c.run(&mut operands, |h, operands| call(h, &alpha, operands, &beta))?;

    let (a, b, out) = &operands;
    let (a, b) = (a.dense(), b.dense());
    let adjoint = |x: &[Dense]| -> Vec<Dense> { x.iter().map(terms.adjoint).collect() };
    let (a_adjoint, b_adjoint) = (adjoint(&a), adjoint(&b));
    c.compare(out, |e, i, j| {
        let first = |acc: &mut Acc| a[e].dot(acc, i, &b_adjoint[e], j);
        let mut acc = linear(T::COMPLEX, alpha.z(), first, beta.z(), || out.before(e, i, j));
        if let Some(coefficient) = terms.second.filter(|_| !alpha.is_zero()) {
            let mut second = Acc::new(T::COMPLEX);
            b[e].dot(&mut second, i, &a_adjoint[e], j);
            second.scale(coefficient(alpha.z()));
            acc.add_acc(&second);
        }
        acc.on_diagonal_of(out, i, j)
    })
}
