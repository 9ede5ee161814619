//! rot, with an s of the type and with a real one.

use crate::prelude::*;

pub(super) fn rot<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => t.scenario("rot", BASIC, run::<T, B>));
    each_type!(t, T in C => {
        t.scenario("rot_real", BASIC, run_real::<T, B>);
        t.scenario("rot_real", &[Rule::Own("parts")], run_real::<T, B>);
    });
}

fn run<T: Scalar<Coef: Num + Scalar<Real: Num>> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let (x, y) = (c.output::<T>("x", Form::vector(n)), c.output::<T>("y", Form::vector(n)));
    let cos = c.coef::<<T::Coef as Scalar>::Real>("c")?;
    let sin = c.coef::<T::Coef>("s")?;

    let mut operands = (x, y);
    c.run(&mut operands, |h, (x, y)| h.rot(x.vec_mut()?, y.vec_mut()?, cos.get()?, sin.get()?))?;

    let (x, y) = &operands;
    let sum = |a: Z, x: Z, b: Z, y: Z| {
        let mut acc = Acc::new(T::COMPLEX);
        acc.fma(a, x);
        acc.fma(b, y);
        acc
    };
    c.compare(x, |e, i, _| sum(cos.z(), x.before(e, i, 0), sin.z(), y.before(e, i, 0)))?;
    c.compare(y, |e, i, _| sum(cos.z(), y.before(e, i, 0), -sin.z().conj(), x.before(e, i, 0)))
}

fn run_real<T: Field + Scalar<Real: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let mut x = c.output::<T>("x", Form::vector(n));
    let mut y = c.output::<T>("y", Form::vector(n));
    let parts = matches!(c.rule(), Rule::Own(_));
    if parts {
        for o in [&mut x, &mut y] {
            c.plant(o, Z::new(f64::INFINITY, 1.0));
            c.plant(o, Z::new(1.0, f64::NAN));
        }
    }
    let (cos, sin) = (c.coef::<T::Real>("c")?, c.coef::<T::Real>("s")?);

    let mut operands = (x, y);
    c.run(&mut operands, |h, (x, y)| h.rot_real(x.vec_mut()?, y.vec_mut()?, cos.get()?, sin.get()?))?;

    let (x, y) = &operands;
    let sum = |a: f64, x: Z, b: f64, y: Z| {
        let mut acc = Acc::new(true);
        acc.fma_real(a, x);
        acc.fma_real(b, y);
        acc
    };
    let want_x = |e, i| sum(cos.z().re, x.before(e, i, 0), sin.z().re, y.before(e, i, 0));
    let want_y = |e, i| sum(cos.z().re, y.before(e, i, 0), -sin.z().re, x.before(e, i, 0));
    c.compare(x, |e, i, _| want_x(e, i))?;
    c.compare(y, |e, i, _| want_y(e, i))?;
    x.each(|e, i, _| super::scal::same_nan(c, (e, i), x.after(e, i, 0), want_x(e, i).z()))?;
    y.each(|e, i, _| super::scal::same_nan(c, (e, i), y.after(e, i, 0), want_y(e, i).z()))
}
