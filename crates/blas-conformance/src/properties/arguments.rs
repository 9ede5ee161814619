//! Arguments: what is legal, what is refused, and what the other ones mean.

use blas_api::*;

use super::sweep::*;
use crate::num::{Num, Z};

pub(super) fn band_bounds<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let (n, k, kl, ku) = (5, 2, 1, 2);
        let (one, zero) = (num::<T>(1.0), num::<T>(0.0));
        // Length and leading dimension, and whether they are legal for `height` diagonals.
        let cases = |height: usize| {
            let full = |ld: usize| ld * (n - 1) + height;
            [
                (64, height - 1, false),
                (full(height), height, true),
                (full(height) - 1, height, false),
                (full(9), 9, true),
                (full(9) - 1, 9, false),
            ]
        };
        for layout in [Layout::Col, Layout::Row] {
            for uplo in [Uplo::Lower, Uplo::Upper] {
                for (len, ld, legal) in cases(k + 1) {
                    s.check(format!("{} sbmv {layout:?} {uplo:?} {len} {ld}", T::DTYPE), |h, _| {
                        let a = h.upload(&vec![zero; len])?;
                        let (x, mut y) = (h.upload(&[one; 5])?, h.upload(&[num::<T>(7.0); 5])?);
                        let view = a.slice().herm_band(n, k, uplo, layout, ld);
                        let tri = a.slice().tri_band(n, k, uplo, Diag::NonUnit, layout, ld);
                        if !legal {
                            refused(view, "a short Hermitian band")?;
                            return refused(tri, "a short triangular band");
                        }
                        h.hbmv(one, view?, x.vec(), zero, y.vec_mut())?;
                        same(&y.to_vec(h)?, &[Z::new(0.0, 0.0); 5])?;
                        h.tbmv(tri?, y.vec_mut())?;
                        same(&y.to_vec(h)?, &[Z::new(0.0, 0.0); 5])
                    });
                }
            }
            for (len, ld, legal) in cases(kl + ku + 1) {
                s.check(format!("{} gbmv {layout:?} {len} {ld}", T::DTYPE), |h, _| {
                    let a = h.upload(&vec![one; len])?;
                    let (x, mut y) = (h.upload(&[one; 5])?, h.upload(&[T::poison(0); 5])?);
                    let view = a.slice().band(n, n, kl, ku, layout, ld);
                    if !legal {
                        return refused(view, "a short band");
                    }
                    h.gbmv(one, view?, x.vec(), zero, y.vec_mut())?;
                    same(&y.to_vec(h)?, &[3.0, 4.0, 4.0, 3.0, 2.0].map(|v| Z::new(v, 0.0)))
                });
            }
        }
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn every_op_of_an_update_counts<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let (n, k) = (3, 2);
        for (la, lc) in
            [Layout::Col, Layout::Row].into_iter().flat_map(|a| [(a, Layout::Col), (a, Layout::Row)])
        {
            for (transposed, conjugated) in [(false, false), (false, true), (true, false), (true, true)] {
                for hermitian in [false, true] {
                    let name = format!(
                        "{} {} A {la:?} {:?}, C {lc:?}",
                        T::DTYPE,
                        if hermitian { "herk" } else { "syrk" },
                        Trans::new(transposed, conjugated)
                    );
                    s.check(name, |h, rng| {
                        let a = ints::<T>(rng, n * k, 3);
                        let da = h.upload(&a)?;
                        let (rows, cols) = if transposed { (k, n) } else { (n, k) };
                        let mut av = da.mat(rows, cols, la)?;
                        if transposed {
                            av = av.t();
                        }
                        if conjugated {
                            av = av.conj();
                        }
                        let seen = |i: usize, p: usize| {
                            let (i, p) = if transposed { (p, i) } else { (i, p) };
                            let at = if la == Layout::Col { i + p * rows } else { i * cols + p };
                            if conjugated { a[at].z().conj() } else { a[at].z() }
                        };
                        let before = vec![T::poison(1); n * n];
                        let mut c = h.upload(&before)?;
                        let cv = c.mat_mut(n, n, lc)?;
                        if hermitian {
                            h.herk(
                                T::Real::from_parts([1.0, 0.0]),
                                av,
                                T::Real::from_parts([0.0; 2]),
                                cv.herm(Uplo::Lower),
                            )?;
                        } else {
                            h.syrk(num::<T>(1.0), av, num::<T>(0.0), cv.sym(Uplo::Lower))?;
                        }
                        let c = c.to_vec(h)?;
                        for j in 0..n {
                            for i in 0..n {
                                let at = if lc == Layout::Col { i + j * n } else { i * n + j };
                                if i < j {
                                    same_bits(&c[at..=at], &before[at..=at])?;
                                    continue;
                                }
                                let term = |p| {
                                    let y = seen(j, p);
                                    seen(i, p) * if hermitian { y.conj() } else { y }
                                };
                                same(&c[at..=at], &[(0..k).map(term).sum()])?;
                            }
                        }
                        Ok(())
                    });
                }
            }
        }
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn strides_of_single_columns<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        // Whatever the stride of the axis of length 1: the two elements lie side by side.
        for (rs, cs) in [(1, 1), (1, 0), (1, 7), (1, usize::MAX)] {
            s.check(format!("{} strides {rs}, {cs}", T::DTYPE), |h, _| {
                let a = h.upload(&[1.0, 2.0].map(num::<T>))?;
                let mut y = h.upload(&[T::poison(0)])?;
                let view = a.slice().mat_strided(2, 1, rs, cs)?;
                h.gemv(num::<T>(1.0), view.t(), a.vec(), num::<T>(0.0), y.vec_mut())?;
                same(&y.to_vec(h)?, &[Z::new(5.0, 0.0)])?;
                let mut c = h.upload(&[T::poison(0)])?;
                h.gemm(num::<T>(1.0), view.t(), view, num::<T>(0.0), c.mat_mut(1, 1, Layout::Col)?)?;
                same(&c.to_vec(h)?, &[Z::new(5.0, 0.0)])
            });
        }
    }
    each!(s, typed: f32, f64);
}

pub(super) fn work_is_counted_wide<B: Backend>(s: &mut Sweep<'_, B>) {
    let flops = |m, n, k| {
        let nowhere = Matrix { data: Address::single(std::ptr::null_mut()), ld: 1 };
        GemmDesc {
            types: GemmTypes::plain(DType::F32),
            batch: 1,
            ta: Trans::N,
            tb: Trans::N,
            m,
            n,
            k,
            alpha: RawScalar::ONE,
            a: nowhere,
            b: nowhere,
            beta: RawScalar::ZERO,
            c: nowhere,
        }
        .flops()
    };
    for (m, n, k) in [
        (1291, 1291, 1291),
        (2048, 2048, 2048),
        (70000, 70000, 1),
        (1, 1, 1 << 33),
        (1 << 40, 1 << 40, 1 << 40),
    ] {
        s.check(format!("{m} x {n} x {k}"), |_, _| {
            let want = 2.0 * m as f64 * n as f64 * k as f64;
            ensure(flops(m, n, k) == want, || format!("got {}, want {want}", flops(m, n, k)))?;
            ensure(flops(m, n, k + 1) > flops(m, n, k) || want > 2f64.powi(53), || "not monotone".to_owned())
        });
    }
    // Thin products on either side of the thresholds, for the dispatch of the backend itself.
    for (m, n, k) in [(70000, 3, 1), (3, 70000, 1), (1, 1, 1 << 20)] {
        s.check(format!("run {m} x {n} x {k}"), |h, _| {
            let (a, b) = (h.upload(&vec![1f32; m * k])?, h.upload(&vec![1f32; k * n])?);
            let mut c = h.upload(&vec![f32::NAN; m * n])?;
            h.gemm(
                1.0,
                a.mat(m, k, Layout::Col)?,
                b.mat(k, n, Layout::Col)?,
                0.0,
                c.mat_mut(m, n, Layout::Col)?,
            )?;
            same(&c.to_vec(h)?, &vec![Z::new(k as f64, 0.0); m * n])
        });
    }
}

pub(super) fn axpby<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        // alpha, beta, whether x and y are NaN, and what one element x = 3, y = 5 becomes.
        let cases =
            [(0.0, 2.0, true, false, 10.0), (2.0, 0.0, false, true, 6.0), (0.0, 0.0, true, true, 0.0)];
        for (alpha, beta, x_nan, y_nan, want) in cases {
            for inc in [1isize, -1, 2] {
                for n in [1, 2, 33] {
                    s.check(format!("{} {alpha} {beta} inc {inc} n {n}", T::DTYPE), |h, _| {
                        let fill = |nan: bool, v: f64| if nan { T::poison(3) } else { num(v) };
                        let x = h.upload(&vec![fill(x_nan, 3.0); n])?;
                        // Poison between the strides, and behind the end.
                        let step = inc.unsigned_abs();
                        let is_y = |i: usize| i.is_multiple_of(step) && i / step < n;
                        let y: Vec<T> = (0..2 * n)
                            .map(|i| if is_y(i) { fill(y_nan, 5.0) } else { T::poison(9) })
                            .collect();
                        let mut dy = h.upload(&y)?;
                        let coef = |v| T::Coef::from_parts([v, 0.0]);
                        h.axpby(coef(alpha), x.vec(), coef(beta), dy.slice_mut().vec(n, inc)?)?;
                        for (i, (g, b)) in dy.to_vec(h)?.into_iter().zip(y).enumerate() {
                            if is_y(i) {
                                same(&[g], &[Z::new(want, 0.0)])?;
                            } else {
                                same_bits(&[g], &[b])?;
                            }
                        }
                        Ok(())
                    });
                }
            }
        }
    }
    each!(s, typed: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
}
