//! Inner loops on contiguous numbers, written for the compiler to vectorise and compiled once more for wider registers.
//!
//! Both versions do the same arithmetic in the same order (no fused multiply-add), so results do not depend on the
//! machine.

use blas_api::{RealField, Scalar};

use crate::num::Acc;

/// Runs `f` compiled for AVX2 where the machine has it. `f` must be `#[inline(always)]`, and what it calls as well.
#[inline(always)]
pub(crate) fn wide<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: just checked.
            return unsafe { avx2(f) };
        }
    }
    f()
}

/// Partial sums that reductions keep: two AVX registers of f64, so that additions overlap.
const LANES: usize = 16;

/// Sum of f(x_i), in a fixed order.
#[inline(always)]
pub(crate) fn sum<T: Copy, S: Scalar>(x: &[T], f: impl Fn(T) -> S) -> S {
    let (whole, rest) = x.as_chunks::<LANES>();
    let mut lanes = [S::default(); LANES];
    for x in whole {
        for l in 0..LANES {
            lanes[l] += f(x[l]);
        }
    }
    total(lanes) + rest.iter().fold(S::default(), |sum, x| sum + f(*x))
}

/// Sum of f(x_i, y_i), in a fixed order.
#[inline(always)]
pub(crate) fn sum2<T: Copy, S: Scalar>(x: &[T], y: &[T], f: impl Fn(T, T) -> S) -> S {
    let ((xs, x_rest), (ys, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let mut lanes = [S::default(); LANES];
    for (x, y) in xs.iter().zip(ys) {
        for l in 0..LANES {
            lanes[l] += f(x[l], y[l]);
        }
    }
    total(lanes) + x_rest.iter().zip(y_rest).fold(S::default(), |sum, (x, y)| sum + f(*x, *y))
}

/// Sum of partial sums: halves are added to halves.
#[inline(always)]
fn total<S: Scalar>(mut lanes: [S; LANES]) -> S {
    let mut width = LANES / 2;
    while width > 0 {
        for l in 0..width {
            let upper = lanes[l + width];
            lanes[l] += upper;
        }
        width /= 2;
    }
    lanes[0]
}

/// y += alpha * x
#[inline]
pub(crate) fn axpy<C: Acc>(alpha: C, x: &[C], y: &mut [C]) {
    wide(
        #[inline(always)]
        || y.iter_mut().zip(x).for_each(|(y, x)| *y += alpha * *x),
    );
}

/// y += alpha * x, or alpha * conj(x)
#[inline]
pub(crate) fn axpy_conj<C: Acc>(conj: bool, alpha: C, x: &[C], y: &mut [C]) {
    if conj {
        wide(
            #[inline(always)]
            || y.iter_mut().zip(x).for_each(|(y, x)| *y += alpha * x.conj()),
        );
    } else {
        axpy(alpha, x, y);
    }
}

/// y += the sum of alpha_i * x_i over four vectors, conjugated if `conj`
#[inline]
pub(crate) fn axpy4<C: Acc>(conj: bool, alpha: [C; 4], x: [&[C]; 4], y: &mut [C]) {
    #[inline(always)]
    fn add<C: Acc>(alpha: [C; 4], x: [&[C]; 4], y: &mut [C], of: impl Fn(C) -> C) {
        let n = y.len();
        let x = x.map(|x| &x[..n]);
        for (i, y) in y.iter_mut().enumerate() {
            let [a, b, c, d] = [of(x[0][i]), of(x[1][i]), of(x[2][i]), of(x[3][i])];
            *y += (alpha[0] * a + alpha[1] * b) + (alpha[2] * c + alpha[3] * d);
        }
    }
    if conj {
        wide(
            #[inline(always)]
            || add(alpha, x, y, |z| z.conj()),
        );
    } else {
        wide(
            #[inline(always)]
            || add(alpha, x, y, |z| z),
        );
    }
}

/// x *= alpha
#[inline]
pub(crate) fn scal<C: Acc>(alpha: C, x: &mut [C]) {
    wide(
        #[inline(always)]
        || x.iter_mut().for_each(|x| *x = alpha * *x),
    );
}

/// y = beta * y, where y is only written for beta = 0 and untouched for beta = 1.
pub(crate) fn scal_or_clear<C: Acc>(beta: C, y: &mut [C]) {
    if beta.is_zero() {
        y.fill(C::zero());
    } else if !beta.is_one() {
        scal(beta, y);
    }
}

/// Sum of x_i * y_i, or of conj(x_i) * y_i, for x and y of one length.
#[inline]
pub(crate) fn dot<C: Acc>(conj: bool, x: &[C], y: &[C]) -> C {
    if conj {
        wide(
            #[inline(always)]
            || sum2(x, y, |x, y| x.conj() * y),
        )
    } else {
        wide(
            #[inline(always)]
            || sum2(x, y, |x, y| x * y),
        )
    }
}

/// The larger of two numbers; `a` if `b` is NaN.
#[inline(always)]
pub(crate) fn max<R: RealField>(a: R, b: R) -> R {
    if b > a { b } else { a }
}
