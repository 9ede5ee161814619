//! Triangles of Level 2 that threads share out: what comes of them on several threads is what plain loops give, it has the
//! same bits each time, and a NaN goes where it must and nowhere else.

#[path = "common/flags.rs"]
mod flags;
#[path = "common/numbers.rs"]
mod numbers;

use blas_api::*;
use blas_cpu::CpuHandle;
use flags::*;
use numbers::*;
use rayon::ThreadPoolBuilder;

/// Enough for several threads in every type, and no multiple of anything.
const N: usize = 779;
const LD: usize = N + 2;
/// Off-diagonals of bands.
const K: usize = 401;

/// What is stored, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Full,
    Band,
    Packed,
}
const FORMS: [Form; 3] = [Form::Full, Form::Band, Form::Packed];

/// A stored triangle: integers off the diagonal, pivots that divide exactly on it, and NaN wherever nothing is.
struct Stored<T> {
    form: Form,
    uplo: Uplo,
    data: Vec<T>,
}

impl<T: Scalar> Stored<T> {
    fn new(form: Form, uplo: Uplo) -> Self {
        let mut s = Stored { form, uplo, data: vec![el(Z::new(f64::NAN, f64::NAN)); LD * N] };
        for p in 0..N * N {
            let (i, j) = (p % N, p / N);
            if s.has(i, j) {
                let pivot = [Z::new(2.0, 0.0), Z::new(-1.0, 0.0)][i % 2];
                s.set(i, j, if i == j { pivot } else { integer::<T>(3, 101 * i + 13 * j) });
            }
        }
        s
    }
    fn has(&self, i: usize, j: usize) -> bool {
        let inside = self.form != Form::Band || i.abs_diff(j) <= K;
        inside && if self.uplo == Uplo::Lower { i >= j } else { i <= j }
    }
    fn position(&self, i: usize, j: usize) -> usize {
        match (self.form, self.uplo) {
            (Form::Full, _) => i + j * LD,
            (Form::Band, Uplo::Lower) => i - j + j * LD,
            (Form::Band, Uplo::Upper) => K + i - j + j * LD,
            (Form::Packed, Uplo::Lower) => j * (2 * N - j + 1) / 2 + i - j,
            (Form::Packed, Uplo::Upper) => j * (j + 1) / 2 + i,
        }
    }
    fn set(&mut self, i: usize, j: usize, v: Z) {
        let p = self.position(i, j);
        self.data[p] = el(v);
    }
    fn at(&self, i: usize, j: usize) -> Z {
        if self.has(i, j) { z(self.data[self.position(i, j)]) } else { Z::ZERO }
    }
    /// The matrix that a mirrored triangle stands for.
    fn mirrored(&self, herm: bool, i: usize, j: usize) -> Z {
        match self.has(i, j) {
            true if herm && i == j => self.at(i, j).re.into(),
            true => self.at(i, j),
            false if herm => self.at(j, i).conj(),
            false => self.at(j, i),
        }
    }
    fn address(&mut self) -> Address {
        Address::Strided { ptr: self.data.as_mut_ptr().cast(), stride: 0 }
    }
    fn matrix(&mut self) -> Matrix {
        Matrix { data: self.address(), ld: LD }
    }
}

fn numbers<T: Scalar>(seed: usize) -> Vec<T> {
    (0..N).map(|i| el(integer::<T>(seed, i))).collect()
}

fn raw<T: Scalar>(x: &mut [T]) -> Vector {
    Vector { data: Address::Strided { ptr: x.as_mut_ptr().cast(), stride: 0 }, inc: 1 }
}

/// A * x by plain loops.
fn product<T: Scalar>(a: impl Fn(usize, usize) -> Z, x: &[T]) -> Vec<Z> {
    (0..N).map(|i| (0..N).map(|j| a(i, j) * z(x[j])).sum()).collect()
}

/// Runs `f` with a handle of so many threads, of eight that there are.
fn with_threads(f: impl Fn(&CpuHandle, usize) + Sync) {
    let pool = ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    for threads in [1, 2, 3, 8] {
        pool.install(|| {
            let h = CpuHandle::new();
            let mut policy = h.policy();
            policy.threads = Threads::Max(threads);
            h.set_policy(policy).unwrap();
            f(&h, threads);
        });
    }
}

#[track_caller]
fn assert_is<T: Scalar>(got: &[T], want: &[Z], what: &str) {
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        assert!(z(*got) == *want, "{what} {}: [{i}] is {}, not {want}", T::DTYPE, z(*got));
    }
}

unsafe fn multiply<T: Field>(h: &CpuHandle, a: &mut Stored<T>, flags: (Trans, Diag), x: &mut [T]) {
    let (dtype, uplo, (trans, diag), x) = (T::DTYPE, a.uplo, flags, raw(x));
    // SAFETY: the caller's promise.
    unsafe {
        match a.form {
            Form::Full => h.trmv(&TrmvDesc { dtype, batch: 1, uplo, trans, diag, n: N, a: a.matrix(), x }),
            Form::Band => {
                h.tbmv(&TbmvDesc { dtype, batch: 1, uplo, trans, diag, n: N, k: K, a: a.matrix(), x })
            }
            Form::Packed => {
                h.tpmv(&TpmvDesc { dtype, batch: 1, uplo, trans, diag, n: N, ap: a.address(), x })
            }
        }
        .unwrap();
    }
}

fn triangles<T: Field>() {
    for (form, uplo) in pairs(FORMS, UPLOS) {
        for (trans, diag) in pairs(OPS, DIAGS) {
            let a = Stored::<T>::new(form, uplo);
            let seen = |i, j| {
                let (i, j) = if trans.is_transposed() { (j, i) } else { (i, j) };
                let v = if i == j && diag == Diag::Unit { Z::ONE } else { a.at(i, j) };
                if trans.is_conjugated() { v.conj() } else { v }
            };
            let old = numbers::<T>(5);
            let times = product(seen, &old);
            with_threads(|h, threads| {
                let what = format!("{form:?} {uplo:?} {trans:?} {diag:?} on {threads} threads");
                let (mut a, mut x) = (Stored::<T>::new(form, uplo), old.clone());
                if diag == Diag::Unit {
                    (0..N).for_each(|i| a.set(i, i, Z::new(f64::NAN, f64::NAN)));
                }
                // SAFETY: operands are live, here and below.
                unsafe { multiply(h, &mut a, (trans, diag), &mut x) };
                assert_is(&x, &times, &what);
                if form == Form::Full {
                    let (dtype, raw) = (T::DTYPE, raw(&mut x));
                    let d = TrmvDesc { dtype, batch: 1, uplo, trans, diag, n: N, a: a.matrix(), x: raw };
                    // SAFETY: as above.
                    unsafe { h.trsv(&d) }.unwrap();
                    assert_is(&x, &old.iter().map(|v| z(*v)).collect::<Vec<_>>(), &what);
                }
            });
        }
    }
}

unsafe fn symmetric_product<T: Field>(
    h: &CpuHandle,
    a: &mut Stored<T>,
    herm: bool,
    alpha: Z,
    x: &mut [T],
    y: &mut [T],
) {
    let (dtype, uplo, x, y) = (T::DTYPE, a.uplo, raw(x), raw(y));
    let (alpha, beta, conj) = (RawScalar::Host([alpha.re, alpha.im]), RawScalar::ZERO, false);
    let full = SymvDesc { dtype, batch: 1, uplo, conj, n: N, alpha, a: a.matrix(), x, beta, y };
    let band = SbmvDesc { dtype, batch: 1, uplo, conj, n: N, k: K, alpha, a: a.matrix(), x, beta, y };
    let packed = SpmvDesc { dtype, batch: 1, uplo, conj, n: N, alpha, ap: a.address(), x, beta, y };
    // SAFETY: the caller's promise.
    unsafe {
        match (a.form, herm) {
            (Form::Full, false) => h.symv(&full),
            (Form::Full, true) => h.hemv(&full),
            (Form::Band, false) => h.sbmv(&band),
            (Form::Band, true) => h.hbmv(&band),
            (Form::Packed, false) => h.spmv(&packed),
            (Form::Packed, true) => h.hpmv(&packed),
        }
        .unwrap();
    }
}

fn mirrored<T: Field>() {
    let complex = T::DTYPE.is_complex();
    let alpha = as_held::<T>(Z::new(2.0, -1.0));
    for (form, uplo) in pairs(FORMS, UPLOS) {
        let a = Stored::<T>::new(form, uplo);
        let x = numbers::<T>(6);
        let want = product(|i, j| alpha * a.mirrored(complex, i, j), &x);
        with_threads(|h, threads| {
            let what = format!("{form:?} {uplo:?} on {threads} threads");
            let mut a = Stored::<T>::new(form, uplo);
            let (mut x, nan) = (x.clone(), el(Z::new(f64::NAN, f64::NAN)));
            let mut y = vec![nan; N];
            // SAFETY: operands are live.
            unsafe { symmetric_product(h, &mut a, complex, alpha, &mut x, &mut y) };
            assert_is(&y, &want, &what);
        });
    }
}

/// Updates of rank 1 and 2, of what is stored and nothing else.
fn updates<T: Field>() {
    let complex = T::DTYPE.is_complex();
    let seen = |v: Z| if complex { v.conj() } else { v };
    for (form, uplo) in pairs([Form::Full, Form::Packed], UPLOS) {
        let (x, y) = (numbers::<T>(7), numbers::<T>(8));
        with_threads(|h, threads| {
            let what = format!("{form:?} {uplo:?} on {threads} threads");
            let (mut a, old) = (Stored::<T>::new(form, uplo), Stored::<T>::new(form, uplo));
            let (mut x, mut y) = (x.clone(), y.clone());
            let (dtype, batch, conj, n, alpha) = (T::DTYPE, 1, false, N, RawScalar::ONE);
            let (xr, yr, m, ap) = (raw(&mut x), raw(&mut y), a.matrix(), a.address());
            // SAFETY: operands are live.
            unsafe {
                let one = SyrDesc { dtype, batch, uplo, n, alpha, conj, x: xr, a: m };
                let two = Syr2Desc { dtype, batch, uplo, n, alpha, conj, x: xr, y: yr, a: m };
                let one_packed = SprDesc { dtype, batch, uplo, n, alpha, conj, x: xr, ap };
                let two_packed = Spr2Desc { dtype, batch, uplo, n, alpha, conj, x: xr, y: yr, ap };
                match (form, complex) {
                    (Form::Full, false) => h.syr(&one).and_then(|()| h.syr2(&two)),
                    (Form::Full, true) => h.her(&one).and_then(|()| h.her2(&two)),
                    (_, false) => h.spr(&one_packed).and_then(|()| h.spr2(&two_packed)),
                    (_, true) => h.hpr(&one_packed).and_then(|()| h.hpr2(&two_packed)),
                }
            }
            .unwrap();
            for p in 0..N * N {
                let (i, j) = (p % N, p / N);
                let (xi, xj, yi, yj) = (z(x[i]), seen(z(x[j])), z(y[i]), seen(z(y[j])));
                let sum = old.at(i, j) + xi * xj + xi * yj + yi * xj;
                assert!(!a.has(i, j) || a.at(i, j) == sum, "{what} {}: [{i}, {j}]", T::DTYPE);
            }
            let untouched = |s: &Stored<T>| s.data.iter().filter(|v| z(**v).is_nan()).count();
            assert_eq!(untouched(&a), untouched(&old), "{what}");
        });
    }
}

/// Numbers that no order of sums gets exactly: each time the same bits, near what f64 gives.
fn rounded<T: Field>() {
    for uplo in UPLOS {
        let fraction = |v: &mut T| *v = el(z(*v) / 7.0);
        with_threads(|h, threads| {
            let run = || {
                let mut a = Stored::<T>::new(Form::Full, uplo);
                a.data.iter_mut().for_each(fraction);
                // So that solutions stay small.
                (0..N).for_each(|i| a.set(i, i, Z::new(N as f64, 0.0)));
                let mut results = Vec::new();
                for trans in [Trans::N, Trans::T] {
                    let (dtype, batch, diag) = (T::DTYPE, 1, Diag::NonUnit);
                    for solve in [false, true] {
                        let mut x = numbers::<T>(9);
                        let d =
                            TrmvDesc { dtype, batch, uplo, trans, diag, n: N, a: a.matrix(), x: raw(&mut x) };
                        // SAFETY: operands are live.
                        unsafe { if solve { h.trsv(&d) } else { h.trmv(&d) } }.unwrap();
                        let seen = |i, j| if trans == Trans::N { a.at(i, j) } else { a.at(j, i) };
                        let (from, to) = if solve { (&x, numbers(9)) } else { (&numbers(9), x.clone()) };
                        near(&product(seen, from), &to);
                        results.push(x);
                    }
                }
                let (mut x, mut y) = (numbers::<T>(9), numbers::<T>(9));
                // SAFETY: as above.
                unsafe { symmetric_product(h, &mut a, T::DTYPE.is_complex(), Z::ONE, &mut x, &mut y) };
                near(&product(|i, j| a.mirrored(T::DTYPE.is_complex(), i, j), &x), &y);
                results.push(y);
                results
            };
            assert!(run() == run(), "{} {uplo:?} on {threads} threads", T::DTYPE);
        });
    }
}

/// Errors of at most N roundings of sums of absolute values below 4 N.
#[track_caller]
fn near<T: Scalar>(want: &[Z], got: &[T]) {
    let unit = if T::DTYPE.real() == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let bound = unit * (N * 4 * N) as f64;
    for (i, (want, got)) in want.iter().zip(got).enumerate() {
        assert!((want - z(*got)).norm() <= bound, "{}: [{i}] is {}, not {want}", T::DTYPE, z(*got));
    }
}

/// A NaN in column `AT` of a lower triangle, or in x.
fn nans<T: Field>() {
    const AT: usize = 500;
    let nan = Z::new(f64::NAN, f64::NAN);
    with_threads(|h, threads| {
        let places = |x: &[T]| (0..N).filter(|i| z(x[*i]).is_nan()).collect::<Vec<_>>();
        let what = format!("{} on {threads} threads", T::DTYPE);
        let (dtype, batch, uplo, diag) = (T::DTYPE, 1, Uplo::Lower, Diag::NonUnit);
        for trans in [Trans::N, Trans::T] {
            let mut a = Stored::<T>::new(Form::Full, uplo);
            a.set(AT + 3, AT, nan);
            let mut x = vec![el(Z::ZERO); N];
            let d = TrmvDesc { dtype, batch, uplo, trans, diag, n: N, a: a.matrix(), x: raw(&mut x) };
            // SAFETY: operands are live, here and below.
            unsafe { h.trmv(&d) }.unwrap();
            // Zeros are not skipped.
            assert_eq!(places(&x), [if trans == Trans::N { AT + 3 } else { AT }], "trmv {trans:?} {what}");
            let mut x = vec![el(Z::ZERO); N];
            let d = TrmvDesc { x: raw(&mut x), ..d };
            // SAFETY: as above.
            unsafe { h.trsv(&d) }.unwrap();
            let all = if trans == Trans::N { (AT + 3..N).collect::<Vec<_>>() } else { (0..AT + 1).collect() };
            assert_eq!(places(&x), all, "trsv {trans:?} {what}");
        }
        let mut a = Stored::<T>::new(Form::Full, uplo);
        a.set(AT + 3, AT, nan);
        let (mut x, mut y) = (vec![el(Z::ZERO); N], numbers::<T>(4));
        // SAFETY: as above.
        unsafe { symmetric_product(h, &mut a, T::DTYPE.is_complex(), Z::ONE, &mut x, &mut y) };
        assert_eq!(places(&y), [AT, AT + 3], "symv {what}");
    });
}

#[test]
fn triangular_matrices() {
    for_types!(triangles: f32, f64, Complex<f32>, Complex<f64>);
}

#[test]
fn symmetric_and_hermitian_matrices() {
    for_types!(mirrored: f32, f64, Complex<f32>, Complex<f64>);
}

#[test]
fn updates_of_triangles() {
    for_types!(updates: f32, f64, Complex<f32>, Complex<f64>);
}

#[test]
fn the_same_bits_each_time() {
    for_types!(rounded: f32, f64, Complex<f32>, Complex<f64>);
}

#[test]
fn not_a_number() {
    for_types!(nans: f32, f64, Complex<f32>, Complex<f64>);
}
