//! trmm.

use blas_api::*;

use super::triangular::{LEAF, half, in_rows, load, over_columns};
use crate::CpuHandle;
use crate::engine::{self, Dims, GRAIN, Native, Panel, Tri, work};
use crate::operands::{coef, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn trmm(h: &CpuHandle, d: &TrmmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d) },
        else return Err(unsupported(Routine::Trmm, d.dtype)));
    Ok(())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &TrmmDesc) {
    let order = if d.side == Side::Left { d.m } else { d.n };
    // SAFETY: the caller's promise.
    unsafe {
        let alpha = coef::<T>(d.alpha);
        for_each_entry(h, d, work(d.m, d.n, order) / 2.0, GRAIN, |d, i, threads| {
            let a = Tri::new(d.a, i, d.trans, d.uplo, d.diag);
            let (b, c) = (Panel::<T>::new(d.b, i, d.tb), Panel::new(d.c, i, Trans::N));
            if b.ptr != c.ptr && !alpha.is_zero() {
                engine::copy(d.m, d.n, b, c);
            }
            match d.side {
                Side::Left => multiply(threads, [d.m, d.n], alpha, a, c),
                // The transposed problem.
                Side::Right => multiply(threads, [d.n, d.m], alpha, a.t(), c.t()),
            }
        });
    }
}

/// B = alpha * A * B, B n x columns.
///
/// # Safety
/// All elements are there; those of B are not in use elsewhere.
pub(super) unsafe fn multiply<T: Native>(
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
    unsafe {
        if n <= T::kernels().depth() {
            let rest = |j: usize, columns: usize| divide(threads, [n, columns], alpha, a, b.sub(0, j));
            if engine::multiply([n, columns], alpha, a, b, &rest) {
                return;
            }
            // The zeros beside a triangle must not meet NaN and infinity.
            if n > LEAF && b.is_finite(n, columns) {
                return engine::multiply_packed([n, columns], alpha, a, b);
            }
        }
        divide(threads, [n, columns], alpha, a, b);
    }
}

/// Multiplies with the halves of A by turns.
unsafe fn divide<T: Native>(threads: usize, [n, columns]: [usize; 2], alpha: T, a: Tri<T>, b: Panel<T>) {
    if n <= LEAF {
        // SAFETY: the caller's promise.
        return unsafe { leaf([n, columns], alpha, a, b) };
    }
    let half = half(n);
    let (rest, [a1, a2]) = (a.rest(half), a.halves(half));
    let (b1, b2) = (b, b.sub(half, 0));
    // SAFETY: the caller's promise. The half whose old values the other needs comes last.
    unsafe {
        if a.lower {
            recurse(threads, [n - half, columns], alpha, a2, b2);
            let dims = Dims { m: n - half, n: columns, k: half };
            engine::gemm(threads, dims, alpha, rest, b1, T::one(), b2);
            recurse(threads, [half, columns], alpha, a1, b1);
        } else {
            recurse(threads, [half, columns], alpha, a1, b1);
            let dims = Dims { m: half, n: columns, k: n - half };
            engine::gemm(threads, dims, alpha, rest, b2, T::one(), b1);
            recurse(threads, [n - half, columns], alpha, a2, b2);
        }
    }
}

unsafe fn leaf<T: Native>([n, columns]: [usize; 2], alpha: T, a: Tri<T>, b: Panel<T>) {
    // SAFETY: the caller's promise.
    unsafe {
        let t = load(a, n);
        // A row needs the old values of those before it, in the order of a solve.
        let mut last_first: [usize; LEAF] = [0; LEAF];
        a.order(n).enumerate().for_each(|(p, i)| last_first[n - 1 - p] = i);
        in_rows(
            n,
            columns,
            alpha,
            b,
            #[inline(always)]
            |rows| {
                for &i in &last_first[..n] {
                    if !a.unit {
                        for x in rows.row(i) {
                            *x = t[i][i] * *x;
                        }
                    }
                    for l in a.row(i, n) {
                        let (to, from) = rows.pair(i, l);
                        for (x, y) in to.iter_mut().zip(from) {
                            *x += t[i][l] * *y;
                        }
                    }
                }
            },
        );
    }
}
