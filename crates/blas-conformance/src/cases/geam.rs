//! geam.

use crate::prelude::*;

pub(super) fn geam<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => t.scenario("geam", ALPHA_BETA, run::<T, B>));
}

fn run<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (m, n) = (c.dim("m"), c.dim("n"));
    let (alpha, beta) = (c.coef::<T>("alpha")?, c.coef::<T>("beta")?);
    let a = c.input::<T>("a", Form::mat(m, n)).unread_if(alpha.is_zero());
    let b = c.input::<T>("b", Form::mat(m, n)).unread_if(beta.is_zero());
    let out = c.output::<T>("c", Form::mat(m, n)).unread_if(true);

    let mut operands = (a, b, out);
    c.run(&mut operands, |h, (a, b, c)| h.geam(alpha.get()?, a.mat()?, beta.get()?, b.mat()?, c.mat_mut()?))?;

    let (a, b, out) = &operands;
    c.compare(out, |e, i, j| {
        let term = |acc: &mut Acc| acc.add(a.before(e, i, j));
        let mut acc = linear(T::COMPLEX, alpha.z(), term, beta.z(), || b.before(e, i, j));
        // C is written even where it becomes B.
        acc.idle = false;
        acc
    })
}
