//! Small integers as elements of every type.

use blas_api::*;

pub(crate) type Z = Complex<f64>;

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

/// Runs a generic function for each of the listed types.
#[macro_export]
macro_rules! for_types {
    ($f:ident: $($t:ty),*) => {$( $f::<$t>(); )*};
}
