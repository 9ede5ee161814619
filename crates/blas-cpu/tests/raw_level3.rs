//! Level 3 at the level of descriptors, against naive sums of integers, which every order of summation gets exactly.
//! Whatever must not be read holds NaN, and storage is compared as a whole, padding and other triangles included.

#[path = "common/flags.rs"]
mod flags;

use blas_api::*;
use blas_cpu::CpuHandle;
use flags::*;

type Z = Complex<f64>;
const SIDES: [Side; 2] = [Side::Left, Side::Right];
const BATCH: usize = 2;

/// What tests need of an element, the integers of GEMM included.
trait El: Element {
    fn from_z(z: Z) -> Self;
    fn z(self) -> Z;
    fn poison() -> Self;
}
macro_rules! el { ($($t:ty),*) => {$(impl El for $t {
    fn from_z(z: Z) -> Self { <$t as Scalar>::from_parts([z.re, z.im]) }
    fn z(self) -> Z { let [re, im] = Scalar::parts(self); Z::new(re, im) }
    fn poison() -> Self { <$t as Scalar>::from_parts([f64::NAN; 2]) }
})*} }
el!(f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
macro_rules! int { ($($t:ty),*) => {$(impl El for $t {
    fn from_z(z: Z) -> Self { z.re as $t }
    fn z(self) -> Z { Z::new(f64::from(self), 0.0) }
    fn poison() -> Self { 77 }
})*} }
int!(i8, i32);

/// A logical matrix.
#[derive(Clone)]
struct Dense(usize, usize, Vec<Z>);

impl Dense {
    fn new(m: usize, n: usize, f: impl Fn(usize, usize) -> Z) -> Self {
        Dense(m, n, (0..m * n).map(|p| f(p % m, p / m)).collect())
    }
    fn at(&self, i: usize, j: usize) -> Z {
        self.2[i + j * self.0]
    }
    fn op(&self, op: Trans) -> Dense {
        let conj = |z: Z| if op.is_conjugated() { z.conj() } else { z };
        match op.is_transposed() {
            false => Dense::new(self.0, self.1, |i, j| conj(self.at(i, j))),
            true => Dense::new(self.1, self.0, |i, j| conj(self.at(j, i))),
        }
    }
    fn times(&self, b: &Dense) -> Dense {
        assert_eq!(self.1, b.0);
        Dense::new(self.0, b.1, |i, j| (0..self.1).map(|l| self.at(i, l) * b.at(l, j)).sum())
    }
    /// x * self + y * other; a zero y hides NaN.
    fn sum(&self, x: Z, y: Z, other: &Dense) -> Dense {
        let old = |i, j| if y == Z::ZERO { y } else { y * other.at(i, j) };
        Dense::new(self.0, self.1, |i, j| x * self.at(i, j) + old(i, j))
    }
    fn on_side(&self, side: Side, b: &Dense) -> Dense {
        if side == Side::Left { self.times(b) } else { b.times(self) }
    }
}

/// A batch of column-major matrices with padding below, between and beside them.
#[derive(Clone)]
struct Store<T> {
    m: usize,
    n: usize,
    data: Vec<T>,
    ptrs: Vec<*mut u8>,
}

impl<T: El> Store<T> {
    fn new(m: usize, n: usize, f: impl Fn(usize, usize, usize) -> Z) -> Self {
        let mut s = Store { m, n, data: vec![], ptrs: vec![] };
        s.data = vec![T::poison(); s.stride() * BATCH];
        (0..BATCH).for_each(|e| s.put(e, &Dense::new(m, n, |i, j| f(e, i, j)), |_, _| true));
        s
    }
    /// Small integers, different for each seed.
    fn random(m: usize, n: usize, seed: usize) -> Self {
        let part = |x: usize| ((x.wrapping_mul(0x9E37_79B9) >> 13) % 5) as f64 - 2.0;
        let re = move |e, i, j| part(seed + 31 * e + 1009 * i + 7919 * j + i * j);
        Store::new(m, n, move |e, i, j| Z::new(re(e, i, j), re(e + 17, j, i)))
    }
    fn ld(&self) -> usize {
        self.m + 3
    }
    fn stride(&self) -> usize {
        self.ld() * self.n + 5
    }
    fn put(&mut self, e: usize, d: &Dense, keep: impl Fn(usize, usize) -> bool) {
        let (ld, stride) = (self.ld(), self.stride());
        for j in 0..self.n {
            for i in (0..self.m).filter(|i| keep(*i, j)) {
                self.data[e * stride + i + j * ld] = T::from_z(d.at(i, j));
            }
        }
    }
    fn dense(&self, e: usize) -> Dense {
        Dense::new(self.m, self.n, |i, j| self.data[e * self.stride() + i + j * self.ld()].z())
    }
    fn strided(&mut self) -> Matrix {
        let (stride, ld) = (self.stride() as isize, self.ld());
        Matrix { data: Address::Strided { ptr: self.data.as_mut_ptr().cast(), stride }, ld }
    }
    fn array(&mut self) -> Matrix {
        let stride = self.stride();
        self.ptrs = self.data.chunks_mut(stride).map(|c| c.as_mut_ptr().cast()).collect();
        Matrix { data: Address::Array { ptrs: self.ptrs.as_ptr(), on: Location::Device }, ld: self.ld() }
    }
    /// The matrix of which `uplo` (and the diagonal, unless it is a unit one) is there; the rest becomes NaN.
    fn only(&mut self, uplo: Uplo, diag: Diag, f: impl Fn(Z, Z, bool) -> Z) -> Vec<Dense> {
        let full: Vec<_> = (0..BATCH).map(|e| self.dense(e)).collect();
        let stored = |i: usize, j: usize| inside(uplo, i, j) && (i != j || diag == Diag::NonUnit);
        let nan = Dense::new(self.m, self.n, |_, _| T::poison().z());
        (0..BATCH).for_each(|e| self.put(e, &nan, |i, j| !stored(i, j)));
        let g = |d: &Dense, i, j| if inside(uplo, i, j) { d.at(i, j) } else { d.at(j, i) };
        full.iter()
            .map(|d| {
                Dense::new(self.m, self.n, |i, j| match i == j {
                    true if diag == Diag::Unit => Z::ONE,
                    diagonal => f(g(d, i, j), if inside(uplo, i, j) { Z::ONE } else { Z::ZERO }, diagonal),
                })
            })
            .collect()
    }
    fn check(&self, want: &Store<T>, what: impl std::fmt::Debug) {
        for (p, (got, want)) in self.data.iter().zip(&want.data).enumerate() {
            let same = got == want || (got.z().re.is_nan() && want.z().re.is_nan());
            assert!(same, "{what:?}: element {p} is {got:?}, not {want:?}");
        }
    }
}

fn inside(uplo: Uplo, i: usize, j: usize) -> bool {
    if uplo == Uplo::Lower { i >= j } else { i <= j }
}

fn host(z: Z) -> RawScalar {
    RawScalar::Host([z.re, z.im])
}

fn coefs<T: El>() -> [(Z, Z); 3] {
    let i = if T::DTYPE.is_complex() { 1.0 } else { 0.0 };
    [(Z::ONE, Z::ZERO), (Z::new(2.0, -i), Z::new(-1.0, i)), (Z::new(-1.0, 0.0), Z::ONE)]
}

fn gemm_case<A: El, C: El>(
    types: GemmTypes,
    [m, n, k]: [usize; 3],
    ta: Trans,
    tb: Trans,
    (alpha, beta): (Z, Z),
) {
    let h = CpuHandle::new();
    let size = |op: Trans, r, c| if op.is_transposed() { (c, r) } else { (r, c) };
    let ((ar, ac), (br, bc)) = (size(ta, m, k), size(tb, k, n));
    let (mut a, mut b) = (Store::<A>::random(ar, ac, 1), Store::<A>::random(br, bc, 2));
    let mut c = Store::<C>::random(m, n, 3);
    if beta == Z::ZERO {
        c = Store::new(m, n, |_, _, _| C::poison().z());
    }
    let mut want = c.clone();
    for e in 0..BATCH {
        let product = a.dense(e).op(ta).times(&b.dense(e).op(tb));
        want.put(e, &product.sum(alpha, beta, &c.dense(e)), |_, _| true);
    }
    let d = GemmDesc {
        types,
        batch: BATCH,
        ta,
        tb,
        m,
        n,
        k,
        alpha: host(alpha),
        a: a.strided(),
        b: b.array(),
        beta: host(beta),
        c: c.strided(),
    };
    // SAFETY: the stores hold what the descriptor describes.
    unsafe { h.gemm_ex(&d) }.unwrap();
    c.check(&want, (types, m, n, k, ta, tb, alpha, beta));
}

fn gemm_all<A: El, C: El>(types: GemmTypes) {
    for size in [[1, 1, 1], [3, 2, 5], [17, 15, 33], [2, 65, 1], [64, 16, 40]] {
        for (ta, tb) in pairs(OPS, OPS) {
            for coef in coefs::<C>() {
                gemm_case::<A, C>(types, size, ta, tb, coef);
            }
        }
    }
    for size in [[130, 70, 300], [300, 530, 20], [90, 100, 1100]] {
        gemm_case::<A, C>(types, size, Trans::T, Trans::ConjN, coefs::<C>()[1]);
    }
}

#[test]
fn gemm() {
    gemm_all::<f16, f16>(GemmTypes::plain(DType::F16));
    gemm_all::<bf16, bf16>(GemmTypes::plain(DType::BF16));
    gemm_all::<f32, f32>(GemmTypes::plain(DType::F32));
    gemm_all::<f64, f64>(GemmTypes::plain(DType::F64));
    gemm_all::<Complex<f32>, Complex<f32>>(GemmTypes::plain(DType::C32));
    gemm_all::<Complex<f64>, Complex<f64>>(GemmTypes::plain(DType::C64));
    let mixed = |t, c, compute| GemmTypes { a: t, b: t, c, compute };
    gemm_all::<f16, f32>(mixed(DType::F16, DType::F32, Compute::F32));
    gemm_all::<bf16, f32>(mixed(DType::BF16, DType::F32, Compute::F32));
    gemm_all::<i8, i32>(mixed(DType::I8, DType::I32, Compute::I32));
}

#[test]
fn integers_are_exact_beyond_a_block() {
    let (m, n, k) = (33, 1100, 520);
    let value = |i: usize| (i * i % 251) as u8 as i8;
    let (mut a, mut b) =
        ((0..m * k).map(value).collect::<Vec<_>>(), (0..k * n).map(|i| value(i + 7)).collect::<Vec<_>>());
    let mut c = vec![3i32; m * n];
    let matrix = |ptr: *mut u8, ld| Matrix { data: Address::single(ptr), ld };
    let d = GemmDesc {
        types: GemmTypes { a: DType::I8, b: DType::I8, c: DType::I32, compute: Compute::I32 },
        batch: 1,
        ta: Trans::N,
        tb: Trans::N,
        m,
        n,
        k,
        alpha: RawScalar::Host([2.0, 0.0]),
        a: matrix(a.as_mut_ptr().cast(), m),
        b: matrix(b.as_mut_ptr().cast(), k),
        beta: RawScalar::ONE,
        c: matrix(c.as_mut_ptr().cast(), m),
    };
    // SAFETY: the arrays hold what the descriptor describes.
    unsafe { CpuHandle::new().gemm_ex(&d) }.unwrap();
    for (j, column) in c.chunks(m).enumerate() {
        for (i, got) in column.iter().enumerate() {
            let sum: i32 = (0..k).map(|l| i32::from(a[i + l * m]) * i32::from(b[l + j * k])).sum();
            assert_eq!(*got, 2 * sum + 3, "{i}, {j}");
        }
    }
}

#[test]
fn integers_wrap() {
    let (h, mut a, mut c) = (CpuHandle::new(), vec![-128i8; 3 * 70_000], [i32::MAX, 5]);
    let matrix = |ptr: *mut u8, ld| Matrix { data: Address::single(ptr), ld };
    let beta = -3i32;
    let d = GemmDesc {
        types: GemmTypes { a: DType::I8, b: DType::I8, c: DType::I32, compute: Compute::I32 },
        batch: 1,
        ta: Trans::T,
        tb: Trans::N,
        m: 1,
        n: 1,
        k: 70_000,
        alpha: RawScalar::Host([7.0, 0.0]),
        a: matrix(a.as_mut_ptr().cast(), 70_000),
        b: matrix(a.as_mut_ptr().cast(), 70_000),
        beta: RawScalar::Device((&raw const beta).cast()),
        c: matrix(c.as_mut_ptr().cast(), 1),
    };
    // SAFETY: the arrays hold what the descriptor describes.
    unsafe { h.gemm_ex(&d) }.unwrap();
    let sum = (16384 * 70_000i32).wrapping_mul(7);
    assert_eq!(c, [sum.wrapping_add(i32::MAX.wrapping_mul(-3)), 5]);
}

fn structured<T: El + Scalar>(herm: bool) {
    let h = CpuHandle::new();
    let mirror = |z: Z, in_triangle: Z, diagonal: bool| match (diagonal, in_triangle == Z::ONE) {
        (true, _) if herm => Z::new(z.re, 0.0),
        (_, false) if herm => z.conj(),
        _ => z,
    };
    for (n, k) in [(1, 1), (5, 3), (33, 17), (65, 2), (130, 9), (300, 7)] {
        for (p, (uplo, op)) in pairs(UPLOS, OPS).enumerate() {
            let (alpha, beta) = coefs::<T>()[p % 3];
            // symm, hemm
            for side in SIDES {
                let (m, cols) = if side == Side::Left { (n, k) } else { (k, n) };
                let (mut a, mut c) = (Store::<T>::random(n, n, 1), Store::<T>::random(m, cols, 2));
                let mut b = if op.is_transposed() {
                    Store::<T>::random(cols, m, 3)
                } else {
                    Store::random(m, cols, 3)
                };
                let (full, conj) = (a.only(uplo, Diag::NonUnit, mirror), p % 2 == 1);
                let mut want = c.clone();
                for (e, full) in full.iter().enumerate() {
                    let a = if conj { full.op(Trans::ConjN) } else { full.clone() };
                    let product = a.on_side(side, &b.dense(e).op(op));
                    want.put(e, &product.sum(alpha, beta, &c.dense(e)), |_, _| true);
                }
                let d = SymmDesc {
                    dtype: T::DTYPE,
                    batch: BATCH,
                    side,
                    uplo,
                    conj,
                    tb: op,
                    m,
                    n: cols,
                    alpha: host(alpha),
                    a: a.array(),
                    b: b.strided(),
                    beta: host(beta),
                    c: c.strided(),
                };
                // SAFETY: the stores hold what the descriptor describes.
                unsafe { if herm { h.hemm(&d) } else { h.symm(&d) } }.unwrap();
                c.check(&want, (herm, d));
            }
            // syrk, syr2k, syrkx and twins
            let beta = if herm { Z::new(beta.re, 0.0) } else { beta };
            let (ta, tb) = (op, OPS[(p + n) % 4]);
            let random = |op: Trans, seed| {
                if op.is_transposed() { Store::<T>::random(k, n, seed) } else { Store::random(n, k, seed) }
            };
            for terms in 0..3 {
                let alpha = if terms == 0 && herm { Z::new(alpha.re, 0.0) } else { alpha };
                let (mut a, mut b, mut c) = (random(ta, 1), random(tb, 2), Store::<T>::random(n, n, 3));
                let old = c.only(uplo, Diag::NonUnit, mirror);
                let mut want = c.clone();
                let (t, conj) = if herm {
                    (Trans::C, Z::conj as fn(&Z) -> Z)
                } else {
                    (Trans::T, (|z: &Z| *z) as fn(&Z) -> Z)
                };
                for (e, old) in old.iter().enumerate() {
                    let (x, y) = (a.dense(e).op(ta), b.dense(e).op(tb));
                    let product = match terms {
                        0 => x.times(&x.op(t)).sum(alpha, Z::ZERO, &x),
                        1 => x.times(&y.op(t)).sum(alpha, conj(&alpha), &y.times(&x.op(t))),
                        _ => x.times(&y.op(t)).sum(alpha, Z::ZERO, &x),
                    };
                    let sum = product.sum(Z::ONE, beta, old);
                    let sum = Dense::new(n, n, |i, j| {
                        if herm && i == j { Z::new(sum.at(i, j).re, 0.0) } else { sum.at(i, j) }
                    });
                    want.put(e, &sum, |i, j| inside(uplo, i, j));
                }
                let (alpha, beta) = (host(alpha), host(beta));
                let (dtype, batch, am, bm, cm) = (T::DTYPE, BATCH, a.strided(), b.array(), c.strided());
                let one = SyrkDesc { dtype, batch, uplo, trans: ta, n, k, alpha, a: am, beta, c: cm };
                let two = Syr2kDesc { dtype, batch, uplo, ta, tb, n, k, alpha, a: am, b: bm, beta, c: cm };
                // SAFETY: as above.
                unsafe {
                    match (terms, herm) {
                        (0, false) => h.syrk(&one),
                        (0, true) => h.herk(&one),
                        (1, false) => h.syr2k(&two),
                        (1, true) => h.her2k(&two),
                        (_, false) => h.syrkx(&two),
                        (_, true) => h.herkx(&two),
                    }
                }
                .unwrap();
                c.check(&want, (herm, terms, two));
            }
        }
    }
}

#[test]
fn symmetric_and_hermitian() {
    structured::<f32>(false);
    structured::<f64>(false);
    structured::<Complex<f32>>(false);
    structured::<Complex<f64>>(false);
    structured::<Complex<f32>>(true);
    structured::<Complex<f64>>(true);
}

fn triangular<T: El + Scalar>() {
    let h = CpuHandle::new();
    for (n, k) in [(1, 1), (4, 3), (31, 2), (33, 70), (100, 5), (161, 20)] {
        for (p, (uplo, op)) in pairs(UPLOS, OPS).enumerate() {
            for (side, diag) in pairs(SIDES, DIAGS) {
                let (alpha, _) = coefs::<T>()[p % 3];
                let (m, cols) = if side == Side::Left { (n, k) } else { (k, n) };
                let mut a = Store::<T>::random(n, n, 1);
                // Pivots that divide exactly.
                let pivots = Dense::new(n, n, |i, _| Z::new([1.0, -2.0, 0.5][i % 3], 0.0));
                (0..BATCH).for_each(|e| a.put(e, &pivots, |i, j| i == j));
                let full = a.only(uplo, diag, |z, stored, _| z * stored);
                let product = |e: usize, b: &Dense| full[e].op(op).on_side(side, b);
                let tb = OPS[(p + n) % 4];
                let mut b = if tb.is_transposed() {
                    Store::<T>::random(cols, m, 2)
                } else {
                    Store::random(m, cols, 2)
                };
                let (dtype, batch, trans, am) = (T::DTYPE, BATCH, op, a.array());
                // trmm, out of place
                let mut c = Store::<T>::new(m, cols, |_, _, _| T::poison().z());
                let mut want = c.clone();
                (0..BATCH).for_each(|e| {
                    let x = product(e, &b.dense(e).op(tb));
                    want.put(e, &x.sum(alpha, Z::ZERO, &x), |_, _| true);
                });
                let d = TrmmDesc {
                    dtype,
                    batch,
                    side,
                    uplo,
                    trans,
                    diag,
                    tb,
                    m,
                    n: cols,
                    alpha: host(alpha),
                    a: am,
                    b: b.strided(),
                    c: c.strided(),
                };
                // SAFETY: the stores hold what the descriptor describes.
                unsafe { h.trmm(&d) }.unwrap();
                c.check(&want, d);
                // trmm in place, and trsm back again
                let x = Store::<T>::random(m, cols, 4);
                let mut b = x.clone();
                let bm = b.strided();
                let d = TrmmDesc { tb: Trans::N, alpha: RawScalar::ONE, b: bm, c: bm, ..d };
                // SAFETY: as above.
                unsafe { h.trmm(&d) }.unwrap();
                let mut want = x.clone();
                (0..BATCH).for_each(|e| want.put(e, &product(e, &x.dense(e)), |_, _| true));
                b.check(&want, d);
                let solve = TrsmDesc {
                    dtype,
                    batch,
                    side,
                    uplo,
                    trans,
                    diag,
                    m,
                    n: cols,
                    alpha: host(alpha),
                    a: am,
                    b: bm,
                };
                // SAFETY: as above.
                unsafe { h.trsm(&solve) }.unwrap();
                (0..BATCH)
                    .for_each(|e| want.put(e, &x.dense(e).sum(alpha, Z::ZERO, &x.dense(e)), |_, _| true));
                b.check(&want, solve);
            }
        }
    }
}

#[test]
fn trmm_and_trsm() {
    triangular::<f32>();
    triangular::<f64>();
    triangular::<Complex<f32>>();
    triangular::<Complex<f64>>();
}
