//! scal, with a coefficient of the type and with a real one.

use crate::prelude::*;

/// alpha = 0 multiplies: NaN and infinity in x become NaN. That is a rule of its own, so that NaN under other
/// coefficients is told apart from it.
const RULES: &[Rule] = ALPHA;

pub(super) fn scal<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => t.scenario("scal", RULES, run::<T, B>));
    each_type!(t, T in C => {
        t.scenario("scal_real", RULES, run_real::<T, B>);
        t.scenario("scal_real", &[Rule::Own("parts")], run_real::<T, B>);
    });
}

fn run<T: Scalar<Coef: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let alpha = alpha::<T::Coef, B>(c)?;
    let mut x = c.output::<T>("x", Form::vector(n));
    specials(c, &mut x);

    let mut operand = x;
    c.run(&mut operand, |h, x| h.scal(alpha.get()?, x.vec_mut()?))?;

    c.compare(&operand, |e, i, _| {
        let mut acc = Acc::new(T::COMPLEX);
        acc.fma(alpha.z(), operand.before(e, i, 0));
        acc
    })
}

fn run_real<T: Field + Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let alpha = alpha::<T::Real, B>(c)?;
    let mut x = c.output::<T>("x", Form::vector(n));
    specials(c, &mut x);

    let mut operand = x;
    c.run(&mut operand, |h, x| h.scal_real(alpha.get()?, x.vec_mut()?))?;

    let want = |e, i| {
        let mut acc = Acc::new(true);
        acc.fma_real(alpha.z().re, operand.before(e, i, 0));
        acc
    };
    c.compare(&operand, |e, i, _| want(e, i))?;
    // NaN in one part stays there.
    operand.each(|e, i, _| same_nan(c, (e, i), operand.after(e, i, 0), want(e, i).z()))
}

/// The parts that are NaN are those that should be.
pub(super) fn same_nan<B: Backend>(c: &Case<'_, B>, at: (usize, usize), got: Z, want: Z) -> Verdict {
    let same = got.re.is_nan() == want.re.is_nan() && got.im.is_nan() == want.im.is_nan();
    c.ensure(same, (at, got), want)
}

fn alpha<T: Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict<crate::case::Coefficient<T, B>> {
    if c.rule() == Rule::Nan {
        let value = c.pick("alpha.kind", &[2.0, 1.0, -1.0]);
        return c.coef_of("alpha", Z::new(value, 0.0));
    }
    c.coef("alpha")
}

/// Infinities and NaN among the elements, where the rule is about them.
fn specials<T: Num, B: Backend>(c: &mut Case<'_, B>, x: &mut Operand<T, B>) {
    if matches!(c.rule(), Rule::Alpha0 | Rule::Own(_)) {
        c.plant(x, Z::new(f64::INFINITY, 1.0));
        c.plant(x, Z::new(f64::NAN, 0.0));
        c.plant(x, Z::new(-1.0, f64::NEG_INFINITY));
    }
}
