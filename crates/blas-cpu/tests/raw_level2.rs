//! Level 2 at the level of descriptors, against sums over a dense matrix. Everything that must not be read holds NaN.

mod common;
#[path = "common/flags.rs"]
mod flags;

use blas_api::*;
use blas_cpu::CpuHandle;
use common::*;
use flags::*;

/// Element (i, j) of entry e.
type Dense<'a> = &'a dyn Fn(usize, usize, usize) -> Z;

fn random<T: Scalar>(seed: usize) -> impl Fn(usize, usize, usize) -> Z {
    move |e, i, j| integer::<T>(seed + e, 101 * i + 13 * j)
}

/// The elements of op(A), real types having no conjugates.
fn op(trans: Trans, a: Dense) -> impl Fn(usize, usize, usize) -> Z {
    move |e, i, j| {
        let v = if trans.is_transposed() { a(e, j, i) } else { a(e, i, j) };
        if trans.is_conjugated() { v.conj() } else { v }
    }
}

/// alpha * A * x + beta * y, where zero coefficients hide NaN.
fn product<T: Scalar>(alpha: Z, a: Dense, x: &Vecs<T>, beta: Z, y: &Vecs<T>) -> Vecs<T> {
    y.with(|e, i| {
        let sum: Z = (0..x.n).map(|j| a(e, i, j) * x.at(e, j)).sum();
        let times = |k: Z, v: Z| if k == Z::ZERO { k } else { k * v };
        times(alpha, sum) + times(beta, y.at(e, i))
    })
}

fn stored<T: Scalar>(len: usize, f: impl Fn(usize, &mut [T])) -> Store<T> {
    let mut s = Store::new(len);
    (0..BATCH).for_each(|e| f(e, s.entry(e)));
    s
}

/// alpha, beta, array form or not (then the coefficients are on the other side too).
fn coefs<T: Scalar>() -> impl Iterator<Item = (Z, Z, bool)> {
    let pairs = COEFS.into_iter().flat_map(|a| COEFS.map(|b| (as_held::<T>(a), as_held::<T>(b))));
    pairs.enumerate().map(|(i, (a, b))| (a, b, i % 2 == 0))
}

/// Calls `f(alpha, beta, x, y)` and checks y; x, y and A are NaN where a zero coefficient hides them.
fn check_product<T: Scalar>(
    what: &str,
    sizes: (usize, usize),
    a: Dense,
    (alpha, beta, array): (Z, Z, bool),
    f: impl Fn(RawScalar, RawScalar, Vector, Vector) -> Result,
) {
    let (al, be) = (Coefficient::<T>::new(alpha), Coefficient::<T>::new(beta));
    for (incx, incy) in [(1, 1), (3, -2), (-1, 2)] {
        let (x, mut y) = (Vecs::<T>::random(sizes.1, incx, 21), Vecs::<T>::random(sizes.0, incy, 22));
        let nan = |_, _| Z::new(f64::NAN, f64::NAN);
        let want = product(alpha, a, &x, beta, &y);
        let mut x = if alpha == Z::ZERO { x.with(nan) } else { x };
        y = if beta == Z::ZERO { y.with(nan) } else { y };
        f(al.raw(array), be.raw(!array), x.raw(array), y.raw(array)).unwrap();
        y.store.assert_is(&want.store, what);
    }
}

fn general<T: Scalar>() {
    let h = CpuHandle::new();
    let (dtype, batch) = (T::DTYPE, BATCH);
    for ((m, n), trans) in pairs([(1, 1), (5, 9), (600, 3), (3, 600)], OPS) {
        let sizes = if trans.is_transposed() { (n, m) } else { (m, n) };
        let (a, ld) = (random::<T>(31), m + 2);
        let full = stored::<T>(ld * n, |e, s| {
            (0..m * n).for_each(|p| s[p % m + p / m * ld] = el(a(e, p % m, p / m)));
        });
        for case in coefs::<T>() {
            let mut s = if case.0 == Z::ZERO { Store::new(ld * n) } else { full.clone() };
            let a_raw = Matrix { data: s.address(case.2), ld };
            check_product::<T>("gemv", sizes, &op(trans, &a), case, |alpha, beta, x, y| {
                let d = GemvDesc { dtype, batch, trans, m, n, alpha, a: a_raw, x, beta, y };
                // SAFETY: the descriptor describes live operands, here and below.
                unsafe { h.gemv(&d) }
            });
        }
        // Bands inside the matrix, of one diagonal, and wider than the matrix.
        for (kl, ku) in [(0, 0), (2, 1), (m + 1, n + 2)] {
            let ld = kl + ku + 2;
            let inside = |i: usize, j: usize| i <= j.saturating_add(kl) && j <= i.saturating_add(ku);
            let band = |e, i, j| if inside(i, j) { a(e, i, j) } else { Z::ZERO };
            if T::DTYPE.coef() != T::DTYPE || ld * n > 10_000 {
                continue;
            }
            let mut s = stored::<T>(ld * n, |e, s| {
                let there = (0..m * n).map(|p| (p % m, p / m)).filter(|&(i, j)| inside(i, j));
                there.for_each(|(i, j)| s[ku + i - j + j * ld] = el(a(e, i, j)));
            });
            for case in coefs::<T>() {
                let a = Matrix { data: s.address(case.2), ld };
                check_product::<T>("gbmv", sizes, &op(trans, &band), case, |alpha, beta, x, y| {
                    let d = GbmvDesc { dtype, batch, trans, m, n, kl, ku, alpha, a, x, beta, y };
                    // SAFETY: as above.
                    unsafe { h.gbmv(&d) }
                });
            }
        }
        if T::DTYPE.coef() == T::DTYPE {
            rank_one::<T>(&h, (m, n), trans);
        }
    }
}

/// ger, geru, gerc; the flags are drawn from `trans`.
fn rank_one<T: Scalar>(h: &CpuHandle, (m, n): (usize, usize), trans: Trans) {
    let (conj_x, conj_y) = (trans.is_transposed(), trans.is_conjugated());
    let (a, ld) = (random::<T>(41), m + 2);
    for (alpha, _, array) in coefs::<T>() {
        let al = Coefficient::<T>::new(alpha);
        let (mut x, mut y) = (Vecs::<T>::random(m, -2, 42), Vecs::<T>::random(n, 3, 43));
        let (xs, ys) = (x.clone(), y.clone());
        let conj = |flag, v: Z| if flag { v.conj() } else { v };
        let matrix = |f: Dense| {
            stored::<T>(ld * n, |e, s| {
                (0..m * n).for_each(|p| s[p % m + p / m * ld] = el(f(e, p % m, p / m)))
            })
        };
        let mut s = matrix(&a);
        let raw = Matrix { data: s.address(array), ld };
        let (alpha_raw, x, y) = (al.raw(array), x.raw(array), y.raw(array));
        let d =
            GerDesc { dtype: T::DTYPE, batch: BATCH, m, n, alpha: alpha_raw, conj_x, x, conj_y, y, a: raw };
        // SAFETY: the descriptor describes live operands.
        unsafe {
            match (T::DTYPE.is_complex(), conj_y) {
                (false, _) => h.ger(&d),
                (true, false) => h.geru(&d),
                (true, true) => h.gerc(&d),
            }
        }
        .unwrap();
        let outer = |e, i, j| conj(conj_x, xs.at(e, i)) * conj(conj_y, ys.at(e, j));
        s.assert_is(&matrix(&|e, i, j| a(e, i, j) + alpha * outer(e, i, j)), "ger");
    }
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Full,
    Band(usize),
    Packed,
}
const FORMS: [Form; 5] = [Form::Full, Form::Packed, Form::Band(0), Form::Band(2), Form::Band(11)];

/// One triangle of order n.
#[derive(Clone, Copy, Debug)]
struct Shape {
    n: usize,
    uplo: Uplo,
    form: Form,
}

impl Shape {
    fn each(f: impl Fn(Shape)) {
        pairs(pairs([1, 9], UPLOS), FORMS).for_each(|((n, uplo), form)| f(Shape { n, uplo, form }));
    }
    fn ld(self) -> usize {
        if let Form::Band(k) = self.form { k + 2 } else { self.n + 2 }
    }
    fn k(self) -> usize {
        if let Form::Band(k) = self.form { k } else { self.n }
    }
    /// Whether (i, j) is in the triangle and the band.
    fn has(self, i: usize, j: usize) -> bool {
        (if self.uplo == Uplo::Lower { i >= j } else { i <= j }) && i.abs_diff(j) <= self.k()
    }
    fn position(self, i: usize, j: usize) -> usize {
        match (self.form, self.uplo) {
            (Form::Full, _) => i + j * self.ld(),
            (Form::Band(_), Uplo::Lower) => i - j + j * self.ld(),
            (Form::Band(k), Uplo::Upper) => k + i - j + j * self.ld(),
            (Form::Packed, Uplo::Lower) => (0..j).map(|c| self.n - c).sum::<usize>() + i - j,
            (Form::Packed, Uplo::Upper) => j * (j + 1) / 2 + i,
        }
    }
    /// The triangle stored; elements for which f is NaN included.
    fn store<T: Scalar>(self, f: Dense) -> Store<T> {
        stored(self.ld() * self.n.max(self.k() + 1), |e, s| {
            let all = (0..self.n * self.n).map(|p| (p % self.n, p / self.n));
            all.filter(|&(i, j)| self.has(i, j)).for_each(|(i, j)| s[self.position(i, j)] = el(f(e, i, j)));
        })
    }
}

/// The whole of a matrix of which a triangle is stored.
fn whole(shape: Shape, herm: bool, a: Dense) -> impl Fn(usize, usize, usize) -> Z {
    move |e, i, j| match (shape.has(i, j), shape.has(j, i)) {
        (true, true) if herm => a(e, i, j).re.into(),
        (true, _) => a(e, i, j),
        (false, true) if herm => a(e, j, i).conj(),
        (false, true) => a(e, j, i),
        (false, false) => Z::ZERO,
    }
}

fn symmetric<T: Field>() {
    let (h, a) = (CpuHandle::new(), random::<T>(51));
    let (dtype, batch, complex) = (T::DTYPE, BATCH, T::DTYPE.is_complex());
    Shape::each(|shape| {
        let Shape { n, uplo, form } = shape;
        for (herm, conj) in [(false, false), (false, true), (true, false), (true, true)] {
            // Symmetric complex matrices have the full form only.
            if (herm && !complex) || (!herm && complex && !matches!(form, Form::Full)) {
                continue;
            }
            let seen = if conj && complex { Trans::ConjN } else { Trans::N };
            let dense = whole(shape, herm, &a);
            for case in coefs::<T>() {
                let mut s = if case.0 == Z::ZERO {
                    shape.store::<T>(&|_, _, _| Z::new(f64::NAN, f64::NAN))
                } else {
                    shape.store(&a)
                };
                let (data, ld, k) = (s.address(case.2), shape.ld(), shape.k());
                let m = Matrix { data, ld };
                check_product::<T>(
                    &format!("{shape:?} {herm}"),
                    (n, n),
                    &op(seen, &dense),
                    case,
                    |alpha, beta, x, y| {
                        let full = SymvDesc { dtype, batch, uplo, conj, n, alpha, a: m, x, beta, y };
                        let band = SbmvDesc { dtype, batch, uplo, conj, n, k, alpha, a: m, x, beta, y };
                        let packed = SpmvDesc { dtype, batch, uplo, conj, n, alpha, ap: data, x, beta, y };
                        // SAFETY: the descriptor describes live operands.
                        unsafe {
                            match (form, herm) {
                                (Form::Full, false) => h.symv(&full),
                                (Form::Full, true) => h.hemv(&full),
                                (Form::Band(_), false) => h.sbmv(&band),
                                (Form::Band(_), true) => h.hbmv(&band),
                                (Form::Packed, false) => h.spmv(&packed),
                                (Form::Packed, true) => h.hpmv(&packed),
                            }
                        }
                    },
                );
                if !matches!(form, Form::Band(_)) {
                    (1..3).for_each(|rank| update::<T>(&h, shape, herm, conj, rank, case));
                }
            }
        }
    });
}

/// syr, her, spr, hpr (rank 1) and syr2, her2, spr2, hpr2 (rank 2).
fn update<T: Field>(h: &CpuHandle, shape: Shape, herm: bool, conj: bool, rank: usize, case: (Z, Z, bool)) {
    let Shape { n, uplo, form } = shape;
    let (a, array) = (random::<T>(61), case.2);
    let alpha = if herm && rank == 1 { case.0.re.into() } else { case.0 };
    let al = Coefficient::<T>::new(alpha);
    let (mut x, mut y) = (Vecs::<T>::random(n, -2, 62), Vecs::<T>::random(n, 3, 63));
    let (xs, ys) = (x.clone(), y.clone());
    let (dtype, batch, alpha_raw) = (T::DTYPE, BATCH, al.raw(array));
    let (mut s, ld) = (shape.store::<T>(&a), shape.ld());
    let (x, y, data) = (x.raw(array), y.raw(array), s.address(array));
    let m = Matrix { data, ld };
    // SAFETY: the descriptor describes live operands. A pointer to a complex alpha is one to its real part.
    unsafe {
        let alpha = alpha_raw;
        let one = SyrDesc { dtype, batch, uplo, n, alpha, conj, x, a: m };
        let one_packed = SprDesc { dtype, batch, uplo, n, alpha, conj, x, ap: data };
        let two = Syr2Desc { dtype, batch, uplo, n, alpha, conj, x, y, a: m };
        let two_packed = Spr2Desc { dtype, batch, uplo, n, alpha, conj, x, y, ap: data };
        match (form, herm, rank) {
            (Form::Full, false, 1) => h.syr(&one),
            (Form::Full, true, 1) => h.her(&one),
            (_, false, 1) => h.spr(&one_packed),
            (_, true, 1) => h.hpr(&one_packed),
            (Form::Full, false, _) => h.syr2(&two),
            (Form::Full, true, _) => h.her2(&two),
            (_, false, _) => h.spr2(&two_packed),
            (_, true, _) => h.hpr2(&two_packed),
        }
    }
    .unwrap();
    let seen = |v: Z| if conj { v.conj() } else { v };
    let star = |v: Z| if herm { v.conj() } else { v };
    let want = shape.store::<T>(&|e, i, j| {
        let v = |vs: &Vecs<T>, i| seen(vs.at(e, i));
        let sum = if rank == 1 {
            alpha * v(&xs, i) * star(v(&xs, j))
        } else {
            alpha * v(&xs, i) * star(v(&ys, j)) + star(alpha) * v(&ys, i) * star(v(&xs, j))
        };
        let sum = a(e, i, j) + sum;
        // The update cleans the diagonal, and alpha = 0 is no update.
        if herm && i == j && alpha != Z::ZERO { sum.re.into() } else { sum }
    });
    s.assert_is(&want, &format!("{shape:?} herm {herm} conj {conj} rank {rank} alpha {alpha}"));
}

fn triangular<T: Field>() {
    let (h, a) = (CpuHandle::new(), random::<T>(71));
    let (dtype, batch) = (T::DTYPE, BATCH);
    // Pivots that divide exactly.
    let pivots = [Z::new(2.0, 0.0), Z::new(0.0, 1.0), Z::new(-1.0, 0.0), Z::new(0.0, -2.0)]
        .map(|p| if T::DTYPE.is_complex() { p } else { (p.re + p.im).into() });
    let nan = Z::new(f64::NAN, f64::NAN);
    Shape::each(|shape| {
        let Shape { n, uplo, form } = shape;
        let flags = pairs(OPS, DIAGS);
        for (p, (trans, diag)) in flags.enumerate() {
            let unit = diag == Diag::Unit;
            let dense = |e, i, j| match i == j {
                true if unit => Z::ONE,
                true => pivots[i % 4],
                false if shape.has(i, j) => a(e, i, j),
                false => Z::ZERO,
            };
            let mut s = shape.store::<T>(&|e, i, j| if i == j && unit { nan } else { dense(e, i, j) });
            let (data, ld, k) = (s.address(p % 2 == 0), shape.ld(), shape.k());
            let m = Matrix { data, ld };
            for inc in INCS {
                let old = Vecs::<T>::random(n, inc, 72);
                let times = product(Z::ONE, &op(trans, &dense), &old, Z::ZERO, &old);
                let run = |solve: bool, x: Vector| {
                    let full = TrmvDesc { dtype, batch, uplo, trans, diag, n, a: m, x };
                    let band = TbmvDesc { dtype, batch, uplo, trans, diag, n, k, a: m, x };
                    let packed = TpmvDesc { dtype, batch, uplo, trans, diag, n, ap: data, x };
                    // SAFETY: the descriptor describes live operands.
                    unsafe {
                        match (form, solve) {
                            (Form::Full, false) => h.trmv(&full),
                            (Form::Full, true) => h.trsv(&full),
                            (Form::Band(_), false) => h.tbmv(&band),
                            (Form::Band(_), true) => h.tbsv(&band),
                            (Form::Packed, false) => h.tpmv(&packed),
                            (Form::Packed, true) => h.tpsv(&packed),
                        }
                    }
                    .unwrap();
                };
                let mut x = old.clone();
                run(false, x.raw(p % 2 == 1));
                x.store.assert_is(&times.store, &format!("{shape:?} {trans:?} {diag:?} multiply"));
                run(true, x.raw(p % 2 == 0));
                x.store.assert_is(&old.store, &format!("{shape:?} {trans:?} {diag:?} solve"));
            }
        }
    });
}

/// Sizes for which threads, and blocks of a long x, come into play: the same bits for each number of threads.
fn long<T: Scalar>() {
    for (m, n, trans) in
        [(1500, 900, Trans::N), (1500, 900, Trans::C), (150_000, 7, Trans::T), (7, 150_000, Trans::N)]
    {
        let sizes = if trans.is_transposed() { (n, m) } else { (m, n) };
        let a = random::<T>(81);
        let mut s = stored::<T>(m * n, |e, s| (0..m * n).for_each(|p| s[p] = el(a(e, p % m, p / m) / 7.0)));
        let mut run = |threads| {
            let h = CpuHandle::new();
            let mut policy = h.policy();
            policy.threads = Threads::Max(threads);
            h.set_policy(policy).unwrap();
            let (mut x, mut y) = (Vecs::<T>::random(sizes.1, 1, 82), Vecs::<T>::random(sizes.0, 1, 83));
            let (dtype, alpha, beta) = (T::DTYPE, RawScalar::ONE, RawScalar::ONE);
            let (a, x, yv) = (Matrix { data: s.address(true), ld: m }, x.raw(false), y.raw(false));
            let d = GemvDesc { dtype, batch: BATCH, trans, m, n, alpha, a, x, beta, y: yv };
            // SAFETY: the descriptor describes live operands.
            unsafe { h.gemv(&d) }.unwrap();
            (0..BATCH * sizes.0).map(|p| y.at(p / sizes.0, p % sizes.0)).collect::<Vec<_>>()
        };
        let (one, two) = (run(1), run(2));
        assert!(one == two, "{} {m}x{n} {trans:?}", T::DTYPE);
        let x = Vecs::<T>::random(sizes.1, 1, 82);
        let exact = product(
            Z::ONE,
            &op(trans, &|e, i, j| z(el::<T>(a(e, i, j) / 7.0))),
            &x,
            Z::ONE,
            &Vecs::<T>::random(sizes.0, 1, 83),
        );
        let size = 3.0 * sizes.1 as f64;
        let eps = if T::DTYPE.coef().real() == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
        let store = if T::DTYPE == DType::F16 { 1e-3 } else { 0.0 };
        for (p, got) in one.iter().enumerate() {
            let want = exact.at(p / sizes.0, p % sizes.0);
            assert!(
                (got - want).norm() <= eps * size * size.sqrt() + store * want.norm(),
                "{} {m}x{n}",
                T::DTYPE
            );
        }
    }
}

#[test]
fn general_matrices() {
    for_types!(general: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
}

#[test]
fn symmetric_and_hermitian_matrices() {
    for_types!(symmetric: f32, f64, Complex<f32>, Complex<f64>);
}

#[test]
fn triangular_matrices() {
    for_types!(triangular: f32, f64, Complex<f32>, Complex<f64>);
}

#[test]
fn threads_do_not_change_products() {
    for_types!(long: f16, f32, f64, Complex<f64>);
}
