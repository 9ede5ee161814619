//! Level 1 at the level of descriptors, against the obvious loops.

mod common;

use blas_api::*;
use blas_cpu::CpuHandle;
use common::*;

fn each_form(f: impl Fn(usize, isize, isize, bool)) {
    for n in [1, 7, 700] {
        for (incx, incy) in INCS.into_iter().flat_map(|x| INCS.map(|y| (x, y))) {
            [false, true].into_iter().for_each(|array| f(n, incx, incy, array));
        }
    }
}

/// Coefficients of a type, the imaginary part of real ones dropped.
fn coefs<T: Scalar>() -> impl Iterator<Item = Z> {
    COEFS.into_iter().map(as_held::<T>)
}

fn updates<T: Scalar>() {
    let h = CpuHandle::new();
    each_form(|n, incx, incy, array| {
        let (x0, y0) = (Vecs::<T>::random(n, incx, 1), Vecs::<T>::random(n, incy, 2));
        let (dtype, batch) = (T::DTYPE, BATCH);
        let run = |what: &str, f: &dyn Fn(Vector, Vector) -> Result, want: &dyn Fn(Z, Z) -> (Z, Z)| {
            let (mut x, mut y) = (x0.clone(), y0.clone());
            f(x.raw(array), y.raw(array)).unwrap();
            x.store.assert_is(&x0.with(|e, i| want(x0.at(e, i), y0.at(e, i)).0).store, what);
            y.store.assert_is(&y0.with(|e, i| want(x0.at(e, i), y0.at(e, i)).1).store, what);
        };
        // SAFETY: the descriptors describe live vectors, here and below.
        unsafe {
            run("swap", &|x, y| h.swap(&SwapDesc { dtype, batch, n, x, y }), &|x, y| (y, x));
            run("copy", &|x, y| h.copy(&CopyDesc { dtype, batch, n, x, y }), &|x, _| (x, x));
            let real = Coefficient::<T>::new(2.0.into());
            let real =
                |device| if T::DTYPE.is_complex() { RawScalar::Host([2.0, 0.0]) } else { real.raw(device) };
            for (alpha, device) in coefs::<T>().flat_map(|a| [(a, false), (a, true)]) {
                let a = Coefficient::<T>::new(alpha);
                let al = a.raw(device);
                let scal = |x, _| h.scal(&ScalDesc { dtype, batch, n, real: false, alpha: al, x });
                run("scal", &scal, &|x, y| (alpha * x, y));
                run("axpy", &|x, y| h.axpy(&AxpyDesc { dtype, batch, n, alpha: al, x, y }), &|x, y| {
                    (x, y + alpha * x)
                });
                let rot =
                    |x, y| h.rot(&RotDesc { dtype, batch, n, real: false, x, y, c: real(device), s: al });
                run("rot", &rot, &|x, y| (2.0 * x + alpha * y, 2.0 * y - alpha.conj() * x));
                for beta in coefs::<T>() {
                    let b = Coefficient::<T>::new(beta);
                    let be = b.raw(!device);
                    let axpby = |x, y| h.axpby(&AxpbyDesc { dtype, batch, n, alpha: al, x, beta: be, y });
                    run("axpby", &axpby, &|x, y| (x, alpha * x + beta * y));
                }
            }
            if T::DTYPE.is_complex() {
                let two = RawScalar::Host([2.0, 0.0]);
                let scal = |x, _| h.scal(&ScalDesc { dtype, batch, n, real: true, alpha: two, x });
                run("scal real", &scal, &|x, y| (2.0 * x, y));
                let rot = |x, y| h.rot(&RotDesc { dtype, batch, n, real: true, x, y, c: two, s: two });
                run("rot real", &rot, &|x, y| (2.0 * (x + y), 2.0 * (y - x)));
            }
        }
    });
}

/// Each result of a batch.
fn results<R: Element>(device: bool, f: impl Fn(RawOut) -> Result) -> [R; BATCH] {
    let mut out = [R::default(); BATCH];
    let ptr = out.as_mut_ptr().cast();
    f(if device { RawOut::Device(ptr) } else { RawOut::Host(ptr) }).unwrap();
    out
}

fn reductions<T: Scalar>() {
    let h = CpuHandle::new();
    let (dtype, batch) = (T::DTYPE, BATCH);
    let check = |n, incx, incy, array| {
        let (mut x, mut y) = (Vecs::<T>::random(n, incx, 3), Vecs::<T>::random(n, incy, 4));
        let (xs, ys) = (x.clone(), y.clone());
        let (x, y) = (x.raw(array), y.raw(array));
        // With increment 0, all elements are the first.
        let sum = |e, f: &dyn Fn(Z, Z) -> Z| (0..n).map(|i| f(xs.at(e, i), ys.at(e, i))).sum::<Z>();
        let real = |v: f64| T::Real::from_parts([v, 0.0]);
        let dot = |out| DotDesc { dtype, batch, n, x, y, out };
        let one = |out| ReduceDesc { dtype, batch, n, x, out };
        // SAFETY: the descriptors describe live vectors.
        unsafe {
            let got: [T; BATCH] = results(array, |out| h.dot(&dot(out)));
            assert_eq!(got, [0, 1].map(|e| el(sum(e, &|x, y| x * y))), "dot {dtype} {n} {incx} {incy}");
            if dtype.is_complex() {
                let got: [T; BATCH] = results(array, |out| h.dotc(&dot(out)));
                assert_eq!(got, [0, 1].map(|e| el(sum(e, &|x, y| x.conj() * y))), "dotc {dtype}");
            }
            if dtype == DType::F32 {
                let got: [f64; BATCH] = results(array, |out| h.dsdot(&dot(out)));
                assert_eq!(got, [0, 1].map(|e| sum(e, &|x, y| x * y).re), "dsdot");
            }
            let got: [T::Real; BATCH] = results(array, |out| h.asum(&one(out)));
            assert_eq!(got, [0, 1].map(|e| real(sum(e, &|x, _| x.l1_norm().into()).re)), "asum {dtype} {n}");
            let got: [T::Real; BATCH] = results(array, |out| h.nrm2(&one(out)));
            assert_eq!(
                got,
                [0, 1].map(|e| real(sum(e, &|x, _| x.norm_sqr().into()).re.sqrt())),
                "nrm2 {dtype}"
            );
            for (max, name) in [(true, "iamax"), (false, "iamin")] {
                let run = |out| if max { h.iamax(&one(out)) } else { h.iamin(&one(out)) };
                let got: [i64; BATCH] = results(array, run);
                let key = |e, i| if max { -xs.at(e, i).l1_norm() } else { xs.at(e, i).l1_norm() };
                let want = |e| (0..n).min_by(|a, b| key(e, *a).total_cmp(&key(e, *b)).then(a.cmp(b)));
                assert_eq!(
                    got,
                    [0, 1].map(|e| want(e).map_or(0, |i| i as i64 + 1)),
                    "{name} {dtype} {n} {incx}"
                );
            }
        }
    };
    each_form(check);
    check(0, 1, 1, false);
    for incx in [0, 2] {
        check(300, incx, 0, true);
    }
}

fn modified<T: RealField>() {
    let h = CpuHandle::new();
    let (dtype, batch, nan) = (T::DTYPE, BATCH, f64::NAN);
    let n = 40;
    for (param, m) in [
        ([-2.0, nan, nan, nan, nan], [1.0, 0.0, 0.0, 1.0]),
        ([-1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0]),
        ([0.0, nan, 3.0, 4.0, nan], [1.0, 3.0, 4.0, 1.0]),
        ([1.0, 2.0, nan, nan, 5.0], [2.0, -1.0, 1.0, 5.0]),
    ] {
        let on_device = param.map(|v| T::from_parts([v, 0.0]));
        let device = RawParam::Device(Address::single(on_device.as_ptr().cast_mut().cast()));
        for param in [RawParam::Host(param), device] {
            let (x0, y0) = (Vecs::<T>::random(n, -2, 5), Vecs::<T>::random(n, 1, 6));
            let (mut x, mut y) = (x0.clone(), y0.clone());
            let d = RotmDesc { dtype, batch, n, x: x.raw(false), y: y.raw(false), param };
            // SAFETY: the descriptor describes live vectors.
            unsafe { h.rotm(&d) }.unwrap();
            let want = |a: f64, b: f64| x0.with(|e, i| a * x0.at(e, i) + b * y0.at(e, i));
            x.store.assert_is(&want(m[0], m[2]).store, "rotm x");
            let want = y0.with(|e, i| m[1] * x0.at(e, i) + m[3] * y0.at(e, i));
            y.store.assert_is(&want.store, "rotm y");
        }
    }
}

/// c a + s b = r and c b - conj(s) a = 0, with c^2 + |s|^2 = 1, at every scale.
fn rotations<T: Field>() {
    let h = CpuHandle::new();
    let (tiny, huge) = if T::DTYPE.real() == DType::F64 { (1e-300, 1e300) } else { (1e-37, 1e37) };
    let eps = if T::DTYPE.real() == DType::F64 { 1e-15 } else { 1e-6 };
    for (p, q) in [1.0, tiny, huge].into_iter().flat_map(|p| [(p, p), (1.0, p)]) {
        for (a0, b0) in [((3.0, 1.0), (2.0, -4.0)), ((-5.0, 0.0), (0.0, 1.0)), ((0.0, 0.0), (-3.0, 4.0))] {
            let (mut a, mut b): (T, T) = (el(Z::new(a0.0, a0.1) * p), el(Z::new(b0.0, b0.1) * q));
            if b.is_zero() {
                b = el(q.into());
            }
            let (old_a, old_b, mut c, mut s) = (z(a), z(b), T::Real::default(), T::zero());
            let out = |p: *mut T| RawOut::Host(p.cast());
            let c_out = RawOut::Host((&raw mut c).cast());
            let d = RotgDesc {
                dtype: T::DTYPE,
                batch: 1,
                a: out(&mut a),
                b: out(&mut b),
                c: c_out,
                s: out(&mut s),
            };
            // SAFETY: four live values.
            unsafe { h.rotg(&d) }.unwrap();
            let (r, c, s) = (z(a), c.parts()[0], z(s));
            let scale = old_a.norm().max(old_b.norm());
            let what = format!("{} {old_a} {old_b}: r {r} c {c} s {s}", T::DTYPE);
            assert!((c * c + s.norm_sqr() - 1.0).abs() < 4.0 * eps, "{what}");
            let (a, b, r) = (old_a / scale, old_b / scale, r / scale);
            assert!(
                (c * a + s * b - r).norm() < 4.0 * eps && (c * b - s.conj() * a).norm() < 4.0 * eps,
                "{what}"
            );
        }
    }
}

/// More than one thread and more than one block: the same bits for each number of threads.
fn long<T: Scalar>() {
    // Enough for several threads, except in half types, whose entries are spread.
    let n = 1_100_001;
    let run = |threads| {
        let h = CpuHandle::new();
        let mut policy = h.policy();
        policy.threads = Threads::Max(threads);
        h.set_policy(policy).unwrap();
        let (mut x, mut y) = (Vecs::<T>::random(n, 1, 7), Vecs::<T>::random(n, -1, 8));
        x = x.with(|e, i| x.at(e, i) * (1.0 + i as f64 * 1e-3));
        let (dtype, batch, xv, yv) = (T::DTYPE, BATCH, x.raw(false), y.raw(false));
        let alpha = RawScalar::Host([0.75, 0.0]);
        // SAFETY: the descriptors describe live vectors.
        unsafe {
            h.axpy(&AxpyDesc { dtype, batch, n, alpha, x: xv, y: yv }).unwrap();
            let dot: [T; BATCH] =
                results(false, |out| h.dot(&DotDesc { dtype, batch, n, x: xv, y: yv, out }));
            let norm: [T::Real; BATCH] =
                results(false, |out| h.nrm2(&ReduceDesc { dtype, batch, n, x: yv, out }));
            let at: [i64; BATCH] = results(false, |out| h.iamax(&ReduceDesc { dtype, batch, n, x: yv, out }));
            (y.store.data.iter().map(|v| v.parts().map(f64::to_bits)).collect::<Vec<_>>(), dot, norm, at)
        }
    };
    let (one, two) = (run(1), run(2));
    assert!(one == two && one == run(usize::MAX), "{}", T::DTYPE);
}

#[test]
fn level1_against_loops() {
    for_types!(updates: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
    for_types!(reductions: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
    for_types!(modified: f32, f64);
}

#[test]
fn rotations_rotate() {
    for_types!(rotations: f32, f64, Complex<f32>, Complex<f64>);
}

#[test]
fn threads_do_not_change_results() {
    for_types!(long: bf16, f32, f64, Complex<f64>);
}
