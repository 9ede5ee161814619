//! trtri.

use blas_api::*;

use super::triangular::{LEAF, half, load};
use super::{trmm, trsm};
use crate::CpuHandle;
use crate::engine::{GRAIN, Native, Panel, Tri, work};
use crate::operands::unsupported;
use crate::threads::for_each_entry;

pub(crate) unsafe fn trtri(h: &CpuHandle, d: &TrtriDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d) },
        else return Err(unsupported(Routine::Trtri, d.dtype)));
    Ok(())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &TrtriDesc) {
    // SAFETY: the caller's promise.
    unsafe {
        for_each_entry(h, d, work(d.n, d.n, d.n) / 6.0, GRAIN, |d, i, threads| {
            let a = Tri::<T>::new(d.a, i, d.trans, d.uplo, d.diag);
            let inverse = Tri { panel: Panel::new(d.inv, i, Trans::N), ..a };
            if a.panel.ptr != inverse.panel.ptr {
                copy(d.n, a, inverse);
            }
            invert(threads, d.n, inverse);
        });
    }
}

/// Copies a triangle.
unsafe fn copy<T: Native>(n: usize, from: Tri<T>, to: Tri<T>) {
    for i in 0..n {
        let diagonal = (!from.unit).then_some(i);
        for l in from.row(i, n).chain(diagonal) {
            // SAFETY: the caller's promise.
            unsafe { to.panel.set(i, l, from.panel.get(i, l)) };
        }
    }
}

/// Inverts in place. X is formed so that A * X is close to the identity: its off-diagonal block solves
/// A1 * X12 = -A12 * X2 (upper).
unsafe fn invert<T: Native>(threads: usize, n: usize, a: Tri<T>) {
    if n <= LEAF {
        // SAFETY: the caller's promise.
        return unsafe { leaf(n, a) };
    }
    let half = half(n);
    let (rest, [a1, a2]) = (a.rest(half), a.halves(half));
    // The first of the triangles stands right of the rectangle in the product, the second left of it.
    let [(right, nr), (left, nl)] =
        if a.lower { [(a1, half), (a2, n - half)] } else { [(a2, n - half), (a1, half)] };
    // SAFETY: the caller's promise.
    unsafe {
        invert(threads, nr, right);
        trmm::multiply(threads, [nr, nl], -T::one(), right.t(), rest.t());
        trsm::solve(threads, [nl, nr], T::one(), left, rest);
        invert(threads, nl, left);
    }
}

unsafe fn leaf<T: Native>(n: usize, a: Tri<T>) {
    // SAFETY: the caller's promise.
    unsafe {
        let t = load(a, n);
        for j in 0..n {
            // Column j of the inverse solves A * x = e, and is zero as far as the triangle is.
            let mut x = [T::zero(); LEAF];
            for i in a.order(n).skip_while(|i| *i != j) {
                let mut sum = if i == j { T::one() } else { T::zero() };
                let known = if a.lower { j..i } else { i + 1..j + 1 };
                for l in known {
                    sum -= t[i][l] * x[l];
                }
                x[i] = if a.unit { sum } else { sum.divide(t[i][i]) };
                if i != j || !a.unit {
                    a.panel.set(i, j, x[i]);
                }
            }
        }
    }
}
