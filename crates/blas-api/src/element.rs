//! Element types, at compile time ([`Scalar`]) and at run time ([`DType`]).

use std::fmt;

use half::{bf16, f16};
use num_complex::Complex;
use num_traits::NumAssign;

/// Element type at run time. The names follow the width of one part: `C32` is `Complex<f32>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum DType {
    /// IEEE binary16.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// `Complex<f32>`.
    C32,
    /// `Complex<f64>`.
    C64,
    /// 8-bit signed integer (inputs of integer GEMM).
    I8,
    /// 32-bit signed integer (integer GEMM, pivots, `info`).
    I32,
    /// 64-bit signed integer (results of `iamax_into`, `iamin_into`).
    I64,
}

impl DType {
    /// Size of one element in bytes.
    pub const fn size(self) -> usize {
        match self {
            DType::I8 => 1,
            DType::F16 | DType::BF16 => 2,
            DType::F32 | DType::I32 => 4,
            DType::F64 | DType::C32 | DType::I64 => 8,
            DType::C64 => 16,
        }
    }

    /// Type of alpha and beta for this element: f32 for the half types, i32 for integers, else itself.
    pub const fn coef(self) -> DType {
        match self {
            DType::F16 | DType::BF16 => DType::F32,
            DType::I8 => DType::I32,
            other => other,
        }
    }

    /// Type of the real and imaginary parts.
    pub const fn real(self) -> DType {
        match self {
            DType::C32 => DType::F32,
            DType::C64 => DType::F64,
            other => other,
        }
    }

    /// Whether the type is complex.
    pub const fn is_complex(self) -> bool {
        matches!(self, DType::C32 | DType::C64)
    }

    /// Short lower-case name: `f32`, `bf16`, `c64`, ...
    pub const fn name(self) -> &'static str {
        match self {
            DType::F16 => "f16",
            DType::BF16 => "bf16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::C32 => "c32",
            DType::C64 => "c64",
            DType::I8 => "i8",
            DType::I32 => "i32",
            DType::I64 => "i64",
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// Anything that a [`Buffer`](crate::Buffer) can hold. All-zero bytes are a valid value of every element.
pub trait Element: sealed::Sealed + Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The same type at run time.
    const DTYPE: DType;
}

/// A floating-point element that BLAS routines compute with: f16, bf16, f32, f64, `Complex<f32>`,
/// `Complex<f64>`. The one bound that generic code needs; what a backend lacks for a type is a run-time
/// [`Unsupported`](crate::Error::Unsupported), which [`Handle::supports`](crate::Handle::supports) tells beforehand.
pub trait Scalar: Element + NumAssign + std::ops::Neg<Output = Self> {
    /// Type of alpha and beta, and of the accumulation: f32 for f16 and bf16, else the type itself.
    type Coef: Field;
    /// Type of norms and absolute values: the part type of a complex number, else the type itself.
    type Real: Scalar;

    /// Complex conjugate; the value itself for real types.
    fn conj(self) -> Self;
    /// Widens to the accumulation type, exactly.
    fn to_coef(self) -> Self::Coef;
    /// Rounds from the accumulation type to storage (to nearest, ties to even).
    fn from_coef(c: Self::Coef) -> Self;
    /// Real and imaginary part as f64, exactly.
    fn parts(self) -> [f64; 2];
    /// From real and imaginary part, rounding to the type; the imaginary part is dropped for real types.
    fn from_parts(parts: [f64; 2]) -> Self;

    /// A real coefficient in generic code: `blas.gemm(T::coef(0.5), ..)`. Rounds to the coefficient's type.
    fn coef(value: f64) -> Self::Coef {
        Self::Coef::from_parts([value, 0.0])
    }
}

/// One of the four classic BLAS types (s, d, c, z): its coefficients are of its own type.
pub trait Field: Scalar<Coef = Self> {}

/// f32 or f64.
pub trait RealField: Field + Scalar<Real = Self> + num_traits::Float {}

/// `Complex<f32>` or `Complex<f64>`.
pub trait ComplexField: Field {}

macro_rules! element { ($($t:ty = $d:ident),*) => {$(
    impl sealed::Sealed for $t {}
    impl Element for $t { const DTYPE: DType = DType::$d; }
)*}}
element!(
    f16 = F16,
    bf16 = BF16,
    f32 = F32,
    f64 = F64,
    Complex<f32> = C32,
    Complex<f64> = C64,
    i8 = I8,
    i32 = I32,
    i64 = I64
);

macro_rules! real { ($($t:ident),*) => {$(
    impl Scalar for $t {
        type Coef = $t;
        type Real = $t;
        fn conj(self) -> Self { self }
        fn to_coef(self) -> $t { self }
        fn from_coef(c: $t) -> Self { c }
        fn parts(self) -> [f64; 2] { [f64::from(self), 0.0] }
        fn from_parts(parts: [f64; 2]) -> Self { parts[0] as $t }
    }
    impl Field for $t {}
    impl RealField for $t {}
    impl Scalar for Complex<$t> {
        type Coef = Complex<$t>;
        type Real = $t;
        fn conj(self) -> Self { Complex::new(self.re, -self.im) }
        fn to_coef(self) -> Self { self }
        fn from_coef(c: Self) -> Self { c }
        fn parts(self) -> [f64; 2] { [f64::from(self.re), f64::from(self.im)] }
        fn from_parts(parts: [f64; 2]) -> Self { Complex::new(parts[0] as $t, parts[1] as $t) }
    }
    impl Field for Complex<$t> {}
    impl ComplexField for Complex<$t> {}
)*}}
real!(f32, f64);

macro_rules! half { ($($t:ident),*) => {$(
    impl Scalar for $t {
        type Coef = f32;
        type Real = $t;
        fn conj(self) -> Self { self }
        fn to_coef(self) -> f32 { self.to_f32() }
        fn from_coef(c: f32) -> Self { $t::from_f32(c) }
        fn parts(self) -> [f64; 2] { [self.to_f64(), 0.0] }
        fn from_parts(parts: [f64; 2]) -> Self { $t::from_f64(parts[0]) }
    }
)*}}
half!(f16, bf16);

/// Runs a generic expression with `$t` bound to the Rust type of a run-time [`DType`].
///
/// The arms are the types listed after `in`: `X` (f32, f64, c32, c64), `R` (f32, f64), `C` (c32, c64),
/// `S` (all six floating-point types). Any other type evaluates the `else` expression.
///
/// ```
/// use blas_api::{DType, Element, with_dtype};
/// let size = with_dtype!(DType::C64, T in X => size_of::<T>(), else 0);
/// assert_eq!(size, 16);
/// ```
#[macro_export]
macro_rules! with_dtype {
    (@one $t:ident = $ty:ty, $e:expr) => {{ type $t = $ty; $e }};
    ($d:expr, $t:ident in R => $e:expr, else $other:expr) => {
        match $d {
            $crate::DType::F32 => $crate::with_dtype!(@one $t = f32, $e),
            $crate::DType::F64 => $crate::with_dtype!(@one $t = f64, $e),
            _ => $other,
        }
    };
    ($d:expr, $t:ident in C => $e:expr, else $other:expr) => {
        match $d {
            $crate::DType::C32 => $crate::with_dtype!(@one $t = $crate::Complex<f32>, $e),
            $crate::DType::C64 => $crate::with_dtype!(@one $t = $crate::Complex<f64>, $e),
            _ => $other,
        }
    };
    ($d:expr, $t:ident in X => $e:expr, else $other:expr) => {
        match $d {
            $crate::DType::F32 => $crate::with_dtype!(@one $t = f32, $e),
            $crate::DType::F64 => $crate::with_dtype!(@one $t = f64, $e),
            $crate::DType::C32 => $crate::with_dtype!(@one $t = $crate::Complex<f32>, $e),
            $crate::DType::C64 => $crate::with_dtype!(@one $t = $crate::Complex<f64>, $e),
            _ => $other,
        }
    };
    ($d:expr, $t:ident in S => $e:expr, else $other:expr) => {
        match $d {
            $crate::DType::F16 => $crate::with_dtype!(@one $t = $crate::f16, $e),
            $crate::DType::BF16 => $crate::with_dtype!(@one $t = $crate::bf16, $e),
            $crate::DType::F32 => $crate::with_dtype!(@one $t = f32, $e),
            $crate::DType::F64 => $crate::with_dtype!(@one $t = f64, $e),
            $crate::DType::C32 => $crate::with_dtype!(@one $t = $crate::Complex<f32>, $e),
            $crate::DType::C64 => $crate::with_dtype!(@one $t = $crate::Complex<f64>, $e),
            _ => $other,
        }
    };
}
