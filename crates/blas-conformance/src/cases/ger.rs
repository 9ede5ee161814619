//! ger, geru and gerc.

use crate::prelude::*;

pub(super) fn ger<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in R => {
        t.scenario("ger", ALPHA, |c| run::<T, B>(c, false, |h, alpha, x, y, a| h.ger(alpha, x, y, a)));
    });
    // The complex names take real types as well.
    each_type!(t, T in R => {
        t.scenario("geru", ALPHA, geru_of::<T, B>);
        t.scenario("gerc", ALPHA, gerc_of::<T, B>);
    });
}

pub(super) fn geru<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("geru", ALPHA, geru_of::<T, B>));
}

pub(super) fn gerc<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in C => t.scenario("gerc", ALPHA, gerc_of::<T, B>));
}

fn geru_of<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, B>(c, false, |h, alpha, x, y, a| h.geru(alpha, x, y, a))
}

fn gerc_of<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, B>(c, true, |h, alpha, x, y, a| h.gerc(alpha, x, y, a))
}

type Update<T, B> = for<'a> fn(
    &Handle<B>,
    Coef<'a, T, B>,
    Batched<VecRef<'a, T, B>>,
    Batched<VecRef<'a, T, B>>,
    Batched<MatMut<'a, T, B>>,
) -> Result;

fn run<T: Field + Num, B: Backend>(c: &mut Case<'_, B>, conj: bool, update: Update<T, B>) -> Verdict {
    let (m, n) = (c.dim("m"), c.dim("n"));
    let alpha = c.coef::<T>("alpha")?;
    let x = c.input::<T>("x", Form::vector(m)).unread_if(alpha.is_zero());
    let y = c.input::<T>("y", Form::vector(n)).unread_if(alpha.is_zero());
    let a = c.output::<T>("a", Form::mat(m, n));

    let mut operands = (x, y, a);
    c.run(&mut operands, |h, (x, y, a)| update(h, alpha.get()?, x.vec()?, y.vec()?, a.mat_mut()?))?;

    let (x, y, a) = &operands;
    let y_of = |e, j| if conj { y.before(e, j, 0).conj() } else { y.before(e, j, 0) };
    c.compare(a, |e, i, j| {
        let product = |acc: &mut Acc| acc.fma(x.before(e, i, 0), y_of(e, j));
        linear(T::COMPLEX, alpha.z(), product, ONE, || a.before(e, i, j))
    })
}
