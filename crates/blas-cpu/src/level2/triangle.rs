//! Kernels for triangles of matrices whose columns are whole. On the diagonal, a square of as many columns as are taken
//! together is done element by element.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, those of iterators not always"
)]

use std::ops::Range;

use blas_api::Uplo;
use num_traits::Zero;

use super::columns::Triangle;
use super::groups::{GROUP, Groups, Whole};
use super::product::Triangular;
use super::symmetric::SelfAdjoint;
use crate::lanes::{Kernel, Lanes};
use crate::num::{Acc, Elem};
use crate::simd::{Axpy, Dot};

/// What some columns of a symmetric or Hermitian A, of which a triangle is stored, and their mirror images add in
/// y += alpha * A * x.
pub(super) struct Mirrored<C> {
    pub(super) matrix: SelfAdjoint<C>,
    pub(super) a: Whole<C>,
    pub(super) columns: Range<usize>,
    pub(super) alpha: C,
    pub(super) x: *const C,
    pub(super) y: *mut C,
}

impl<C: Acc> Kernel<C::Real> for Mirrored<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        let (columns, lower) = (self.columns.clone(), self.matrix.a.uplo == Uplo::Lower);
        // SAFETY: within the matrix. As many columns as there are registers for; elements that are written one by one are
        // not among those that the next group reads.
        unsafe {
            if C::COMPLEX {
                self.all::<V::Narrow, 2>(columns, lower);
            } else {
                self.all::<V::Narrow, GROUP>(columns, lower);
            }
        }
    }
}

impl<C: Acc> Groups<C> for Mirrored<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let SelfAdjoint { a: Triangle { n, uplo, .. }, herm, conj } = self.matrix;
        let (lower, alpha, x, y) = (uplo == Uplo::Lower, self.alpha, self.x, self.y);
        // SAFETY: the caller's promise.
        unsafe {
            let mut near = [C::zero(); K];
            let mut scaled = near;
            for k in 0..K {
                near[k] = *x.add(j + k);
                scaled[k] = alpha * near[k];
            }
            let a = self.a.columns::<K>(j);
            let axpy = Axpy { n, conj, a: scaled, x: a, y };
            // The mirror image of a Hermitian element is its conjugate.
            let dot = Dot { n, conj: conj != herm, x: a, y: x };
            let mut sums = axpy.run_rows_with_dot::<V>(far::<K>(lower, n, j), &dot);
            let square = self.a.from(j, j);
            for k in 0..K {
                let diagonal = *square.at(k, k);
                sums[k] += if herm { near[k].scale(diagonal.re()) } else { diagonal.conj_if(conj) * near[k] };
                for i in 0..k {
                    // What is stored for rows and columns i and k.
                    let element = *if lower { square.at(k, i) } else { square.at(i, k) };
                    let (own, mirrored) = (element.conj_if(conj), element.conj_if(conj != herm));
                    let (below, above) = if lower { (own, mirrored) } else { (mirrored, own) };
                    sums[k] = plus_product::<C, V>(sums[k], below, near[i]);
                    sums[i] = plus_product::<C, V>(sums[i], above, near[k]);
                }
            }
            for k in 0..K {
                *y.add(j + k) += alpha * sums[k];
            }
        }
    }
}

/// The rows beside the square on the diagonal in which the columns from `j` on are stored.
#[inline(always)]
fn far<const K: usize>(lower: bool, n: usize, j: usize) -> Range<usize> {
    if lower { j + K..n } else { 0..j }
}

/// z + x * y
#[inline(always)]
unsafe fn plus_product<C: Acc, V: Lanes<Real = C::Real>>(z: C, x: C, y: C) -> C {
    if C::COMPLEX {
        return z + x * y;
    }
    // SAFETY: the caller's promise.
    C::new(unsafe { V::fma_one(x.re(), y.re(), z.re()) }, C::Real::zero())
}

/// What some columns of a triangular A do in x = op(A) * old: without transposition they add to x, with it they give
/// elements of it.
pub(super) struct Product<C> {
    pub(super) triangle: Triangular<C>,
    pub(super) a: Whole<C>,
    pub(super) columns: Range<usize>,
    pub(super) old: *const C,
    pub(super) x: *mut C,
}

impl<C: Acc + Elem<Coef = C>> Kernel<C::Real> for Product<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        let ascending = self.triangle.a.uplo == Uplo::Lower;
        // SAFETY: within the matrix. No column reads what those before it have written.
        unsafe { self.all::<V::Narrow, GROUP>(self.columns.clone(), ascending) }
    }
}

impl<C: Acc + Elem<Coef = C>> Groups<C> for Product<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let (triangle, x) = (self.triangle, self.x);
        let (n, lower) = (triangle.a.n, triangle.a.uplo == Uplo::Lower);
        let (trans, conj) = (triangle.trans.is_transposed(), triangle.trans.is_conjugated());
        // SAFETY: the caller's promise.
        unsafe {
            let mut old = [C::zero(); K];
            for k in 0..K {
                old[k] = *self.old.add(j + k);
            }
            let a = self.a.columns::<K>(j);
            let mut new = old;
            if trans {
                new = Dot { n, conj, x: a, y: self.old }.run_rows::<V>(far::<K>(lower, n, j));
            } else {
                Axpy { n, conj, a: old, x: a, y: x }.run_rows::<V>(far::<K>(lower, n, j));
                for k in 0..K {
                    new[k] = *x.add(j + k);
                }
            }
            let square = self.a.from(j, j);
            for k in 0..K {
                new[k] += triangle.scaled(old[k], square.at(k, k));
                for i in 0..k {
                    let element = (*if lower { square.at(k, i) } else { square.at(i, k) }).conj_if(conj);
                    // It is below the diagonal of op(A) or above.
                    if lower != trans {
                        new[k] = plus_product::<C, V>(new[k], element, old[i]);
                    } else {
                        new[i] = plus_product::<C, V>(new[i], element, old[k]);
                    }
                }
            }
            for k in 0..K {
                *x.add(j + k) = new[k];
            }
        }
    }
}

/// The solution of op(A) * x = b in the place of b, for a triangular A.
pub(super) struct Solve<C> {
    pub(super) triangle: Triangular<C>,
    pub(super) a: Whole<C>,
    pub(super) x: *mut C,
}

impl<C: Acc + Elem<Coef = C>> Kernel<C::Real> for Solve<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        // SAFETY: within the matrix.
        unsafe { self.all::<V::Narrow, GROUP>(0..self.triangle.a.n, self.triangle.is_solved_from_first()) }
    }
}

impl<C: Acc + Elem<Coef = C>> Groups<C> for Solve<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let (triangle, x) = (self.triangle, self.x);
        let (n, lower) = (triangle.a.n, triangle.a.uplo == Uplo::Lower);
        let (trans, conj) = (triangle.trans.is_transposed(), triangle.trans.is_conjugated());
        // SAFETY: the caller's promise.
        unsafe {
            let a = self.a.columns::<K>(j);
            let mut near = [C::zero(); K];
            for k in 0..K {
                near[k] = *x.add(j + k);
            }
            if trans {
                let sums = Dot { n, conj, x: a, y: x.cast_const() }.run_rows::<V>(far::<K>(lower, n, j));
                for k in 0..K {
                    near[k] -= sums[k];
                }
            }
            if triangle.is_solved_from_first() {
                self.solve_square::<V, K, true>(j, &mut near);
            } else {
                self.solve_square::<V, K, false>(j, &mut near);
            }
            if !trans {
                let mut minus = near;
                for k in 0..K {
                    minus[k] = -near[k];
                }
                Axpy { n, conj, a: minus, x: a, y: x }.run_rows::<V>(far::<K>(lower, n, j));
            }
            // Only now, so that the registers above are loaded as they were stored.
            for k in 0..K {
                *x.add(j + k) = near[k];
            }
        }
    }
}

impl<C: Acc + Elem<Coef = C>> Solve<C> {
    /// Solves with the square on the diagonal. Each element is subtracted from all others as soon as it is known: one
    /// multiply-add and one division follow each other `K` times.
    #[inline(always)]
    unsafe fn solve_square<V, const K: usize, const DOWN: bool>(&self, j: usize, x: &mut [C; K])
    where
        V: Lanes<Real = C::Real>,
    {
        let (trans, conj) = (self.triangle.trans.is_transposed(), self.triangle.trans.is_conjugated());
        let square = self.a.from(j, j);
        // SAFETY: the caller's promise.
        unsafe {
            for step in 0..K {
                let k = if DOWN { step } else { K - 1 - step };
                x[k] = self.triangle.divided(x[k], square.at(k, k));
                for more in step + 1..K {
                    let i = if DOWN { more } else { K - 1 - more };
                    let element = (*if trans { square.at(k, i) } else { square.at(i, k) }).conj_if(conj);
                    x[i] = plus_product::<C, V>(x[i], -element, x[k]);
                }
            }
        }
    }
}
