//! Residuals by naive loops in complex f64, against the bounds of Higham, *Accuracy and Stability of Numerical
//! Algorithms*. Padding holds NaN, which no routine may read or overwrite.

use blas_api::*;

use crate::CpuHandle;

type Z = Complex<f64>;

/// A stored matrix with padding.
#[derive(Clone)]
struct Stored<T> {
    data: Vec<T>,
    rows: usize,
    cols: usize,
    ld: usize,
}

impl<T: Field> Stored<T> {
    fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> Z) -> Self {
        let ld = rows + 3;
        let nan = T::from_parts([f64::NAN; 2]);
        let mut data = vec![nan; ld * cols];
        for (j, i) in (0..cols).flat_map(|j| (0..rows).map(move |i| (j, i))) {
            let v = f(i, j);
            data[i + j * ld] = T::from_parts([v.re, v.im]);
        }
        Stored { data, rows, cols, ld }
    }

    fn random(rng: &mut Rng, rows: usize, cols: usize) -> Self {
        Self::from_fn(rows, cols, |_, _| rng.z())
    }

    /// Well-conditioned without exchanges of rows.
    fn dominant(rng: &mut Rng, n: usize) -> Self {
        Self::from_fn(n, n, |i, j| rng.z() + if i == j { n as f64 } else { 0.0 })
    }

    fn operand(&mut self) -> Matrix {
        Matrix { data: Address::single(self.data.as_mut_ptr().cast()), ld: self.ld }
    }

    fn dense(&self) -> Dense {
        let padding = self.data.chunks(self.ld).flat_map(|c| &c[self.rows..]);
        assert!(padding.into_iter().all(|v| v.parts()[0].is_nan()), "padding was written");
        Dense::from_fn(self.rows, self.cols, |i, j| {
            let [re, im] = self.data[i + j * self.ld].parts();
            Z::new(re, im)
        })
    }
}

/// What the residuals are computed with.
#[derive(Clone)]
struct Dense {
    rows: usize,
    cols: usize,
    data: Vec<Z>,
}

impl Dense {
    fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> Z) -> Self {
        let data = (0..rows * cols).map(|l| f(l % rows, l / rows)).collect();
        Dense { rows, cols, data }
    }
    fn at(&self, i: usize, j: usize) -> Z {
        self.data[i + j * self.rows]
    }
    fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| Z::from(f64::from(i == j)))
    }
    fn op(&self, trans: Trans) -> Self {
        let conj = |v: Z| if trans.is_conjugated() { v.conj() } else { v };
        if trans.is_transposed() {
            Self::from_fn(self.cols, self.rows, |i, j| conj(self.at(j, i)))
        } else {
            Self::from_fn(self.rows, self.cols, |i, j| conj(self.at(i, j)))
        }
    }
    fn block(&self, rows: usize, cols: usize) -> Self {
        Self::from_fn(rows, cols, |i, j| self.at(i, j))
    }
    fn abs(&self) -> Self {
        Self::from_fn(self.rows, self.cols, |i, j| Z::from(self.at(i, j).norm()))
    }
    fn mul(&self, b: &Self) -> Self {
        assert_eq!(self.cols, b.rows);
        Self::from_fn(self.rows, b.cols, |i, j| (0..self.cols).map(|l| self.at(i, l) * b.at(l, j)).sum())
    }
    fn sub(&self, b: &Self) -> Self {
        Self::from_fn(self.rows, self.cols, |i, j| self.at(i, j) - b.at(i, j))
    }
    fn norm(&self) -> f64 {
        self.data.iter().map(|v| v.norm_sqr()).sum::<f64>().sqrt()
    }
    /// |self| <= gamma * bound, element by element; NaN fails.
    fn assert_within(&self, gamma: f64, bound: &Self, what: &str) {
        for (e, b) in self.data.iter().zip(&bound.data) {
            assert!(e.norm() <= gamma * b.norm(), "{what}: error {} exceeds {}", e.norm(), gamma * b.norm());
        }
    }
    /// The factors L and U of a matrix as getrf leaves it.
    fn lu(&self) -> (Self, Self) {
        let k = self.rows.min(self.cols);
        let one_or = |i: usize, j: usize| if i == j { Z::from(1.0) } else { self.at(i, j) };
        let zero_if = |zero: bool, v: Z| if zero { Z::from(0.0) } else { v };
        (
            Self::from_fn(self.rows, k, |i, j| zero_if(i < j, one_or(i, j))),
            Self::from_fn(k, self.cols, |i, j| zero_if(i > j, self.at(i, j))),
        )
    }
    fn swap_rows(mut self, pivots: &[i32]) -> Self {
        for (i, &p) in pivots.iter().enumerate() {
            for j in 0..self.cols {
                self.data.swap(i + j * self.rows, p as usize - 1 + j * self.rows);
            }
        }
        self
    }
}

struct Rng(u64);

impl Rng {
    fn real(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn z(&mut self) -> Z {
        Z::new(self.real(), self.real())
    }
}

/// gamma(k) of the type; a complex operation has up to 2 * sqrt(2) times the error of a real one.
fn gamma<T: Field>(k: usize) -> f64 {
    let u = if T::DTYPE.real() == DType::F32 { f32::EPSILON as f64 } else { f64::EPSILON } / 2.0;
    let ku = k as f64 * u * if T::DTYPE.is_complex() { 8f64.sqrt() } else { 1.0 };
    ku / (1.0 - ku)
}

fn i32s(v: &mut [i32]) -> *mut u8 {
    v.as_mut_ptr().cast()
}

fn getrf<T: Field>(a: &mut Stored<T>, pivots: Option<&mut [i32]>) -> i32 {
    let mut info = [-1];
    let d = GetrfDesc {
        dtype: T::DTYPE,
        batch: 1,
        m: a.rows,
        n: a.cols,
        a: a.operand(),
        pivots: pivots.map(|p| Address::single(i32s(p))),
        info: RawOut::Host(i32s(&mut info)),
    };
    // SAFETY: the matrix and the pivots have the sizes that the descriptor states.
    unsafe { CpuHandle::new().getrf(&d) }.unwrap();
    info[0]
}

fn gels<T: Field>(trans: Trans, a: &mut Stored<T>, b: &mut Stored<T>) -> i32 {
    let mut info = [-1];
    let d = GelsDesc {
        dtype: T::DTYPE,
        batch: 1,
        trans,
        m: a.rows,
        n: a.cols,
        nrhs: b.cols,
        a: a.operand(),
        b: b.operand(),
        info: RawOut::Device(i32s(&mut info)),
    };
    // SAFETY: the matrices have the sizes that the descriptor states.
    unsafe { CpuHandle::new().gels(&d) }.unwrap();
    info[0]
}

fn geqrf<T: Field>(a: &mut Stored<T>) -> Vec<T> {
    let mut tau = vec![T::zero(); a.rows.min(a.cols)];
    let d = GeqrfDesc {
        dtype: T::DTYPE,
        batch: 1,
        m: a.rows,
        n: a.cols,
        a: a.operand(),
        tau: Vector { data: Address::single(tau.as_mut_ptr().cast()), inc: 1 },
    };
    // SAFETY: the matrix and tau have the sizes that the descriptor states.
    unsafe { CpuHandle::new().geqrf(&d) }.unwrap();
    tau
}

const SHAPES: [(usize, usize); 11] =
    [(0, 3), (3, 0), (1, 1), (5, 3), (3, 5), (16, 16), (17, 17), (40, 40), (75, 33), (33, 75), (101, 99)];

fn check_getrf<T: Field>() {
    let rng = &mut Rng(1);
    for (m, n) in SHAPES {
        let mut a = Stored::<T>::random(rng, m, n);
        let (original, mut pivots) = (a.dense(), vec![0; m.min(n)]);
        assert_eq!(getrf(&mut a, Some(&mut pivots)), 0);
        let (l, u) = a.dense().lu();
        assert!(l.data.iter().all(|v| v.re.abs() + v.im.abs() <= 2.0), "the pivot was not the largest");
        let residual = original.swap_rows(&pivots).sub(&l.mul(&u));
        residual.assert_within(gamma::<T>(m.min(n) + 1), &l.abs().mul(&u.abs()), "PA - LU");
    }
    let mut a = Stored::<T>::dominant(rng, 50);
    let original = a.dense();
    assert_eq!(getrf(&mut a, None), 0);
    let (l, u) = a.dense().lu();
    original.sub(&l.mul(&u)).assert_within(gamma::<T>(51), &l.abs().mul(&u.abs()), "A - LU");

    // The first zero pivot is reported and the factorisation completed; NaN goes through.
    let mut a = Stored::<T>::from_fn(40, 40, |_, j| if j == 20 || j == 30 { 0.0.into() } else { rng.z() });
    let (original, mut pivots) = (a.dense(), vec![0; 40]);
    assert_eq!(getrf(&mut a, Some(&mut pivots)), 21);
    let (l, u) = a.dense().lu();
    let residual = original.swap_rows(&pivots).sub(&l.mul(&u));
    residual.assert_within(gamma::<T>(41), &l.abs().mul(&u.abs()), "PA - LU");
    let mut a = Stored::<T>::from_fn(40, 40, |_, _| f64::NAN.into());
    assert_eq!(getrf(&mut a, Some(&mut pivots)), 0);
    assert!(pivots.iter().zip(1..).all(|(&p, i)| p == i), "the first NaN is the pivot");
}

/// The pivot is the first largest abs(re) + abs(im).
fn check_pivot_rule<T: Field>() {
    let column = [[3.0, 0.0], [-3.0, 0.0], [2.0, 2.0], [-2.0, 2.0]];
    let mut a = Stored::<T>::from_fn(4, 1, |i, _| Z::new(column[i][0], column[i][1]));
    let mut pivots = [0];
    getrf(&mut a, Some(&mut pivots));
    assert_eq!(pivots[0], if T::DTYPE.is_complex() { 3 } else { 1 });
}

fn check_getrs_getri<T: Field>() {
    let rng = &mut Rng(2);
    let h = CpuHandle::new();
    for (n, pivoting) in [(0, true), (1, true), (7, true), (7, false), (45, true), (45, false)] {
        let mut a = if pivoting { Stored::<T>::random(rng, n, n) } else { Stored::dominant(rng, n) };
        let (original, mut pivots) = (a.dense(), vec![0; n]);
        assert_eq!(getrf(&mut a, pivoting.then_some(&mut pivots[..])), 0);
        let identity: Vec<i32> = (1..=n as i32).collect();
        // P is applied from the right to |L| |U| by exchanging back: compare with the rows of A exchanged instead.
        let order = Dense::identity(n).swap_rows(if pivoting { &pivots } else { &identity });
        let (l, u) = a.dense().lu();
        let growth = order.op(Trans::T).mul(&l.abs().mul(&u.abs()));
        let address = pivoting.then(|| Address::single(i32s(&mut pivots)));

        for trans in [Trans::N, Trans::T, Trans::C, Trans::ConjN] {
            let mut b = Stored::<T>::random(rng, n, 4);
            let rhs = b.dense();
            let d = GetrsDesc {
                dtype: T::DTYPE,
                batch: 1,
                trans,
                n,
                nrhs: 4,
                a: a.operand(),
                pivots: address,
                b: b.operand(),
            };
            // SAFETY: the matrices and the pivots have the sizes that the descriptor states.
            unsafe { h.getrs(&d) }.unwrap();
            let x = b.dense();
            let residual = original.op(trans).mul(&x).sub(&rhs);
            let bound = growth.op(trans).mul(&x.abs());
            residual.assert_within(gamma::<T>(3 * n + 1), &bound, "op(A) X - B");
        }

        let mut c = Stored::<T>::from_fn(n, n, |_, _| f64::NAN.into());
        let mut info = [-1];
        let d = GetriDesc {
            dtype: T::DTYPE,
            batch: 1,
            n,
            a: a.operand(),
            pivots: address,
            c: c.operand(),
            info: RawOut::Host(i32s(&mut info)),
        };
        // SAFETY: as above.
        unsafe { h.getri(&d) }.unwrap();
        assert_eq!(info[0], 0);
        let x = c.dense();
        let residual = original.mul(&x).sub(&Dense::identity(n));
        let bound = original.abs().mul(&x.abs()).mul(&growth).mul(&x.abs());
        residual.assert_within(gamma::<T>(4 * n + 1), &bound, "A A⁻¹ - I");

        if n > 3 {
            a.data[2 + 2 * a.ld] = T::zero();
            let mut c = Stored::<T>::from_fn(n, n, |_, _| 7.0.into());
            let d = GetriDesc { a: a.operand(), c: c.operand(), ..d };
            // SAFETY: as above.
            unsafe { h.getri(&d) }.unwrap();
            assert_eq!(info[0], 3);
            assert!(c.dense().data.iter().all(|&v| v == Z::from(7.0)), "C was written");
        }
    }
}

/// Q of a factored matrix, rows x rows, from its reflectors one by one.
fn q<T: Field>(a: &Dense, tau: &[T]) -> Dense {
    let mut q = Dense::identity(a.rows);
    for (j, tau) in tau.iter().enumerate() {
        let v = Dense::from_fn(a.rows, 1, |i, _| match i.cmp(&j) {
            std::cmp::Ordering::Less => Z::from(0.0),
            std::cmp::Ordering::Equal => Z::from(1.0),
            std::cmp::Ordering::Greater => a.at(i, j),
        });
        let [re, im] = tau.parts();
        let scaled = Dense::from_fn(1, a.rows, |_, i| Z::new(re, im) * v.at(i, 0).conj());
        q = q.sub(&q.mul(&v).mul(&scaled));
    }
    q
}

fn check_geqrf<T: Field>() {
    let rng = &mut Rng(3);
    let extremes: [f64; 2] = if T::DTYPE.real() == DType::F32 { [1e36, 1e-36] } else { [1e306, 1e-300] };
    for (scale, (m, n)) in
        SHAPES.map(|s| (1.0, s)).into_iter().chain(extremes.map(|e| (e, (40, 35)))).chain([(0.0, (4, 4))])
    {
        let mut a = Stored::<T>::from_fn(m, n, |_, _| rng.z() * scale);
        let original = a.dense();
        let tau = geqrf(&mut a);
        let (factored, k) = (a.dense(), m.min(n));
        let (q, r) = (q(&factored, &tau), factored.lu().1);
        assert!((0..k).all(|j| r.at(j, j).im == 0.0), "the diagonal of R is real");
        let orthogonality = q.op(Trans::C).mul(&q).sub(&Dense::identity(m)).norm();
        assert!(orthogonality <= gamma::<T>(4 * m) * (m as f64).sqrt(), "QᴴQ - I is {orthogonality}");
        let unit = if scale == 0.0 { 1.0 } else { 1.0 / scale };
        let scaled = |a: &Dense| Dense::from_fn(a.rows, a.cols, |i, j| a.at(i, j) * unit);
        let residual = scaled(&original).sub(&q.block(m, k).mul(&scaled(&r)));
        for j in 0..n {
            let column = |a: &Dense| Dense::from_fn(m, 1, |i, _| a.at(i, j)).norm();
            let (error, size) = (column(&residual), column(&scaled(&original)));
            assert!(error <= gamma::<T>(4 * m) * size, "A - QR: column {j} is off by {error}, of {size}");
        }
    }
}

fn check_gels<T: Field>() {
    let rng = &mut Rng(4);
    let adjoint = if T::DTYPE.is_complex() { Trans::C } else { Trans::T };
    let tiny = if T::DTYPE.real() == DType::F32 { 1e-36 } else { 1e-304 };
    for (m, n) in [(1, 1), (9, 4), (4, 9), (35, 35), (70, 40), (40, 70)] {
        for (trans, scale) in [(Trans::N, 1.0), (adjoint, 1.0), (Trans::N, tiny), (adjoint, 1.0 / tiny)] {
            let (rows, unknowns) = if trans == Trans::N { (m, n) } else { (n, m) };
            let mut a = Stored::<T>::from_fn(m, n, |_, _| rng.z() * scale);
            // The rows beyond the right-hand sides are not read.
            let b = |i, v: Z| if i < rows { v * scale } else { f64::NAN.into() };
            let b = Stored::<T>::from_fn(m.max(n), 3, |i, _| b(i, rng.z()));
            let mut x = b.clone();
            let unscaled = |v: &Dense| Dense::from_fn(v.rows, v.cols, |i, j| v.at(i, j) / scale);
            let (op, b) = (unscaled(&a.dense().op(trans)), unscaled(&b.dense().block(rows, 3)));
            assert_eq!(gels(trans, &mut a, &mut x), 0);
            let x = x.dense().block(unknowns, 3);
            let residual = b.sub(&op.mul(&x));
            let size = op.norm() * x.norm() + b.norm();
            if rows >= unknowns {
                let normal = op.op(Trans::C).mul(&residual).norm();
                assert!(normal <= gamma::<T>(4 * m.max(n)) * op.norm() * size, "Aᴴ (B - A X) is {normal}");
            } else {
                assert!(residual.norm() <= gamma::<T>(4 * m.max(n)) * size, "B - A X is {}", residual.norm());
                // Of least norm: X is in the range of Aᴴ, which least squares with Aᴴ tells.
                let mut range = Stored::<T>::from_fn(unknowns, rows, |i, j| op.at(j, i).conj());
                let mut y = Stored::<T>::from_fn(unknowns, 3, |i, j| x.at(i, j));
                assert_eq!(gels(Trans::N, &mut range, &mut y), 0);
                let y = y.dense().block(rows, 3);
                let outside = x.sub(&op.op(Trans::C).mul(&y)).norm();
                let bound = gamma::<T>(8 * m.max(n)) * (op.norm() * y.norm() + x.norm());
                assert!(outside <= bound, "X is {outside} outside of the range of Aᴴ, allowed {bound}");
            }
        }
    }

    // A zero column is a zero on the diagonal of R.
    let mut a = Stored::<T>::from_fn(9, 5, |_, j| if j == 0 { 0.0.into() } else { rng.z() });
    let mut b = Stored::<T>::random(rng, 9, 2);
    let rhs = b.dense();
    assert_eq!(gels(Trans::N, &mut a, &mut b), 1);
    assert_eq!(b.dense().data, rhs.data, "no solution is computed");
    // Without equations, zero has the least norm.
    let (mut a, mut b) = (Stored::<T>::random(rng, 0, 4), Stored::<T>::from_fn(4, 2, |_, _| f64::NAN.into()));
    assert_eq!(gels(Trans::N, &mut a, &mut b), 0);
    assert!(b.dense().data.iter().all(|v| v.norm() == 0.0));
}

/// Strided, backwards and pointer-array batches are the same as single problems.
fn check_batches<T: Field>() {
    let rng = &mut Rng(5);
    let (n, count) = (20, 5);
    let single: Vec<_> = (0..count).map(|_| Stored::<T>::random(rng, n, n)).collect();
    let expected: Vec<_> = single
        .iter()
        .map(|a| {
            let (mut a, mut pivots) = (a.clone(), vec![0; n]);
            getrf(&mut a, Some(&mut pivots));
            (a.dense().data, pivots)
        })
        .collect();
    let size = single[0].data.len();
    for form in ["strided", "backwards", "array"] {
        let mut data: Vec<T> = single.iter().flat_map(|a| a.data.iter().copied()).collect();
        let (mut pivots, mut info) = (vec![0; n * count], vec![-1; count]);
        let base = data.as_mut_ptr();
        let ptrs: Vec<*mut u8> = (0..count).map(|i| base.wrapping_add(i * size).cast()).collect();
        let backwards = form == "backwards";
        let data_at = match form {
            "strided" => Address::Strided { ptr: ptrs[0], stride: size as isize },
            "backwards" => Address::Strided { ptr: ptrs[count - 1], stride: -(size as isize) },
            _ => Address::Array { ptrs: ptrs.as_ptr(), on: Location::Device },
        };
        let d = GetrfDesc {
            dtype: T::DTYPE,
            batch: count,
            m: n,
            n,
            a: Matrix { data: data_at, ld: single[0].ld },
            pivots: Some(Address::Strided { ptr: i32s(&mut pivots), stride: n as isize }),
            info: RawOut::Device(i32s(&mut info)),
        };
        // SAFETY: the batch has the sizes that the descriptor states.
        unsafe { CpuHandle::new().getrf(&d) }.unwrap();
        assert_eq!(info, vec![0; count]);
        for (i, (matrix, p)) in expected.iter().enumerate() {
            let data = data[i * size..][..size].to_vec();
            let a = Stored { data, ..single[i].clone() };
            let entry = if backwards { count - 1 - i } else { i };
            assert!(a.dense().data == *matrix && pivots[entry * n..][..n] == **p, "{form}: entry {i}");
        }
    }
}

macro_rules! for_all_types { ($($test:ident: $check:ident;)*) => {$(
    #[test]
    fn $test() {
        $check::<f32>();
        $check::<f64>();
        $check::<Complex<f32>>();
        $check::<Complex<f64>>();
    }
)*}}
for_all_types! {
    getrf_factors: check_getrf;
    getrf_takes_the_first_largest_pivot: check_pivot_rule;
    getrs_solves_and_getri_inverts: check_getrs_getri;
    geqrf_factors: check_geqrf;
    gels_solves: check_gels;
    batches_are_single_problems: check_batches;
}

#[test]
fn pivots_out_of_range_are_an_error() {
    let (mut a, mut b) = (Stored::<f64>::dominant(&mut Rng(6), 3), Stored::<f64>::random(&mut Rng(7), 3, 1));
    for bad in [-1, 0, 4] {
        let mut pivots = [1, bad, 3];
        let d = GetrsDesc {
            dtype: DType::F64,
            batch: 1,
            trans: Trans::N,
            n: 3,
            nrhs: 1,
            a: a.operand(),
            pivots: Some(Address::single(i32s(&mut pivots))),
            b: b.operand(),
        };
        // SAFETY: the matrices and the pivots have the sizes that the descriptor states.
        let error = unsafe { CpuHandle::new().getrs(&d) }.unwrap_err();
        assert_eq!(error.to_string(), format!("getrs: pivot is {bad}, must be a row of A, counted from 1"));
    }
}

#[test]
fn a_wrong_pivot_of_any_entry_is_found_before_anything_is_written() -> Result {
    let blas = crate::Cpu::handle();
    let (a, pivots) = ([2.0, 0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 2.0], [1, 2, 1, 0]);
    let (mut b, mut c, mut info) = ([9.0; 4], [9.0; 8], [7; 2]);
    let a = SliceRef::from(&a[..]).mat(2, 2, Layout::Col)?.batch(4, 2)?;
    let pivots = SliceRef::from(&pivots[..]).vec(2, 1)?.batch(2, 2)?;
    let right = SliceMut::from(&mut b[..]).mat(2, 1, Layout::Col)?.batch(2, 2)?;
    assert!(matches!(blas.getrs(Trans::N, &a, &pivots, right), Err(Error::Argument { value: 0, .. })));
    let inverse = SliceMut::from(&mut c[..]).mat(2, 2, Layout::Col)?.batch(4, 2)?;
    let found = blas.getri(&a, &pivots, inverse, &mut info[..]);
    assert!(matches!(found, Err(Error::Argument { value: 0, .. })));
    assert_eq!((b, c, info), ([9.0; 4], [9.0; 8], [7; 2]));
    Ok(())
}
