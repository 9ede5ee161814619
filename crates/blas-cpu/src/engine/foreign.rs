//! The kernels of every architecture that has none of its own here: what this crate uses of `matrixmultiply`.

use blas_api::Complex;
use matrixmultiply::{CGemmOption, cgemm, dgemm, sgemm, zgemm};
use num_traits::Zero as _;

use super::tile::{Slant, Tile};
use super::{Dims, Panel, times};
use crate::num::{Acc, Elem};

/// A type that `matrixmultiply` multiplies.
pub(crate) trait Foreign: Acc + Elem {
    /// C = alpha * A * B + beta * C on one thread. No operand is conjugated; with beta = 0, C is not read.
    ///
    /// # Safety
    /// All elements are there, and those of C are not in use elsewhere.
    unsafe fn product(dims: Dims, alpha: Self, a: Panel<Self>, b: Panel<Self>, beta: Self, c: Panel<Self>);
}

macro_rules! foreign { ($($t:ty as $raw:ty: $gemm:ident($($option:expr),*), |$z:ident| $coef:expr;)*) => {$(
    impl Foreign for $t {
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
foreign! {
    f32 as f32: sgemm(), |x| x;
    f64 as f64: dgemm(), |x| x;
    Complex<f32> as [f32; 2]: cgemm(CGemmOption::Standard, CGemmOption::Standard), |z| [z.re, z.im];
    Complex<f64> as [f64; 2]: zgemm(CGemmOption::Standard, CGemmOption::Standard), |z| [z.re, z.im];
}

/// Rows and columns of the largest complex tile that is added to another.
const MOST: usize = 64;

/// The kernel for tiles of any size, up to `MOST` rows and columns.
///
/// # Safety
/// As for a [`Kernel`](super::tile::Kernel).
pub(super) unsafe fn tile<T: Foreign>(t: &Tile<T>) {
    let dims = Dims { m: t.m, n: t.n, k: t.k };
    let a = Panel { ptr: t.a.cast_mut(), rs: 1, cs: t.a_step, conj: false };
    let b = Panel { ptr: t.b.cast_mut(), rs: t.b_row, cs: t.b_column, conj: false };
    let c = Panel { ptr: t.c, rs: 1, cs: t.c_step, conj: false };
    // SAFETY: the caller's promise.
    unsafe {
        if t.beta.is_zero() || !T::DTYPE.is_complex() {
            return T::product(dims, t.alpha, a, b, t.beta, c);
        }
        // A complex C is multiplied by beta = 1 as by any other number there, which makes NaN of Inf.
        let mut sums = [T::zero(); MOST * MOST];
        let sum = Panel::columns(sums.as_mut_ptr(), MOST);
        T::product(dims, T::one(), a, b, T::zero(), sum);
        for j in 0..t.n {
            for i in 0..t.m {
                let x = times(t.alpha, sums[i + j * MOST]);
                c.set(i, j, x + times(t.beta, c.get(i, j)));
            }
        }
    }
}

/// The [`Adder`](super::tile::Adder).
///
/// # Safety
/// As for an adder.
pub(super) unsafe fn add<T: Foreign>(s: &Slant<T>) {
    let (x, c) = (Panel::columns(s.x.cast_mut(), s.m), Panel { ptr: s.c, rs: 1, cs: s.c_step, conj: false });
    for j in 0..s.n {
        for i in s.rows(j) {
            // SAFETY: the caller's promise.
            unsafe {
                let old = if s.beta.is_zero() { T::zero() } else { times(s.beta, c.get(i, j)) };
                c.set(i, j, x.get(i, j) + old);
            }
        }
    }
}

/// The [`Judge`](super::tile::Judge).
///
/// # Safety
/// As for a judge.
pub(super) unsafe fn is_finite<T: Foreign>([m, n]: [usize; 2], x: *const T, step: isize) -> bool {
    let is_finite = |x: T| (x.re() - x.re()).is_zero() & (x.im() - x.im()).is_zero();
    // SAFETY: the caller's promise.
    let column = |j: usize| unsafe { std::slice::from_raw_parts(x.offset(j as isize * step), m) };
    (0..n).all(|j| column(j).iter().fold(true, |all, x| all & is_finite(*x)))
}
