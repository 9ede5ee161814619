//! gemm and gemm_ex.

use crate::prelude::*;

pub(super) fn gemm<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in S => t.scenario("gemm", ALPHA_BETA_K, plain::<T, B>));
}

pub(super) fn gemm_ex<B: Backend>(t: &mut Table<B>) {
    let Types::Gemm(types) = t.types() else { return };
    let body: fn(&mut Case<'_, B>) -> Verdict = match (types.a, types.c) {
        (DType::F16, DType::F16) => mixed::<f16, f16, B>,
        (DType::F16, DType::F32) => mixed::<f16, f32, B>,
        (DType::BF16, DType::BF16) => mixed::<bf16, bf16, B>,
        (DType::BF16, DType::F32) => mixed::<bf16, f32, B>,
        (DType::F32, DType::F32) => mixed::<f32, f32, B>,
        (DType::F64, DType::F64) => mixed::<f64, f64, B>,
        (DType::C32, DType::C32) => mixed::<Complex<f32>, Complex<f32>, B>,
        (DType::C64, DType::C64) => mixed::<Complex<f64>, Complex<f64>, B>,
        (DType::I8, DType::I32) => mixed::<i8, i32, B>,
        // Nothing is registered for others, which the report shows as a failure.
        _ => return,
    };
    t.scenario("gemm_ex", ALPHA_BETA_K, body);
    if types.c == DType::I32 {
        t.scenario("ends_of_range", &[Rule::Own("wrapping")], wrapping::<B>);
    }
}

fn plain<T: Scalar<Coef: Num> + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    run::<T, T, T::Coef, B>(c, |h, alpha, (a, b, c), beta| {
        h.gemm(alpha.get()?, a.mat()?, b.mat()?, beta.get()?, c.mat_mut()?)
    })
}

fn mixed<A: Num, C: Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict
where
    (A, C): GemmExTypes<Coef: Num>,
{
    run::<A, C, <(A, C) as GemmExTypes>::Coef, B>(c, call_mixed)
}

type MixedCoef<A, C, B> = Coefficient<<(A, C) as GemmExTypes>::Coef, B>;

fn call_mixed<A: Num, C: Num, B: Backend>(
    h: &Handle<B>,
    alpha: &MixedCoef<A, C, B>,
    (a, b, c): &mut Operands<A, C, B>,
    beta: &MixedCoef<A, C, B>,
) -> Result
where
    (A, C): GemmExTypes<Coef: Num>,
{
    let call = h.gemm_ex(a.mat()?, b.mat()?, c.mat_mut()?);
    let call = match alpha.device()? {
        Some(alpha) => call.alpha_on_device(alpha),
        None => call.alpha(alpha.host()),
    };
    match beta.device()? {
        Some(beta) => call.beta_on_device(beta).run(),
        None => call.beta(beta.host()).run(),
    }
}

type Operands<A, C, B> = (Operand<A, B>, Operand<A, B>, Operand<C, B>);

fn run<A: Num, C: Num, K: Num, B: Backend>(
    c: &mut Case<'_, B>,
    call: fn(&Handle<B>, &Coefficient<K, B>, &mut Operands<A, C, B>, &Coefficient<K, B>) -> Result,
) -> Verdict {
    let (m, n, mut k) = (c.dim("m"), c.dim("n"), c.dim("k"));
    // Only a square A has the shape of its transpose.
    if c.rule() != Rule::K0 && c.pick("square", &[false, true, false, false]) {
        k.n = m.n;
    }
    let (alpha, beta) = (c.coef::<K>("alpha")?, c.coef::<K>("beta")?);
    let a = c.input::<A>("a", Form::mat(m, k)).unread_if(alpha.is_zero());
    let b = c.input::<A>("b", Form::mat(k, n)).unread_if(alpha.is_zero());
    let out = c.output::<C>("c", Form::mat(m, n)).unread_if(beta.is_zero());

    let mut operands = (a, b, out);
    c.run(&mut operands, |h, operands| call(h, &alpha, operands, &beta))?;

    let (a, b, out) = &operands;
    let (a, b) = (a.dense(), b.dense());
    c.compare(out, |e, i, j| {
        linear(C::COMPLEX, alpha.z(), |acc| a[e].dot(acc, i, &b[e], j), beta.z(), || out.before(e, i, j))
    })
}

/// The ends of the range of i8, with an alpha and a beta that take sums beyond i32: they wrap.
fn wrapping<B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let (m, n, k) = (c.dim("m"), c.dim("n"), c.dim("k"));
    let alpha = c.coef_of::<i32>("alpha", Z::new(1_000_003.0, 0.0))?;
    let beta = c.coef_of::<i32>("beta", Z::new(-3.0, 0.0))?;
    let mut a = c.input::<i8>("a", Form::mat(m, k));
    let mut b = c.input::<i8>("b", Form::mat(k, n));
    let mut out = c.output::<i32>("c", Form::mat(m, n));
    a.fill(|_, _, _| Z::new(f64::from(i8::MIN), 0.0));
    b.fill(|_, i, j| Z::new(f64::from(if (i + j) % 3 == 0 { i8::MAX } else { i8::MIN }), 0.0));
    out.fill(|_, i, _| Z::new(f64::from(if i % 2 == 0 { i32::MAX } else { i32::MIN }), 0.0));

    let mut operands = (a, b, out);
    c.run(&mut operands, |h, operands| call_mixed(h, &alpha, operands, &beta))?;

    let (a, b, out) = &operands;
    let (a, b) = (a.dense(), b.dense());
    c.compare(out, |e, i, j| {
        linear(false, alpha.z(), |acc| a[e].dot(acc, i, &b[e], j), beta.z(), || out.before(e, i, j))
    })
}
