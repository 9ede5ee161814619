//! Element types as CBLAS names and passes them.

use blas_api::{Complex, Field, RealField};

/// A type of CBLAS.
pub(crate) trait Number: Field<Real: RealField> {
    /// The letter in names of routines.
    const LETTER: &'static str;
    /// Letters of routines from this type to its real type: nrm2, asum.
    const NORM: &'static str;
    /// Whether there is an imaginary part.
    const COMPLEX: bool;
    /// How a coefficient is passed: real ones by value, complex ones by address.
    type Value: Copy + 'static;

    /// A coefficient as an argument, which is valid for as long as the reference.
    fn value(&self) -> Self::Value;

    /// A number of size 1 that is not 1: products with it neither grow nor vanish.
    fn turn() -> Self;

    /// A number so small that adding multiples of it again and again changes little.
    fn small() -> Self {
        Self::from_parts([1e-6, 1e-6])
    }
}

macro_rules! real { ($($t:ident: $letter:literal;)*) => {$(
    impl Number for $t {
        const LETTER: &'static str = $letter;
        const NORM: &'static str = $letter;
        const COMPLEX: bool = false;
        type Value = $t;
        fn value(&self) -> $t {
            *self
        }
        fn turn() -> $t {
            -1.0
        }
    }
)*}}
real!(f32: "s"; f64: "d";);

macro_rules! complex { ($($t:ident: $letter:literal, $norm:literal;)*) => {$(
    impl Number for Complex<$t> {
        const LETTER: &'static str = $letter;
        const NORM: &'static str = $norm;
        const COMPLEX: bool = true;
        type Value = *const Complex<$t>;
        fn value(&self) -> *const Complex<$t> {
            self
        }
        fn turn() -> Self {
            Complex::new(0.6, 0.8)
        }
    }
)*}}
complex!(f32: "c", "sc"; f64: "z", "dz";);
