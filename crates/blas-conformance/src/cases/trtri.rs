//! trtri, in place and out of place: the product with the inverse is the identity.

use crate::prelude::*;

const RULES: &[Rule] = &[Rule::Accuracy, Rule::Exact, Rule::Empty, Rule::BadArguments, Rule::Determinism];

pub(super) fn trtri<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in X => {
        t.scenario("trtri", RULES, in_place::<T, B>);
        t.scenario("trtri_into", RULES, into::<T, B>);
    });
}

fn in_place<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (n, uplo, diag) = (super::exact::order(c, "n"), c.uplo(), c.diag());
    let mut a = c.solvable::<T>("a", Role::Out, Form::tri(n, uplo, diag));
    c.run(&mut a, |h, a| h.trtri(a.tri_mut()?))?;
    inverted(c, &a.dense(), &a)
}

fn into<T: Field + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (n, uplo, diag) = (super::exact::order(c, "n"), c.uplo(), c.diag());
    let a = c.solvable::<T>("a", Role::In, Form::tri(n, uplo, diag));
    let inv = c.output::<T>("inv", Form::tri(n, uplo, diag)).unread_if(true);

    let mut operands = (a, inv);
    c.run(&mut operands, |h, (a, inv)| h.trtri_into(a.tri()?, inv.tri_mut()?))?;

    let (a, inv) = &operands;
    inverted(c, &a.dense(), inv)
}

/// inv * A is the identity. The blocked algorithms bound |inv| |A| |inv| |A|, which for these matrices is a small
/// multiple of |inv| |A|: three sums of n terms have room for it.
fn inverted<T: Num, B: Backend>(c: &Case<'_, B>, a: &[Dense], inv: &Operand<T, B>) -> Verdict {
    let x = inv.dense_after();
    let element = |e: usize, i: usize, j: usize| {
        let mut acc = Acc::new(T::COMPLEX);
        x[e].dot(&mut acc, i, &a[e], j);
        acc.terms *= 3;
        if i == j {
            acc.add(-ONE);
        }
        acc
    };
    if c.integers() {
        return inv.each(|e, i, j| {
            let left = element(e, i, j).z();
            c.ensure(left == ZERO, (e, i, j, left), "inv * A - I = 0")
        });
    }
    c.residual(inv, element)
}
