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

/// Sum of f(i) for i < n, in a fixed order.
#[inline(always)]
pub(crate) fn sum<C: Scalar>(n: usize, f: impl Fn(usize) -> C) -> C {
    let mut lanes = [C::default(); LANES];
    let whole = n - n % LANES;
    for i in (0..whole).step_by(LANES) {
        for (l, lane) in lanes.iter_mut().enumerate() {
            *lane += f(i + l);
        }
    }
    let mut rest = C::default();
    for i in whole..n {
        rest += f(i);
    }
    // Halves are added to halves.
    let mut width = LANES / 2;
    while width > 0 {
        for l in 0..width {
            let upper = lanes[l + width];
            lanes[l] += upper;
        }
        width /= 2;
    }
    lanes[0] + rest
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

/// Sum of x_i * y_i, or of conj(x_i) * y_i.
#[inline]
pub(crate) fn dot<C: Acc>(conj: bool, x: &[C], y: &[C]) -> C {
    let n = x.len().min(y.len());
    let (x, y) = (&x[..n], &y[..n]);
    if conj {
        wide(
            #[inline(always)]
            || sum(n, |i| x[i].conj() * y[i]),
        )
    } else {
        wide(
            #[inline(always)]
            || sum(n, |i| x[i] * y[i]),
        )
    }
}

/// The larger of two numbers; `a` if `b` is NaN.
#[inline(always)]
pub(crate) fn max<R: RealField>(a: R, b: R) -> R {
    if b > a { b } else { a }
}
