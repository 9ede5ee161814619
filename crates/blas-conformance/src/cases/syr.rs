//! syr, spr and their Hermitian twins her, hpr.

use crate::prelude::*;

pub(super) fn syr<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("syr", ALPHA, |c| {
        run::<T, T, B>(c, Form::sym, |h, alpha, x, a| h.syr(alpha, x, a.sym_mut()?))
    }));
    // The Hermitian names take real types as well.
    each_type!(t, T in R => t.scenario("her", ALPHA, her_of::<T, B>));
}

pub(super) fn her<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("her", ALPHA, her_of::<T, B>));
}

pub(super) fn spr<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("spr", ALPHA, |c| {
        run::<T, T, B>(c, Form::sym_packed, |h, alpha, x, a| h.spr(alpha, x, a.sym_packed_mut()?))
    }));
    each_type!(t, T in R => t.scenario("hpr", ALPHA, hpr_of::<T, B>));
}

pub(super) fn hpr<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("hpr", ALPHA, hpr_of::<T, B>));
}

fn her_of<T: Field<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, T::Real, B>(c, Form::herm, |h, alpha, x, a| h.her(alpha, x, a.herm_mut()?))
}

fn hpr_of<T: Field<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, T::Real, B>(c, Form::herm_packed, |h, alpha, x, a| h.hpr(alpha, x, a.herm_packed_mut()?))
}

type Update<T, S, B> =
    for<'a> fn(&Handle<B>, Coef<'a, S, B>, Batched<VecRef<'a, T, B>>, &'a mut Operand<T, B>) -> Result;

/// `S` is the type of alpha.
fn run<T: Field + Num, S: Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: fn(Dim, Uplo) -> Form,
    update: Update<T, S, B>,
) -> Verdict {
    let (n, uplo) = (c.dim("n"), c.uplo());
    let alpha = c.coef::<S>("alpha")?;
    let x = c.input::<T>("x", Form::vector(n)).unread_if(alpha.is_zero());
    let a = c.output::<T>("a", form(n, uplo));

    let mut operands = (x, a);
    c.run(&mut operands, |h, (x, a)| update(h, alpha.get()?, x.vec()?, a))?;

    let (x, a) = &operands;
    let hermitian = a.place.form.kind.is_hermitian();
    c.compare(a, |e, i, j| {
        let (xi, xj) = (x.before(e, i, 0), x.before(e, j, 0));
        let product = |acc: &mut Acc| acc.fma(xi, if hermitian { xj.conj() } else { xj });
        linear(T::COMPLEX, alpha.z(), product, ONE, || a.before(e, i, j))
    })
}
