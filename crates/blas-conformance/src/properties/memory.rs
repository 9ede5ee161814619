//! What lies beside the operands: gaps, other triangles, unaligned starts.

use blas_api::*;

use super::sweep::*;
use crate::num::{Num, Z};

/// The elements `inc` apart in BLAS's order, poison between them.
fn strided<T: Num>(x: &[T], inc: isize) -> Vec<T> {
    let step = inc.unsigned_abs();
    let mut out: Vec<T> = (0..x.len() * step).map(T::poison).collect();
    for (i, v) in x.iter().enumerate() {
        out[place(i, x.len(), inc)] = *v;
    }
    out
}

/// Where logical element `i` of `n` lies.
fn place(i: usize, n: usize, inc: isize) -> usize {
    if inc < 0 { (n - 1 - i) * inc.unsigned_abs() } else { i * inc.unsigned_abs() }
}

/// The logical elements, after a check that all others still hold their poison.
fn gathered<T: Num>(stored: &[T], n: usize, inc: isize) -> std::result::Result<Vec<T>, Trouble> {
    let x: Vec<T> = (0..n).map(|i| stored[place(i, n, inc)]).collect();
    same_bits(stored, &strided(&x, inc))?;
    Ok(x)
}

/// A call on two vectors and a matrix of order n, each of which it may write; the matrix's storage is any.
type Call<'c, T, B> =
    Box<dyn Fn(&Handle<B>, VecMut<'_, T, B>, VecMut<'_, T, B>, SliceMut<'_, T, B>) -> Result<Option<Z>> + 'c>;

/// Routines of Levels 1 and 2, with what they need beside vectors in `a`: a tridiagonal matrix of small integers.
fn calls<'c, T: Field + Num, B: Backend>(n: usize) -> Vec<(&'static str, Call<'c, T, B>)> {
    let (two, real) = (num::<T>(2.0), T::Real::from_parts([2.0, 0.0]));
    let (col, low, up) = (Layout::Col, Uplo::Lower, Uplo::Upper);
    macro_rules! call {
        ($name:literal, |$h:ident, $x:ident, $y:ident, $a:ident| $e:expr) => {
            (
                $name,
                Box::new(
                    move |$h: &Handle<B>,
                          $x: VecMut<'_, T, B>,
                          $y: VecMut<'_, T, B>,
                          $a: SliceMut<'_, T, B>| {
                        let _ = (&$x, &$y, &$a);
                        $e.map(|()| None)
                    },
                ) as Call<'c, T, B>,
            )
        };
    }
    macro_rules! value {
        ($name:literal, |$h:ident, $x:ident, $y:ident| $e:expr) => {
            (
                $name,
                Box::new(
                    move |$h: &Handle<B>,
                          $x: VecMut<'_, T, B>,
                          $y: VecMut<'_, T, B>,
                          _: SliceMut<'_, T, B>| {
                        let _ = &$y;
                        $e.map(Some)
                    },
                ) as Call<'c, T, B>,
            )
        };
    }
    let index = |i: Option<usize>| Z::new(i.map_or(-1.0, |i| i as f64), 0.0);
    let whole = |v: T::Real| Z::new(v.parts()[0], 0.0);
    vec![
        call!("swap", |h, x, y, a| h.swap(x, y)),
        call!("scal", |h, x, y, a| h.scal(two, x)),
        call!("scal_real", |h, x, y, a| h.scal_real(real, y)),
        call!("copy", |h, x, y, a| h.copy(x.rb(), y)),
        call!("axpy", |h, x, y, a| h.axpy(two, x.rb(), y)),
        call!("axpby", |h, x, y, a| h.axpby(two, x.rb(), two, y)),
        call!("rot", |h, x, y, a| h.rot(x, y, real, two)),
        value!("dot", |h, x, y| h.dot(x.rb(), y.rb()).map(|v| v.z())),
        value!("dotc", |h, x, y| h.dotc(x.rb(), y.rb()).map(|v| v.z())),
        value!("asum", |h, x, y| h.asum(x.rb()).map(whole)),
        // The squares of small integers have an exact sum.
        value!("nrm2", |h, x, y| h.nrm2(x.rb()).map(|v| Z::new(v.parts()[0].powi(2).round(), 0.0))),
        value!("iamax", |h, x, y| h.iamax(x.rb()).map(index)),
        value!("iamin", |h, x, y| h.iamin(x.rb()).map(index)),
        call!("gemv", |h, x, y, a| h.gemv(two, a.rb().mat(n, n, col)?, x.rb(), two, y)),
        call!("symv", |h, x, y, a| h.symv(two, a.rb().mat(n, n, col)?.sym(low), x.rb(), two, y)),
        call!("hemv", |h, x, y, a| h.hemv(two, a.rb().mat(n, n, col)?.herm(up), x.rb(), two, y)),
        call!("gbmv", |h, x, y, a| h.gbmv(two, a.rb().band(n, n, 1, 1, col, 3)?, x.rb(), two, y)),
        call!("hbmv", |h, x, y, a| h.hbmv(two, a.rb().herm_band(n, 1, up, col, 2)?, x.rb(), two, y)),
        call!("hpmv", |h, x, y, a| h.hpmv(two, a.rb().herm_packed(n, low, col)?, x.rb(), two, y)),
        call!("trmv", |h, x, y, a| h.trmv(a.rb().mat(n, n, col)?.tri(low, Diag::NonUnit), x)),
        call!("tbmv", |h, x, y, a| h.tbmv(a.rb().tri_band(n, 1, up, Diag::NonUnit, col, 2)?, x)),
        call!("tpmv", |h, x, y, a| h.tpmv(a.rb().tri_packed(n, low, Diag::NonUnit, col)?, x)),
        call!("trsv", |h, x, y, a| h.trsv(a.rb().mat(n, n, col)?.tri(up, Diag::Unit), x)),
        call!("geru", |h, x, y, a| h.geru(two, x.rb(), y.rb(), a.mat(n, n, col)?)),
        call!("gerc", |h, x, y, a| h.gerc(two, x.rb(), y.rb(), a.mat(n, n, col)?)),
        call!("syr", |h, x, y, a| h.syr(two, x.rb(), a.mat(n, n, col)?.sym(up))),
        call!("her", |h, x, y, a| h.her(real, x.rb(), a.mat(n, n, col)?.herm(low))),
        call!("spr", |h, x, y, a| h.spr(two, x.rb(), a.sym_packed(n, up, col)?)),
        call!("hpr", |h, x, y, a| h.hpr(real, x.rb(), a.herm_packed(n, low, col)?)),
        call!("syr2", |h, x, y, a| h.syr2(two, x.rb(), y.rb(), a.mat(n, n, col)?.sym(low))),
        call!("her2", |h, x, y, a| h.her2(two, x.rb(), y.rb(), a.mat(n, n, col)?.herm(up))),
        call!("hpr2", |h, x, y, a| h.hpr2(two, x.rb(), y.rb(), a.herm_packed(n, up, col)?)),
    ]
}

pub(super) fn gaps_stay<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let (x, y) = (ints::<T>(&mut s.rng, 20, 3), ints::<T>(&mut s.rng, 20, 3));
        for n in 1..=20 {
            // Full, banded and packed storage see the same small integers; only one diagonal is set, so that solves
            // stay exact.
            let a: Vec<T> =
                (0..n * n.max(3)).map(|i| num(if i % (n + 1) == n { 1.0 } else { 0.0 })).collect();
            for (name, call) in calls::<T, B>(n) {
                s.check(format!("{} {name} n {n}", T::DTYPE), |h, _| {
                    let run = |incx: isize, incy: isize| {
                        let mut dx = h.upload(&strided(&x[..n], incx))?;
                        let mut dy = h.upload(&strided(&y[..n], incy))?;
                        let mut da = h.upload(&a)?;
                        let (xv, yv) = (dx.slice_mut().vec(n, incx)?, dy.slice_mut().vec(n, incy)?);
                        let value = call(h, xv, yv, da.slice_mut())?;
                        let (x, y) = (gathered(&dx.to_vec(h)?, n, incx)?, gathered(&dy.to_vec(h)?, n, incy)?);
                        Ok::<_, Trouble>((value, x, y, da.to_vec(h)?))
                    };
                    let want = run(1, 1)?;
                    for (incx, incy) in [(2, 3), (-2, 3), (2, -3), (-2, -3)] {
                        let got = run(incx, incy)?;
                        ensure(got == want, || {
                            format!("increments {incx}, {incy}: got {got:?}, want {want:?}")
                        })?;
                    }
                    Ok(())
                });
            }
        }
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn other_triangle_stays<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let some = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65];
        let sizes: Vec<usize> = if s.full() { (1..=65).collect() } else { some.to_vec() };
        type Update<T, B> = fn(&Handle<B>, &Buffer<T, B>, usize, f64, MatMut<'_, T, B>, Uplo) -> Result;
        let updates: [(&str, Update<T, B>); 8] = [
            ("syrk", |h, a, n, beta, c, u| {
                h.syrk(num::<T>(1.0), a.mat(n, 3, Layout::Col)?, num::<T>(beta), c.sym(u))
            }),
            ("herk", |h, a, n, beta, c, u| {
                let real = |v: f64| T::Real::from_parts([v, 0.0]);
                h.herk(real(1.0), a.mat(n, 3, Layout::Col)?, real(beta), c.herm(u))
            }),
            ("syr2k", |h, a, n, beta, c, u| {
                let m = a.mat(n, 3, Layout::Col)?;
                h.syr2k(num::<T>(1.0), m, m, num::<T>(beta), c.sym(u))
            }),
            ("her2k", |h, a, n, beta, c, u| {
                let m = a.mat(n, 3, Layout::Col)?;
                h.her2k(num::<T>(1.0), m, m, T::Real::from_parts([beta, 0.0]), c.herm(u))
            }),
            ("syrkx", |h, a, n, beta, c, u| {
                let m = a.mat(n, 3, Layout::Col)?;
                h.syrkx(num::<T>(1.0), m, m, num::<T>(beta), c.sym(u))
            }),
            ("herkx", |h, a, n, beta, c, u| {
                let m = a.mat(n, 3, Layout::Col)?;
                h.herkx(num::<T>(1.0), m, m, T::Real::from_parts([beta, 0.0]), c.herm(u))
            }),
            ("syr", |h, a, n, _, c, u| h.syr(num::<T>(1.0), a.slice().vec(n, 1)?, c.sym(u))),
            ("her", |h, a, n, _, c, u| {
                h.her(T::Real::from_parts([1.0, 0.0]), a.slice().vec(n, 1)?, c.herm(u))
            }),
        ];
        for n in sizes {
            for (name, update) in updates {
                for beta in [0.0, 1.0, 0.5] {
                    if beta != 1.0 && (name == "syr" || name == "her") {
                        continue;
                    }
                    for (uplo, layout) in [Uplo::Lower, Uplo::Upper]
                        .into_iter()
                        .flat_map(|u| [(u, Layout::Col), (u, Layout::Row)])
                    {
                        s.check(
                            format!("{} {name} n {n} beta {beta} {uplo:?} {layout:?}", T::DTYPE),
                            |h, rng| {
                                let ld = n + 3;
                                let a = h.upload(&ints::<T>(rng, 3 * n, 3))?;
                                let mut c: Vec<T> = (0..ld * n).map(T::poison).collect();
                                let stored = |i: usize, j: usize| {
                                    let (r, c) = if layout == Layout::Col { (i, j) } else { (j, i) };
                                    i < n && if uplo == Uplo::Lower { r >= c } else { r <= c }
                                };
                                for at in (0..ld * n).filter(|at| beta != 0.0 && stored(at % ld, at / ld)) {
                                    c[at] = num(4.0);
                                }
                                let mut dc = h.upload(&c)?;
                                update(h, &a, n, beta, dc.slice_mut().mat_ld(n, n, layout, ld)?, uplo)?;
                                for (at, (g, b)) in dc.to_vec(h)?.iter().zip(&c).enumerate() {
                                    if stored(at % ld, at / ld) {
                                        ensure(g.z() == g.z(), || format!("element {at} is {g:?}"))?;
                                    } else {
                                        ensure(g.bits() == b.bits(), || {
                                            format!("element {at} was written: {g:?}")
                                        })?;
                                    }
                                }
                                Ok(())
                            },
                        );
                    }
                }
            }
        }
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn alignment_does_not_matter<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let (one, zero) = (T::Coef::from_parts([1.0, 0.0]), T::Coef::from_parts([0.0; 2]));
        let most = 64 / size_of::<T>();
        let step = if s.full() { 1 } else { (most / 4).max(1) };
        for shift in (1..most).step_by(step) {
            s.check(format!("{} shift {shift}", T::DTYPE), |h, rng| {
                // Sums of small integers are exact, so the order of summation does not matter either.
                let (a, b) = (ints::<T>(rng, 100 * 200, 1), ints::<T>(rng, 33 * 33, 1));
                let shifted =
                    |v: &[T]| (0..shift).map(T::poison).chain(v.iter().copied()).collect::<Vec<_>>();
                let run = |shift: usize| -> Result<(Vec<T>, Vec<T>, T)> {
                    let put = |v: &[T]| h.upload(&if shift == 0 { v.to_vec() } else { shifted(v) });
                    let (da, db) = (put(&a)?, put(&b)?);
                    let (mut y, mut c) = (put(&[T::poison(0); 100])?, put(&[T::poison(0); 33 * 33])?);
                    let (a, b) = (da.slice().skip(shift)?, db.slice().skip(shift)?);
                    let yv = y.slice_mut().skip(shift)?.vec(100, 1)?;
                    h.gemv(one, a.mat(100, 200, Layout::Col)?, a.vec(200, 1)?, zero, yv)?;
                    let cv = c.slice_mut().skip(shift)?.mat(33, 33, Layout::Col)?;
                    h.gemm(one, b.mat(33, 33, Layout::Col)?, a.mat(33, 33, Layout::Row)?, zero, cv)?;
                    let dot = h.dot(a.vec(1000, 1)?, b.vec(1000, 1)?)?;
                    Ok((y.to_vec(h)?.split_off(shift), c.to_vec(h)?.split_off(shift), dot))
                };
                let (want, got) = (run(0)?, run(shift)?);
                ensure(got == want, || "the result depends on alignment".to_owned())
            });
        }
    }
    each!(s, typed: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
}
