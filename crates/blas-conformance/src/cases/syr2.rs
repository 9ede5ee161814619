//! syr2, spr2 and their Hermitian twins her2, hpr2.

use crate::prelude::*;

pub(super) fn syr2<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("syr2", ALPHA, |c| {
        run::<T, B>(c, Form::sym, |h, alpha, x, y, a| h.syr2(alpha, x, y, a.sym_mut()?))
    }));
    // The Hermitian names take real types as well.
    each_type!(t, T in R => t.scenario("her2", ALPHA, her2_of::<T, B>));
}

pub(super) fn her2<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("her2", ALPHA, her2_of::<T, B>));
}

pub(super) fn spr2<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in R => t.scenario("spr2", ALPHA, |c| {
        run::<T, B>(c, Form::sym_packed, |h, alpha, x, y, a| h.spr2(alpha, x, y, a.sym_packed_mut()?))
    }));
    each_type!(t, T in R => t.scenario("hpr2", ALPHA, hpr2_of::<T, B>));
}

pub(super) fn hpr2<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("hpr2", ALPHA, hpr2_of::<T, B>));
}

fn her2_of<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, B>(c, Form::herm, |h, alpha, x, y, a| h.her2(alpha, x, y, a.herm_mut()?))
}

fn hpr2_of<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, B>(c, Form::herm_packed, |h, alpha, x, y, a| h.hpr2(alpha, x, y, a.herm_packed_mut()?))
}

type Update<T, B> = for<'a> fn(
    &Handle<B>,
    Coef<'a, T, B>,
    Batched<VecRef<'a, T, B>>,
    Batched<VecRef<'a, T, B>>,
    &'a mut Operand<T, B>,
) -> Result;

fn run<T: Field + Num, B: Backend>(
    c: &mut Case<'_, B>,
    form: fn(Dim, Uplo) -> Form,
    update: Update<T, B>,
) -> Verdict {
    let (n, uplo) = (c.dim("n"), c.uplo());
    let alpha = c.coef::<T>("alpha")?;
    let x = c.input::<T>("x", Form::vector(n)).unread_if(alpha.is_zero());
    let y = c.input::<T>("y", Form::vector(n)).unread_if(alpha.is_zero());
    let a = c.output::<T>("a", form(n, uplo));

    let mut operands = (x, y, a);
    c.run(&mut operands, |h, (x, y, a)| update(h, alpha.get()?, x.vec()?, y.vec()?, a))?;

    let (x, y, a) = &operands;
    let hermitian = a.place.form.kind.is_hermitian();
    let conj = |z: Z| if hermitian { z.conj() } else { z };
    c.compare(a, |e, i, j| {
        let term = |scale: Z, u: &Operand<T, B>, v: &Operand<T, B>| {
            let mut acc = Acc::new(T::COMPLEX);
            acc.fma(u.before(e, i, 0), conj(v.before(e, j, 0)));
            acc.scale(scale);
            acc
        };
        let product = |acc: &mut Acc| {
            acc.add_acc(&term(alpha.z(), x, y));
            acc.add_acc(&term(conj(alpha.z()), y, x));
        };
        let runs = if alpha.is_zero() { ZERO } else { ONE };
        linear(T::COMPLEX, runs, product, ONE, || a.before(e, i, j))
    })
}
