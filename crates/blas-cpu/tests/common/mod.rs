//! Operands for tests at the level of descriptors: small integers, which every order of summation gets exactly, with
//! NaN wherever nothing may be read. Storage is compared as a whole, gaps and paddings included.

use blas_api::*;

pub(crate) type Z = Complex<f64>;
pub(crate) const BATCH: usize = 2;
pub(crate) const INCS: [isize; 4] = [1, 3, -1, -2];

/// What the two coefficients are tested with: zero, one, and a general value.
pub(crate) const COEFS: [Z; 3] = [Z::new(0.0, 0.0), Z::new(1.0, 0.0), Z::new(2.0, -1.0)];

pub(crate) fn el<T: Scalar>(z: Z) -> T {
    T::from_parts([z.re, z.im])
}

pub(crate) fn z<T: Scalar>(v: T) -> Z {
    let [re, im] = v.parts();
    Z::new(re, im)
}

/// A value as the type holds it: its real part for real types.
pub(crate) fn as_held<T: Scalar>(v: Z) -> Z {
    if T::DTYPE.is_complex() { v } else { v.re.into() }
}

/// Between -2 and 2 in both parts, different for each seed and index.
pub(crate) fn integer<T: Scalar>(seed: usize, i: usize) -> Z {
    let part = |x: usize| ((x.wrapping_mul(0x9E37_79B9) >> 13) % 5) as f64 - 2.0;
    as_held::<T>(Z::new(part(seed * 131 + i * 7), part(seed * 37 + i * 1009 + 5)))
}

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

/// Runs a generic function for each of the listed types.
#[macro_export]
macro_rules! for_types {
    ($f:ident: $($t:ty),*) => {$( $f::<$t>(); )*};
}
