//! Operands for tests at the level of descriptors: small integers, which every order of summation gets exactly, with
//! NaN wherever nothing may be read. Storage is compared as a whole, gaps and paddings included.

mod numbers;

use blas_api::*;
pub(crate) use numbers::*;

pub(crate) const BATCH: usize = 2;
pub(crate) const INCS: [isize; 4] = [1, 3, -1, -2];

/// What the two coefficients are tested with: zero, one, and a general value.
pub(crate) const COEFS: [Z; 3] = [Z::new(0.0, 0.0), Z::new(1.0, 0.0), Z::new(2.0, -1.0)];

/// One array an entry, one after the other.
#[derive(Clone)]
pub(crate) struct Store<T> {
    pub(crate) data: Vec<T>,
    each: usize,
    ptrs: Vec<*mut u8>,
}

impl<T: Scalar> Store<T> {
    /// `len` elements an entry, all NaN.
    pub(crate) fn new(len: usize) -> Self {
        let each = len + 5;
        Store { data: vec![el(Z::new(f64::NAN, f64::NAN)); each * BATCH], each, ptrs: vec![] }
    }
    pub(crate) fn entry(&mut self, e: usize) -> &mut [T] {
        &mut self.data[e * self.each..][..self.each]
    }
    pub(crate) fn address(&mut self, array: bool) -> Address {
        if !array {
            return Address::Strided { ptr: self.data.as_mut_ptr().cast(), stride: self.each as isize };
        }
        self.ptrs = self.data.chunks_mut(self.each).map(|c| c.as_mut_ptr().cast()).collect();
        Address::Array { ptrs: self.ptrs.as_ptr(), on: Location::Device }
    }
    /// The same bits, or both NaN.
    #[track_caller]
    pub(crate) fn assert_is(&self, want: &Self, what: &str) {
        for (i, (a, b)) in self.data.iter().zip(&want.data).enumerate() {
            let ([a, b], [c, d]) = (a.parts(), b.parts());
            let same = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan());
            assert!(same(a, c) && same(b, d), "{what} {}: [{i}] is {a} {b}, not {c} {d}", T::DTYPE);
        }
    }
}

/// A batch of vectors.
#[derive(Clone)]
pub(crate) struct Vecs<T> {
    pub(crate) n: usize,
    pub(crate) inc: isize,
    pub(crate) store: Store<T>,
}

impl<T: Scalar> Vecs<T> {
    pub(crate) fn random(n: usize, inc: isize, seed: usize) -> Self {
        let store = Store::new(n * inc.unsigned_abs().max(1));
        Vecs { n, inc, store }.with(|e, i| integer::<T>(seed + e, i))
    }
    fn position(&self, i: usize) -> usize {
        (if self.inc < 0 { self.n - 1 - i } else { i }) * self.inc.unsigned_abs()
    }
    /// The same gaps, other elements.
    pub(crate) fn with(&self, f: impl Fn(usize, usize) -> Z) -> Self {
        let mut v = self.clone();
        for (e, i) in (0..BATCH).flat_map(|e| (0..self.n).map(move |i| (e, i))) {
            let p = self.position(i);
            v.store.entry(e)[p] = el(f(e, i));
        }
        v
    }
    pub(crate) fn at(&self, e: usize, i: usize) -> Z {
        z(self.store.data[e * self.store.each + self.position(i)])
    }
    pub(crate) fn raw(&mut self, array: bool) -> Vector {
        Vector { data: self.store.address(array), inc: self.inc }
    }
}

/// A coefficient on either side.
pub(crate) struct Coefficient<T: Scalar>(T::Coef);

impl<T: Scalar> Coefficient<T> {
    pub(crate) fn new(v: Z) -> Self {
        Coefficient(el(v))
    }
    pub(crate) fn raw(&self, device: bool) -> RawScalar {
        if device { RawScalar::Device((&raw const self.0).cast()) } else { RawScalar::Host(self.0.parts()) }
    }
}
