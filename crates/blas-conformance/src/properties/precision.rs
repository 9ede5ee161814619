//! Mixed precision: what f16 and bf16 inputs, f32 sums and their coefficients must give.

use blas_api::*;

use super::sweep::*;
use crate::num::{Num, Z};

/// The names of the two half types, and what they share.
trait Half: Scalar<Coef = f32, Real = Self> + Num {}
impl Half for f16 {}
impl Half for bf16 {}

/// C(f32) = alpha * A * B + beta * C with half inputs, of column-major arrays without padding.
fn gemm_ex<A: Half, B: Backend>(
    h: &Handle<B>,
    (m, n, k): (usize, usize, usize),
    alpha: f32,
    a: &[A],
    b: &[A],
    beta: f32,
    c: &[f32],
) -> Result<Vec<f32>>
where
    (A, f32): GemmExTypes<Coef = f32>,
{
    let (a, b, mut c) = (h.upload(a)?, h.upload(b)?, h.upload(c)?);
    let (av, bv) = (a.mat(m, k, Layout::Col)?, b.mat(k, n, Layout::Col)?);
    h.gemm_ex(av, bv, c.mat_mut(m, n, Layout::Col)?).alpha(alpha).beta(beta).run()?;
    c.to_vec(h)
}

/// C = alpha * A * B with C of the type of A.
fn gemm<T: Scalar, B: Backend>(
    h: &Handle<B>,
    (m, n, k): (usize, usize, usize),
    alpha: T::Coef,
    a: &[T],
    b: &[T],
) -> Result<Vec<T>> {
    let (a, b, mut c) = (h.upload(a)?, h.upload(b)?, h.alloc::<T>(m * n)?);
    let (av, bv) = (a.mat(m, k, Layout::Col)?, b.mat(k, n, Layout::Col)?);
    h.gemm(alpha, av, bv, T::Coef::from_parts([0.0; 2]), c.mat_mut(m, n, Layout::Col)?)?;
    c.to_vec(h)
}

fn is<T: PartialEq + std::fmt::Debug>(got: T, want: T) -> Check {
    ensure(got == want, || format!("got {got:?}, want {want:?}"))
}

pub(super) fn compute_type<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<A: Half, B: Backend>(s: &mut Sweep<'_, B>)
    where
        (A, f32): GemmExTypes<Coef = f32>,
    {
        let one = [num::<A>(1.0)];
        s.check(format!("{} alpha", A::DTYPE), |h, _| {
            is(gemm_ex(h, (1, 1, 1), 2049.0, &one, &one, 0.0, &[f32::NAN])?, vec![2049.0])
        });
        s.check(format!("{} long sum", A::DTYPE), |h, _| {
            let ones = vec![num::<A>(1.0); 4096];
            is(gemm_ex(h, (1, 1, 4096), 1.0, &ones, &ones, 0.0, &[f32::NAN])?, vec![4096.0])
        });
    }
    each!(s, typed: f16, bf16);
}

pub(super) fn f32_output_is_read_as_f32<B: Backend>(s: &mut Sweep<'_, B>) {
    for n in [1, 5] {
        s.check(format!("{n} x {n}"), |h, _| {
            let eye: Vec<bf16> = (0..n * n).map(|i| num(f64::from(u8::from(i % (n + 1) == 0)))).collect();
            let ones = vec![bf16::ONE; n * n];
            let c = gemm_ex(h, (n, n, n), 1.0, &eye, &ones, 1.0, &vec![3.25; n * n])?;
            is(c, vec![4.25; n * n])
        });
    }
}

pub(super) fn only_the_store_overflows<B: Backend>(s: &mut Sweep<'_, B>) {
    // Name, row of A, column of B, and the sum in f16 and in f32.
    type Case = (&'static str, &'static [f32], &'static [f32], f32, f32);
    let cases: [Case; 4] = [
        ("256 * 256", &[256.0], &[256.0], f32::INFINITY, 65536.0),
        ("65504", &[65504.0], &[1.0], 65504.0, 65504.0),
        ("65519 rounds down", &[65504.0, 15.0], &[1.0, 1.0], 65504.0, 65519.0),
        ("65520 ties to 2^16", &[65504.0, 16.0], &[1.0, 1.0], f32::INFINITY, 65520.0),
    ];
    for (name, a, b, half, single) in cases {
        let narrow = |v: &[f32]| v.iter().map(|&v| f16::from_f32(v)).collect::<Vec<_>>();
        let (a, b, k) = (narrow(a), narrow(b), a.len());
        s.check(format!("{name}, f16"), |h, _| {
            is(gemm(h, (1, 1, k), 1.0, &a, &b)?, vec![f16::from_f32(half)])
        });
        s.check(format!("{name}, f32"), |h, _| {
            is(gemm_ex(h, (1, 1, k), 1.0, &a, &b, 0.0, &[f32::NAN])?, vec![single])
        });
    }
}

pub(super) fn norms_of_halves<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Half, B: Backend>(s: &mut Sweep<'_, B>) {
        let tiny = 2f64.powi(-14);
        let cases = [
            ("[300, 400]", vec![300.0, 400.0], 500.0),
            ("[2^-14, 2^-14]", vec![tiny, tiny], tiny * 2f64.sqrt()),
            ("4096 of 16", vec![16.0; 4096], 1024.0),
        ];
        for (name, x, norm) in cases {
            let x: Vec<T> = x.into_iter().map(num).collect();
            s.check(format!("{} nrm2 {name}", T::DTYPE), |h, _| {
                // 300 is not a bf16: the norm is that of the elements as stored.
                let exact = x.iter().map(|v| v.z().re * v.z().re).sum::<f64>().sqrt();
                ensure((exact / norm - 1.0).abs() < 2f64.powi(-8), || format!("{exact} is not {norm}"))?;
                is(h.nrm2(h.upload(&x)?.vec())?, num(exact))
            });
            s.check(format!("{} dot {name}", T::DTYPE), |h, _| {
                let exact = x.iter().map(|v| v.z().re * v.z().re).sum::<f64>();
                let x = h.upload(&x)?;
                is(h.dot(x.vec(), x.vec())?, num(exact))
            });
        }
    }
    each!(s, typed: f16, bf16);
}

pub(super) fn coefficients_stay_wide<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<A: Half, B: Backend>(s: &mut Sweep<'_, B>)
    where
        (A, f32): GemmExTypes<Coef = f32>,
    {
        let one = [num::<A>(1.0)];
        let fine = 1.0 + 2f32.powi(-11);
        for alpha in [2049.0, fine] {
            s.check(format!("{} alpha {alpha}", A::DTYPE), |h, _| {
                is(gemm_ex(h, (1, 1, 1), alpha, &one, &one, 0.0, &[f32::NAN])?, vec![alpha])
            });
        }
        s.check(format!("{} beta {fine}", A::DTYPE), |h, _| {
            let zero = [num::<A>(0.0)];
            is(gemm_ex(h, (1, 1, 1), 1.0, &zero, &one, fine, &[1.0])?, vec![fine])
        });
        s.check(format!("{} alpha 1e-6", A::DTYPE), |h, _| {
            let thousand = [num::<A>(1000.0)];
            is(gemm(h, (1, 1, 1), 1e-6, &thousand, &thousand)?, one.to_vec())
        });
    }
    each!(s, typed: f16, bf16);
}

pub(super) fn sums_stay_wide<B: Backend>(s: &mut Sweep<'_, B>) {
    let (n, k) = (8, 8192);
    let a = vec![f16::ONE; n * k];
    let b: Vec<f16> = (0..k * n).map(|i| num(if i % k < k / 2 { 60000.0 } else { -60000.0 })).collect();
    s.check("f16 out", |h, _| is(gemm(h, (n, n, k), 1.0, &a, &b)?, vec![f16::ZERO; n * n]));
    s.check("f32 out", |h, _| {
        is(gemm_ex(h, (n, n, k), 1.0, &a, &b, 0.0, &vec![f32::NAN; n * n])?, vec![0.0; n * n])
    });
}

pub(super) fn odd_k<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Half, B: Backend>(s: &mut Sweep<'_, B>) {
        let sizes: &[usize] = if s.full() { &[128, 1024] } else { &[128] };
        for &m in sizes {
            for &n in sizes {
                for k in [1, 3, 133] {
                    s.check(format!("{} {m} x {n} x {k}", T::DTYPE), |h, rng| {
                        // Sums of at most 133 products of at most 4, exact in f32; rounded once to store.
                        let (a, b) = (ints::<T>(rng, m * k, 2), ints::<T>(rng, k * n, 2));
                        same(&gemm(h, (m, n, k), 1.0, &a, &b)?, &product(m, n, k, &a, &b))
                    });
                }
            }
        }
    }
    each!(s, typed: f16, bf16);
}

pub(super) fn odd_sizes_stay_in_bounds<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Half, B: Backend>(s: &mut Sweep<'_, B>) {
        for m in (1..=17).step_by(2) {
            for n in (1..=17).step_by(2) {
                for k in (1..=17).step_by(2) {
                    s.check(format!("{} {m} x {n} x {k}", T::DTYPE), |h, rng| {
                        let (a, b) = (ints::<T>(rng, m * k, 2), ints::<T>(rng, k * n, 2));
                        // NaN behind the inputs, sentinels behind the output.
                        let behind =
                            |v: &[T]| v.iter().copied().chain((0..32).map(T::poison)).collect::<Vec<_>>();
                        let (da, db) = (h.upload(&behind(&a))?, h.upload(&behind(&b))?);
                        let before = behind(&vec![T::poison(7); m * n]);
                        let mut dc = h.upload(&before)?;
                        let (av, bv) = (da.mat(m, k, Layout::Col)?, db.mat(k, n, Layout::Col)?);
                        h.gemm(1.0, av, bv, 0.0, dc.mat_mut(m, n, Layout::Col)?)?;
                        let c = dc.to_vec(h)?;
                        same(&c[..m * n], &product(m, n, k, &a, &b))?;
                        same_bits(&c[m * n..], &before[m * n..])
                    });
                }
            }
        }
    }
    each!(s, typed: f16, bf16);
}

pub(super) fn integers<B: Backend>(s: &mut Sweep<'_, B>) {
    for layout in [Layout::Col, Layout::Row] {
        for (m, n, k) in [(4, 2, 4), (5, 3, 7), (33, 17, 65)] {
            s.check(format!("i8 {layout:?} {m} x {n} x {k}"), |h, rng| {
                let (a, b) = (ints::<i8>(rng, m * k, 10), ints::<i8>(rng, k * n, 10));
                let (da, db, mut dc) = (h.upload(&a)?, h.upload(&b)?, h.upload(&vec![-7i32; m * n])?);
                // A row-major product is the transposed column-major one.
                match layout {
                    Layout::Col => {
                        h.gemm_ex(da.mat(m, k, layout)?, db.mat(k, n, layout)?, dc.mat_mut(m, n, layout)?)
                    }
                    Layout::Row => {
                        h.gemm_ex(db.mat(n, k, layout)?, da.mat(k, m, layout)?, dc.mat_mut(n, m, layout)?)
                    }
                }
                .run()?;
                let want: Vec<Z> = product(m, n, k, &a, &b);
                same(&dc.to_vec(h)?, &want)
            });
        }
    }
}
