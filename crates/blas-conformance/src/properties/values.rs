//! Values: NaN and infinities, contents that may not matter, small shapes that once went wrong.

use blas_api::*;

use super::sweep::*;
use crate::num::{Num, Z};

/// alpha * A * B + beta * C of column-major arrays without padding, into C with its given content.
fn gemm_into<T: Scalar + Num, B: Backend>(
    h: &Handle<B>,
    (m, n, k): (usize, usize, usize),
    a: &[T],
    b: &[T],
    c: &[T],
) -> Result<Vec<T>> {
    let (a, b, mut c) = (h.upload(a)?, h.upload(b)?, h.upload(c)?);
    let (one, zero) = (T::Coef::from_parts([1.0, 0.0]), T::Coef::from_parts([0.0; 2]));
    let (av, bv) = (a.mat(m, k, Layout::Col)?, b.mat(k, n, Layout::Col)?);
    h.gemm(one, av, bv, zero, c.mat_mut(m, n, Layout::Col)?)?;
    c.to_vec(h)
}

/// Runs something with [`Determinism::Required`], and puts back what was in force.
pub(super) fn deterministic<B: Backend>(h: &Handle<B>, f: impl FnOnce() -> Check) -> Check {
    let policy = h.policy();
    h.set_determinism(Determinism::Required)?;
    let result = f();
    h.set_policy(policy)?;
    result
}

pub(super) fn content_does_not_matter<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let mut sizes: Vec<(usize, usize, usize)> =
            vec![(63, 65, 17), (64, 64, 64), (65, 63, 33), (129, 127, 1)];
        if s.full() {
            sizes.extend((1..=33).flat_map(|m| (1..=33).map(move |n| (m, n, 1 + (m * 7 + n * 3) % 33))));
        } else {
            sizes.extend((0..24).map(|_| (1 + s.rng.below(33), 1 + s.rng.below(33), 1 + s.rng.below(33))));
        }
        for (m, n, k) in sizes {
            s.check(format!("{} {m} x {n} x {k}", T::DTYPE), |h, rng| {
                let draw = |rng: &mut crate::rng::Rng, len| {
                    (0..len).map(|_| T::from_z(Z::new(rng.unit(), rng.unit()))).collect::<Vec<T>>()
                };
                let (a, b) = (draw(rng, m * k), draw(rng, k * n));
                deterministic(h, || {
                    let mut first: Option<Vec<T>> = None;
                    for fill in [0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e30] {
                        let c = gemm_into(h, (m, n, k), &a, &b, &vec![T::from_z(Z::new(fill, fill)); m * n])?;
                        let want = first.get_or_insert_with(|| c.clone());
                        same_bits(&c, want).map_err(|e| match e {
                            Trouble::Wrong(why) => Trouble::Wrong(format!("C filled with {fill}: {why}")),
                            absent => absent,
                        })?;
                    }
                    Ok(())
                })
            });
        }
    }
    each!(s, typed: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn earlier_nan_leaves_nothing<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        for n in [1, 2, 3, 5, 8, 17] {
            s.check(format!("{} {n}", T::DTYPE), |h, rng| {
                let x = ints::<T>(rng, n, 3);
                let mut a = ints::<T>(rng, n * n, 1);
                for i in 0..n {
                    // A power of two, far larger than the rest of its row: solves stay exact or harmless.
                    a[i * (n + 1)] = num(32.0);
                }
                let (dx, da) = (h.upload(&x)?, h.upload(&a)?);
                let (one, zero) = (num::<T>(1.0), num::<T>(0.0));
                let once = || -> Result<Vec<T>> {
                    let mut out = vec![h.dot(dx.vec(), dx.vec())?];
                    let mut y = h.upload(&vec![T::poison(0); n])?;
                    h.gemv(one, da.mat(n, n, Layout::Col)?, dx.vec(), zero, y.vec_mut())?;
                    out.extend(y.to_vec(h)?);
                    h.trsm(
                        Side::Left,
                        one,
                        da.mat(n, n, Layout::Col)?.lower(Diag::NonUnit),
                        y.mat_mut(n, 1, Layout::Col)?,
                    )?;
                    out.extend(y.to_vec(h)?);
                    Ok(out)
                };
                deterministic(h, || {
                    let before = once()?;
                    let nan = h.upload(&vec![Complex::new(f64::NAN, f64::NAN); 17 * 17])?;
                    let mut c = h.upload(&vec![Complex::new(f64::NAN, 1.0); 17 * 17])?;
                    let (m, one) = (|| nan.mat(17, 17, Layout::Col), Complex::new(1.0, 0.0));
                    h.gemm(one, m()?, m()?, one, c.mat_mut(17, 17, Layout::Col)?)?;
                    h.trsm(Side::Left, one, m()?.lower(Diag::NonUnit), c.mat_mut(17, 17, Layout::Col)?)?;
                    h.dot(nan.vec(), nan.vec())?;
                    same_bits(&once()?, &before)
                })
            });
        }
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn first_nan_is_found<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        for (n, nan, most) in [(64, 3, 35), (64, 35, 3), (64, 0, 63), (1000, 999, 0), (257, 128, 256)] {
            s.check(format!("{} n {n} NaN at {nan}", T::DTYPE), |h, _| {
                let mut x = vec![num::<T>(1.0); n];
                (x[nan], x[most]) = (T::poison(0), num(100.0));
                let x = h.upload(&x)?;
                for (name, got) in [("iamax", h.iamax(x.vec())?), ("iamin", h.iamin(x.vec())?)] {
                    ensure(got == Some(nan), || format!("{name}: got {got:?}, want {nan} from 0"))?;
                }
                Ok(())
            });
        }
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn rotmg_ends<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: RealField + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        for special in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            for place in 0..4 {
                s.check_in_time(&format!("{} argument {place} is {special}", T::DTYPE), 5, move |open| {
                    let mut v = [1.0f64; 4].map(num::<T>);
                    v[place] = num(special);
                    let [mut d1, mut d2, mut x1, mut y1] = v;
                    let mut param = [T::default(); 5];
                    Ok(open()?.rotmg(&mut d1, &mut d2, &mut x1, &mut y1, &mut param[..])?)
                });
            }
        }
    }
    each!(s, typed: f32, f64);
}

pub(super) fn tall_gemv<B: Backend>(s: &mut Sweep<'_, B>) {
    for log in 1..=16 {
        let (m, n) = (1usize << log, 2);
        for offset in 0..4 {
            s.check(format!("m {m} offset {offset}"), |h, rng| {
                let mut draw = |len: usize| (0..len + offset).map(|_| rng.unit()).collect::<Vec<_>>();
                let (a, x) = (draw(m * n), draw(n));
                let (da, dx) = (h.upload(&a)?, h.upload(&x)?);
                for _ in 0..10 {
                    let mut y = h.upload(&vec![f64::NAN; m + offset])?;
                    let (av, xv) =
                        (da.slice().skip(offset)?.mat(m, n, Layout::Col)?, dx.slice().skip(offset)?);
                    h.gemv(1.0, av, xv.vec(n, 1)?, 0.0, y.slice_mut().skip(offset)?.vec(m, 1)?)?;
                    let y = y.to_vec(h)?;
                    for i in 0..m {
                        let terms = [a[offset + i] * x[offset], a[offset + i + m] * x[offset + 1]];
                        let (want, size) = (terms[0] + terms[1], terms[0].abs() + terms[1].abs());
                        let got = y[offset + i];
                        ensure((got - want).abs() <= 2.0 * f64::EPSILON * size, || {
                            format!("y[{i}]: got {got}, want {want}")
                        })?;
                    }
                }
                Ok(())
            });
        }
    }
}

pub(super) fn toeplitz_solves<B: Backend>(s: &mut Sweep<'_, B>) {
    for n in 1..=64usize {
        s.check(format!("n {n}"), |h, _| {
            let column = [-18.0, -60.0, -80.0];
            let l = |i: usize, j: usize| {
                if i >= j { column.get(i - j).copied().unwrap_or(0.0) } else { f64::NAN }
            };
            let a: Vec<f64> = (0..n * n).map(|at| l(at % n, at / n)).collect();
            let exact: Vec<f64> = (1..=n).map(|i| i as f64).collect();
            let times =
                |x: &[f64]| -> Vec<f64> { (0..n).map(|i| (0..=i).map(|j| l(i, j) * x[j]).sum()).collect() };
            let b = times(&exact);
            let a = h.upload(&a)?;
            let view = a.mat(n, n, Layout::Col)?.lower(Diag::NonUnit);
            let (mut x, mut y) = (h.upload(&b)?, h.upload(&b)?);
            h.trsv(view, x.vec_mut())?;
            h.trsm(Side::Left, 1.0, view, y.mat_mut(n, 1, Layout::Col)?)?;
            for x in [x.to_vec(h)?, y.to_vec(h)?] {
                let size: Vec<f64> = {
                    let size = |i: usize| (0..=i).map(|j| (l(i, j) * x[j]).abs()).sum();
                    (0..n).map(size).collect()
                };
                let left = times(&x);
                for i in 0..n {
                    let residual = (left[i] - b[i]).abs();
                    ensure(residual <= 1e-10 * size[i], || {
                        format!("residual {i} is {residual:e} of {:e}", size[i])
                    })?;
                    let wrong = (x[i] / exact[i] - 1.0).abs();
                    ensure(n > 8 || wrong <= 1e-6, || format!("x[{i}]: got {}, want {}", x[i], exact[i]))?;
                }
            }
            Ok(())
        });
    }
}

pub(super) fn small_triangles<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let ops = [Trans::N, Trans::T, Trans::C, Trans::ConjN];
        for n in 1..=20usize {
            for (uplo, trans, diag) in [Uplo::Lower, Uplo::Upper]
                .into_iter()
                .flat_map(|u| ops.into_iter().flat_map(move |t| [(u, t, Diag::NonUnit), (u, t, Diag::Unit)]))
            {
                s.check(format!("{} n {n} {uplo:?} {trans:?} {diag:?}", T::DTYPE), |h, rng| {
                    let mut draw = |len: usize| -> Vec<T> {
                        let part = |rng: &mut crate::rng::Rng| (1 + rng.below(5)) as f64;
                        (0..len).map(|_| T::from_z(Z::new(part(rng), part(rng)))).collect()
                    };
                    let (mut a, x) = (draw(n * n), draw(n));
                    for i in 0..n {
                        a[i * (n + 1)] =
                            if diag == Diag::Unit { T::poison(i) } else { num([1.0, 2.0, 4.0][i % 3]) };
                        for j in 0..n {
                            if if uplo == Uplo::Lower { i < j } else { i > j } {
                                a[i + j * n] = T::poison(i);
                            }
                        }
                    }
                    let seen = |i: usize, j: usize| {
                        let (r, c) = if trans.is_transposed() { (j, i) } else { (i, j) };
                        if r == c && diag == Diag::Unit {
                            return Z::new(1.0, 0.0);
                        }
                        if if uplo == Uplo::Lower { r < c } else { r > c } {
                            return Z::new(0.0, 0.0);
                        }
                        let z = a[r + c * n].z();
                        if trans.is_conjugated() { z.conj() } else { z }
                    };
                    let want: Vec<Z> = (0..n).map(|i| (0..n).map(|j| seen(i, j) * x[j].z()).sum()).collect();
                    let da = h.upload(&a)?;
                    let mut view = da.mat(n, n, Layout::Col)?.tri(uplo, diag);
                    view = if trans.is_transposed() { view.t() } else { view };
                    view = if trans.is_conjugated() { view.conj() } else { view };
                    for inc in [1isize, 2, -1] {
                        let step = inc.unsigned_abs();
                        let mut stored = vec![T::poison(5); n * step];
                        let at = |i: usize| if inc < 0 { n - 1 - i } else { i * step };
                        for i in 0..n {
                            stored[at(i)] = x[i];
                        }
                        let mut dx = h.upload(&stored)?;
                        h.trmv(view, dx.slice_mut().vec(n, inc)?)?;
                        let got = dx.to_vec(h)?;
                        same(&(0..n).map(|i| got[at(i)]).collect::<Vec<_>>(), &want)?;
                        // Small integers and powers of two: the way back is exact too.
                        h.trsv(view, dx.slice_mut().vec(n, inc)?)?;
                        let got = dx.to_vec(h)?;
                        same(
                            &(0..n).map(|i| got[at(i)]).collect::<Vec<_>>(),
                            &x.iter().map(|v| v.z()).collect::<Vec<_>>(),
                        )?;
                    }
                    Ok(())
                });
            }
        }
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn odd_gemv_with_padding<B: Backend>(s: &mut Sweep<'_, B>) {
    for (m, n, ld) in [(17, 32, 50), (15, 31, 16), (33, 7, 33)] {
        s.check(format!("{m} x {n}, ld {ld}"), |h, rng| {
            let a = ints::<Complex<f64>>(rng, ld * n, 3);
            let x = ints::<Complex<f64>>(rng, n, 3);
            let before: Vec<Complex<f64>> = (0..m + 64).map(Num::poison).collect();
            let (da, dx, mut dy) = (h.upload(&a)?, h.upload(&x)?, h.upload(&before)?);
            let alpha = Complex::new(-1.0, 0.0);
            let view = da.slice().mat_ld(m, n, Layout::Col, ld)?;
            h.gemv(alpha, view, dx.vec(), Complex::new(0.0, 0.0), dy.slice_mut().skip(32)?.vec(m, 1)?)?;
            let y = dy.to_vec(h)?;
            let want: Vec<Z> = (0..m).map(|i| (0..n).map(|j| -(a[i + j * ld] * x[j])).sum()).collect();
            same(&y[32..32 + m], &want)?;
            same_bits(&y[..32], &before[..32])?;
            same_bits(&y[32 + m..], &before[32 + m..])
        });
    }
}
