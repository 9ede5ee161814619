//! trsm.

use blas_api::*;

use super::triangular::{LEAF, half, in_rows, load, over_columns};
use crate::CpuHandle;
use crate::engine::{self, Dims, GRAIN, Native, Panel, Tri, work};
use crate::operands::{coef, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn trsm(h: &CpuHandle, d: &TrsmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d) },
        else return Err(unsupported(Routine::Trsm, d.dtype)));
    Ok(())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &TrsmDesc) {
    let order = if d.side == Side::Left { d.m } else { d.n };
    // SAFETY: the caller's promise.
    unsafe {
        let alpha = coef::<T>(d.alpha);
        for_each_entry(h, d, work(d.m, d.n, order) / 2.0, GRAIN, |d, i, threads| {
            let a = Tri::new(d.a, i, d.trans, d.uplo, d.diag);
            let b = Panel::new(d.b, i, Trans::N);
            match d.side {
                Side::Left => solve(threads, [d.m, d.n], alpha, a, b),
                // The transposed problem.
                Side::Right => solve(threads, [d.n, d.m], alpha, a.t(), b.t()),
            }
        });
    }
}

/// Solves A * X = alpha * B in place of B, B n x columns.
///
/// # Safety
/// All elements are there; those of B are not in use elsewhere.
pub(super) unsafe fn solve<T: Native>(
    threads: usize,
    [n, columns]: [usize; 2],
    alpha: T,
    a: Tri<T>,
    b: Panel<T>,
) {
    if alpha.is_zero() {
        // SAFETY: the caller's promise.
        return unsafe { engine::scale(n, columns, alpha, b) };
    }
    over_columns(threads, n, columns, b, |columns, b, threads| {
        // SAFETY: the caller's promise; parts of B do not overlap.
        unsafe { recurse(threads, [n, columns], alpha, a, b) }
    });
}

unsafe fn recurse<T: Native>(threads: usize, [n, columns]: [usize; 2], alpha: T, a: Tri<T>, b: Panel<T>) {
    // SAFETY: the caller's promise.
    if n <= engine::ORDER && unsafe { engine::solve([n, columns], alpha, a.panel, [a.lower, a.unit], b) } {
        return;
    }
    if n <= LEAF {
        // SAFETY: the caller's promise.
        return unsafe { leaf([n, columns], alpha, a, b) };
    }
    let (half, one) = (half(n), T::one());
    let (rest, [a1, a2]) = (a.rest(half), a.halves(half));
    let (b1, b2) = (b, b.sub(half, 0));
    // SAFETY: the caller's promise.
    unsafe {
        if a.lower {
            recurse(threads, [half, columns], alpha, a1, b1);
            engine::gemm(threads, Dims { m: n - half, n: columns, k: half }, -one, rest, b1, alpha, b2);
            recurse(threads, [n - half, columns], one, a2, b2);
        } else {
            recurse(threads, [n - half, columns], alpha, a2, b2);
            engine::gemm(threads, Dims { m: half, n: columns, k: n - half }, -one, rest, b2, alpha, b1);
            recurse(threads, [half, columns], one, a1, b1);
        }
    }
}

unsafe fn leaf<T: Native>([n, columns]: [usize; 2], alpha: T, a: Tri<T>, b: Panel<T>) {
    // SAFETY: the caller's promise.
    unsafe {
        let t = load(a, n);
        in_rows(
            n,
            columns,
            alpha,
            b,
            #[inline(always)]
            |rows| {
                for i in a.order(n) {
                    for l in a.row(i, n) {
                        let (to, from) = rows.pair(i, l);
                        for (x, y) in to.iter_mut().zip(from) {
                            *x -= t[i][l] * *y;
                        }
                    }
                    if !a.unit {
                        for x in rows.row(i) {
                            *x = x.divide(t[i][i]);
                        }
                    }
                }
            },
        );
    }
}
