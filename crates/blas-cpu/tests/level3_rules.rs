//! Rules of Level 3 that sums of integers do not show: bits, residuals, and what is not read.

use blas_api::*;
use blas_cpu::Cpu;
use rayon::ThreadPoolBuilder;

const COL: Layout = Layout::Col;
const ROW: Layout = Layout::Row;

/// Fractions in (-1, 1) that no type holds exactly in products.
fn noise<T: Scalar>(n: usize, seed: u64) -> Vec<T> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| T::from_parts([next(), next()])).collect()
}

fn bits<T: Scalar>(v: &[T]) -> Vec<[u64; 2]> {
    v.iter().map(|x| x.parts().map(f64::to_bits)).collect()
}

fn beta_zero<T: Scalar>() -> Result {
    let blas = Cpu::handle();
    for (m, n, k) in (1..=33).map(|i| (i, 34 - i, i)).chain([(16, 16, 1), (48, 49, 300), (257, 513, 3)]) {
        let (a, b) = (noise::<T>(m * k, 1), noise::<T>(k * n, 2));
        let run = |layout, old: f64| {
            let mut c = vec![T::from_parts([old, old]); m * n];
            let (a, b) = (MatRef::from_slice(&a, m, k, COL)?, MatRef::from_slice(&b, k, n, ROW)?);
            blas.gemm(
                T::Coef::from_parts([0.7, 0.0]),
                a,
                b,
                T::Coef::default(),
                MatMut::from_slice(&mut c, m, n, layout)?,
            )?;
            Ok(bits(&c))
        };
        for layout in [COL, ROW] {
            let want = run(layout, 0.0)?;
            for old in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e30] {
                assert!(run(layout, old)? == want, "{} {m} x {n} x {k} over {old}", T::DTYPE);
            }
        }
    }
    Ok(())
}

#[test]
fn beta_zero_hides_the_output() -> Result {
    beta_zero::<f16>()?;
    beta_zero::<bf16>()?;
    beta_zero::<f32>()?;
    beta_zero::<f64>()?;
    beta_zero::<Complex<f32>>()?;
    beta_zero::<Complex<f64>>()
}

/// Everything that threads share out, on shapes with ragged edges.
fn all_routines<T: Field>(threads: usize) -> Result<Vec<Vec<[u64; 2]>>> {
    let blas = Cpu::handle();
    blas.set_threads(Threads::Max(threads))?;
    let (m, n, k) = (257, 129, 521);
    let [alpha, beta] = [[0.7, 0.2], [-0.4, 0.3]].map(T::from_parts);
    let (a, b, c) = (noise::<T>(m * k, 1), noise::<T>(k * n, 2), noise::<T>(m * m.max(n), 3));
    // Triangles with a strong diagonal.
    let mut t: Vec<T> = noise::<T>(m * m, 4);
    t.iter_mut().step_by(m + 1).for_each(|x| *x += T::from_parts([300.0, 0.0]));
    let (a, b, t) = (
        MatRef::from_slice(&a, m, k, COL)?,
        MatRef::from_slice(&b, k, n, ROW)?,
        MatRef::from_slice(&t, m, m, COL)?,
    );
    let mut all = vec![];
    let mut run = |f: &dyn Fn(&mut [T]) -> Result| {
        let mut c = c.clone();
        f(&mut c)?;
        all.push(bits(&c));
        Ok(())
    };
    run(&|c| blas.gemm(alpha, a, b, beta, MatMut::from_slice(&mut c[..m * n], m, n, COL)?))?;
    run(&|c| blas.gemm(alpha, a.conj(), b, beta, MatMut::from_slice(&mut c[..m * n], m, n, ROW)?))?;
    run(&|c| blas.syrk(alpha, a, beta, MatMut::from_slice(&mut c[..m * m], m, m, COL)?.sym(Uplo::Lower)))?;
    run(&|c| {
        blas.her2k(
            alpha,
            a,
            a,
            T::Real::default(),
            MatMut::from_slice(&mut c[..m * m], m, m, COL)?.herm(Uplo::Upper),
        )
    })?;
    run(&|c| {
        blas.symm(
            Side::Left,
            alpha,
            t.sym(Uplo::Upper),
            a.submatrix(0, 0, m, n)?,
            beta,
            MatMut::from_slice(&mut c[..m * n], m, n, COL)?,
        )
    })?;
    run(&|c| {
        blas.trmm(Side::Right, alpha, t.lower(Diag::NonUnit), MatMut::from_slice(&mut c[..m * n], n, m, COL)?)
    })?;
    run(&|c| {
        blas.trsm(
            Side::Left,
            alpha,
            t.upper(Diag::NonUnit).h(),
            MatMut::from_slice(&mut c[..m * n], m, n, COL)?,
        )
    })?;
    run(&|c| {
        blas.trtri_into(
            t.lower(Diag::NonUnit),
            MatMut::from_slice(&mut c[..m * m], m, m, COL)?.lower(Diag::NonUnit),
        )
    })?;
    run(&|c| blas.geam(alpha, t, beta, t.t(), MatMut::from_slice(&mut c[..m * m], m, m, COL)?))?;
    Ok(all)
}

#[test]
fn threads_change_no_bit() -> Result {
    let pool = ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    fn check<T: Field>() -> Result {
        let want = all_routines::<T>(1)?;
        for threads in [2, 3, 8] {
            for (i, (got, want)) in all_routines::<T>(threads)?.iter().zip(&want).enumerate() {
                assert!(got == want, "{}: routine {i} on {threads} threads", T::DTYPE);
            }
        }
        Ok(())
    }
    // Inside a worker, so that nesting is tested as well.
    pool.install(|| {
        check::<f32>()?;
        check::<f64>()?;
        check::<Complex<f32>>()?;
        check::<Complex<f64>>()
    })
}

fn inverse<T: Field>() -> Result {
    let blas = Cpu::handle();
    let unit_roundoff =
        if matches!(T::DTYPE, DType::F32 | DType::C32) { 0.5f64.powi(24) } else { 0.5f64.powi(53) };
    for n in [1, 2, 31, 33, 64, 97, 150] {
        for (uplo, diag, layout) in [
            (Uplo::Lower, Diag::NonUnit, COL),
            (Uplo::Upper, Diag::NonUnit, ROW),
            (Uplo::Lower, Diag::Unit, ROW),
            (Uplo::Upper, Diag::Unit, COL),
        ] {
            let inside = |i, j| if uplo == Uplo::Lower { i > j } else { i < j };
            let stored = |i, j| inside(i, j) || (i == j && diag == Diag::NonUnit);
            let at = |i: usize, j: usize| if layout == COL { i + j * n } else { i * n + j };
            let nan = T::from_parts([f64::NAN; 2]);
            let mut a = noise::<T>(n * n, 7);
            for (i, j) in (0..n * n).map(|p| (p % n, p / n)) {
                if !stored(i, j) {
                    a[at(i, j)] = nan;
                } else if i == j {
                    a[at(i, j)] += T::from_parts([3.0, 1.0]);
                }
            }
            let (mut into, mut place) = (vec![T::one(); n * n], a.clone());
            blas.trtri_into(
                MatRef::from_slice(&a, n, n, layout)?.tri(uplo, diag),
                MatMut::from_slice(&mut into, n, n, COL)?.tri(uplo, diag),
            )?;
            blas.trtri(MatMut::from_slice(&mut place, n, n, layout)?.tri(uplo, diag))?;
            let part = |v: &[T], p: usize, i, j| match () {
                () if stored(i, j) => v[p].parts(),
                () => [f64::from(u8::from(i == j && diag == Diag::Unit)), 0.0],
            };
            for (i, j) in (0..n * n).map(|p| (p % n, p / n)) {
                if !stored(i, j) {
                    assert_eq!((into[i + j * n], place[at(i, j)].parts()[0].is_nan()), (T::one(), true));
                }
                // abs(A X - I) <= gamma(n) abs(A) abs(X), element by element.
                for x in [&|l| part(&into, l + j * n, l, j), &|l| part(&place, at(l, j), l, j)]
                    as [&dyn Fn(usize) -> [f64; 2]; 2]
                {
                    let (mut sum, mut size) = (Complex::new(-f64::from(u8::from(i == j)), 0.0), 0.0);
                    for l in 0..n {
                        let ([ar, ai], [xr, xi]) = (part(&a, at(i, l), i, l), x(l));
                        let (a, x) = (Complex::new(ar, ai), Complex::new(xr, xi));
                        sum += a * x;
                        size += a.norm() * x.norm();
                    }
                    let bound = 8.0 * (n + 2) as f64 * unit_roundoff * size;
                    assert!(
                        sum.norm() <= bound,
                        "{} {n} {uplo:?} {diag:?} ({i}, {j}): {} > {bound}",
                        T::DTYPE,
                        sum.norm()
                    );
                }
            }
        }
    }
    Ok(())
}

#[test]
fn triangles_are_inverted() -> Result {
    inverse::<f32>()?;
    inverse::<f64>()?;
    inverse::<Complex<f32>>()?;
    inverse::<Complex<f64>>()
}

fn elementwise<T: Field>() -> Result {
    let blas = Cpu::handle();
    let (m, n) = (37, 45);
    let int = |p: usize| T::from_parts([(p % 7) as f64 - 3.0, (p % 5) as f64 - 2.0]);
    let (a, b): (Vec<T>, Vec<T>) =
        ((0..m * n).map(int).collect(), (0..m * n).map(|p| int(3 * p + 1)).collect());
    let [two, i, zero] = [[2.0, 0.0], [-1.0, 1.0], [0.0, 0.0]].map(T::from_parts);
    let nan = vec![T::from_parts([f64::NAN; 2]); m * n];
    let mat = |v| MatRef::<T, Cpu>::from_slice(v, m, n, COL);
    let mut c = nan.clone();
    blas.geam(
        two,
        mat(&a)?,
        i,
        MatRef::from_slice(&b, n, m, COL)?.h(),
        MatMut::from_slice(&mut c, m, n, COL)?,
    )?;
    assert!((0..m * n).all(|p| c[p] == two * a[p] + i * b[p / m + p % m * n].conj()));
    blas.geam(zero, mat(&nan)?, two, mat(&b)?, MatMut::from_slice(&mut c, m, n, COL)?)?;
    assert!((0..m * n).all(|p| c[p] == two * b[p]));
    blas.geam(two, mat(&a)?, zero, mat(&nan)?, MatMut::from_slice(&mut c, m, n, COL)?)?;
    assert!((0..m * n).all(|p| c[p] == two * a[p]));
    blas.geam(zero, mat(&nan)?, zero, mat(&nan)?, MatMut::from_slice(&mut c, m, n, COL)?)?;
    assert!(c.iter().all(|x| *x == zero));
    let x = VecRef::from_slice(&b[..m]);
    blas.dgmm(Side::Left, mat(&a)?.conj(), x, MatMut::from_slice(&mut c, m, n, COL)?)?;
    assert!((0..m * n).all(|p| c[p] == b[p % m] * a[p].conj()));
    let backwards = SliceRef::from(&b[..2 * n - 1]).vec(n, -2)?;
    blas.dgmm(Side::Right, mat(&a)?, backwards, MatMut::from_slice(&mut c, m, n, COL)?)?;
    assert!((0..m * n).all(|p| c[p] == a[p] * b[2 * (n - 1 - p / m)]));
    Ok(())
}

#[test]
fn geam_and_dgmm() -> Result {
    elementwise::<f32>()?;
    elementwise::<f64>()?;
    elementwise::<Complex<f32>>()?;
    elementwise::<Complex<f64>>()
}

#[test]
fn nothing_is_read_in_vain() -> Result {
    let blas = Cpu::handle();
    let nan = [f64::NAN; 9];
    let mat = || MatRef::from_slice(&nan, 3, 3, COL);
    let mut c = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    blas.gemm(0.0, mat()?, mat()?, 2.0, MatMut::from_slice(&mut c, 3, 3, COL)?)?;
    assert_eq!(c, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0]);
    blas.syrk(0.0, mat()?, 0.5, MatMut::from_slice(&mut c, 3, 3, COL)?.sym(Uplo::Lower))?;
    assert_eq!(c, [1.0, 2.0, 3.0, 8.0, 5.0, 6.0, 14.0, 16.0, 9.0]);
    for side in [Side::Left, Side::Right] {
        let mut b = nan;
        blas.symm(side, 0.0, mat()?.sym(Uplo::Upper), mat()?, 0.0, MatMut::from_slice(&mut b, 3, 3, COL)?)?;
        assert_eq!(b, [0.0; 9]);
        b = nan;
        blas.trmm(side, 0.0, mat()?.lower(Diag::NonUnit), MatMut::from_slice(&mut b, 3, 3, COL)?)?;
        assert_eq!(b, [0.0; 9]);
        b = nan;
        blas.trsm(side, 0.0, mat()?.lower(Diag::NonUnit), MatMut::from_slice(&mut b, 3, 3, COL)?)?;
        assert_eq!(b, [0.0; 9]);
    }
    // The diagonal is made real by an update, and by nothing less.
    let (z, empty) = (Complex::new(5.0, 9.0), [Complex::new(f64::NAN, f64::NAN)]);
    for (beta, want) in [(1.0, z), (2.0, Complex::new(10.0, 0.0)), (0.0, Complex::new(0.0, 0.0))] {
        let mut c = [z];
        blas.herk(
            1.0,
            MatRef::from_slice(&empty[..0], 1, 0, COL)?,
            beta,
            MatMut::from_slice(&mut c, 1, 1, COL)?.herm(Uplo::Lower),
        )?;
        assert_eq!(c, [want]);
        let mut c = [z];
        blas.herk(
            0.0,
            MatRef::from_slice(&empty, 1, 1, COL)?,
            beta,
            MatMut::from_slice(&mut c, 1, 1, COL)?.herm(Uplo::Upper),
        )?;
        assert_eq!(c, [want]);
    }
    Ok(())
}

#[test]
fn special_values() -> Result {
    let blas = Cpu::handle();
    // 0 * Inf and 0 * NaN.
    let (a, b, mut c) = ([0.0, 0.0], [f64::INFINITY, f64::NAN], [7.0; 4]);
    blas.gemm(
        1.0,
        MatRef::from_slice(&a, 2, 1, COL)?,
        MatRef::from_slice(&b, 1, 2, COL)?,
        0.0,
        MatMut::from_slice(&mut c, 2, 2, COL)?,
    )?;
    assert!(c.iter().all(|x| x.is_nan()));
    // An infinite C is no reason for NaN.
    let (one, mut c) = ([Complex::new(1.0, 0.0)], [Complex::new(f64::INFINITY, 1.0)]);
    let m = MatRef::from_slice(&one, 1, 1, COL)?;
    blas.gemm(1.0, m, m, 1.0, MatMut::from_slice(&mut c, 1, 1, COL)?)?;
    assert_eq!(c, [Complex::new(f64::INFINITY, 1.0)]);
    // Pivots whose reciprocals or squares leave the range.
    let (a, mut b) = ([1e-310], [2e-310, -3e-310]);
    blas.trsm(
        Side::Right,
        1.0,
        MatRef::from_slice(&a, 1, 1, COL)?.upper(Diag::NonUnit),
        MatMut::from_slice(&mut b, 2, 1, COL)?,
    )?;
    assert_eq!(b, [2.0, -3.0]);
    let (a, mut b) = ([Complex::new(1e300, 1e300)], [Complex::new(1e300, -1e300)]);
    blas.trsm(
        Side::Left,
        1.0,
        MatRef::from_slice(&a, 1, 1, COL)?.lower(Diag::NonUnit),
        MatMut::from_slice(&mut b, 1, 1, COL)?,
    )?;
    assert_eq!(b, [Complex::new(0.0, -1.0)]);
    // A singular system: a zero right-hand side is not skipped.
    let (a, mut b) = ([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0], [1.0f64, 1.0, 1.0, 0.0, 0.0, 0.0]);
    blas.trsm(
        Side::Left,
        1.0,
        MatRef::from_slice(&a, 3, 3, COL)?.upper(Diag::NonUnit),
        MatMut::from_slice(&mut b, 3, 2, COL)?,
    )?;
    assert!(
        b[0].is_nan() && b[1..3] == [f64::NEG_INFINITY, f64::INFINITY] && b[3..].iter().all(|x| x.is_nan())
    );
    Ok(())
}

/// Solves with one unknown, for many right-hand sides.
fn quotients<T: RealField + Scalar<Coef = T>>(pivots: &[T], sides: &[T]) -> Result {
    let blas = Cpu::handle();
    for pivot in pivots {
        let mut x = sides.to_vec();
        let n = x.len();
        let a = MatRef::from_slice(std::slice::from_ref(pivot), 1, 1, COL)?.tri(Uplo::Lower, Diag::NonUnit);
        blas.trsm(Side::Left, T::one(), a, MatMut::from_slice(&mut x, 1, n, COL)?)?;
        for (x, side) in x.iter().zip(sides) {
            let want = *side / *pivot;
            assert!(
                *x == want && x.is_sign_negative() == want.is_sign_negative() || x.is_nan() && want.is_nan(),
                "{side:?} / {pivot:?} gave {x:?}, not {want:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn trsm_divides() -> Result {
    macro_rules! special {
        ($t:ident) => {{
            let (max, min) = ($t::MAX, $t::MIN_POSITIVE);
            let mut numbers =
                vec![0.0, max, min, min / 8.0, $t::from_bits(1), 1.0 / max, $t::INFINITY, $t::NAN, 1.0, 3.0];
            numbers.extend(noise::<$t>(90, 7));
            // The remainder of such a quotient is below the normal numbers.
            numbers.extend(noise::<$t>(20, 8).into_iter().map(|x| x * min));
            numbers.extend(noise::<$t>(20, 9).into_iter().map(|x| x * (min / $t::EPSILON)));
            numbers.extend(noise::<$t>(20, 10).into_iter().map(|x| x * max));
            let with_signs: Vec<$t> = numbers.iter().flat_map(|x| [*x, -x]).collect();
            quotients(&with_signs, &with_signs)?;
        }};
    }
    special!(f32);
    special!(f64);
    Ok(())
}

#[test]
fn an_empty_sum_is_none_of_alpha() -> Result {
    let blas = Cpu::handle();
    for (n, alpha, beta) in [(5, f64::INFINITY, 0.5), (5, f64::NAN, 0.0), (70, f64::NEG_INFINITY, 2.0)] {
        let empty = || MatRef::<f64, Cpu>::from_slice(&[], n, 0, COL);
        let expected: f64 = if beta == 0.0 { 0.0 } else { 3.0 * beta };
        let run = |call: &dyn Fn(MatMut<'_, f64, Cpu>) -> Result| -> Result {
            let mut c = vec![3.0; n * n];
            call(MatMut::from_slice(&mut c, n, n, COL)?)?;
            for (i, got) in c.iter().enumerate() {
                let want = if i % n >= i / n { expected } else { 3.0 };
                assert!(got.to_bits() == want.to_bits(), "{n}, {alpha}, {beta}: {got}, not {want}");
            }
            Ok(())
        };
        run(&|c| blas.syrk(alpha, empty()?, beta, c.sym(Uplo::Lower)))?;
        run(&|c| blas.syr2k(alpha, empty()?, empty()?, beta, c.sym(Uplo::Lower)))?;
        run(&|c| blas.syrkx(alpha, empty()?, empty()?, beta, c.sym(Uplo::Lower)))?;
    }
    Ok(())
}

#[test]
fn an_infinite_alpha_reaches_the_solved_unknowns_alone() -> Result {
    let blas = Cpu::handle();
    for (n, uplo) in [1, 2, 5, 7].into_iter().flat_map(|n| [(n, Uplo::Lower), (n, Uplo::Upper)]) {
        let mut a = vec![0.0; n * n];
        (0..n).for_each(|i| a[i * n + i] = 4.0);
        let mut b = vec![2.0; n * 3];
        let tri = MatRef::from_slice(&a, n, n, COL)?.tri(uplo, Diag::NonUnit);
        blas.trsm(Side::Left, f64::INFINITY, tri, MatMut::from_slice(&mut b, n, 3, COL)?)?;
        // Zeros beside the diagonal meet infinite unknowns, but for the one that is solved first.
        let first = if uplo == Uplo::Lower { 0 } else { n - 1 };
        assert!(b.chunks(n).all(|x| x[first] == f64::INFINITY), "{n}, {uplo:?}: {b:?}");
    }
    Ok(())
}
