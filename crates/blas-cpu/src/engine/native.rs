//! The four types that the kernels multiply: what this crate uses of `matrixmultiply`.

use blas_api::Complex;
use matrixmultiply::{CGemmOption, cgemm, dgemm, sgemm, zgemm};

use super::{Dims, Panel};
use crate::num::{Acc, Elem};

/// A type that the kernels multiply.
pub(crate) trait Native: Acc + Elem {
    /// C = alpha * A * B + beta * C on one thread. No operand is conjugated; with beta = 0, C is not read.
    ///
    /// # Safety
    /// All elements are there, and those of C are not in use elsewhere.
    unsafe fn product(dims: Dims, alpha: Self, a: Panel<Self>, b: Panel<Self>, beta: Self, c: Panel<Self>);
}

macro_rules! native { ($($t:ty as $raw:ty: $gemm:ident($($option:expr),*), |$z:ident| $coef:expr;)*) => {$(
    impl Native for $t {
        unsafe fn product(
            Dims { m, n, k }: Dims,
            alpha: Self,
            a: Panel<Self>,
            b: Panel<Self>,
            beta: Self,
            c: Panel<Self>,
        ) {
            let coef = |$z: $t| $coef;
            // SAFETY: the caller's promise.
            unsafe {
                $gemm(
                    $($option,)*
                    m, k, n,
                    coef(alpha),
                    a.ptr.cast::<$raw>(), a.rs, a.cs,
                    b.ptr.cast::<$raw>(), b.rs, b.cs,
                    coef(beta),
                    c.ptr.cast::<$raw>(), c.rs, c.cs,
                )
            }
        }
    }
)*}}
native! {
    f32 as f32: sgemm(), |x| x;
    f64 as f64: dgemm(), |x| x;
    Complex<f32> as [f32; 2]: cgemm(CGemmOption::Standard, CGemmOption::Standard), |z| [z.re, z.im];
    Complex<f64> as [f64; 2]: zgemm(CGemmOption::Standard, CGemmOption::Standard), |z| [z.re, z.im];
}
