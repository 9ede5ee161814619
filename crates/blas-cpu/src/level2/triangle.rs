//! Kernels for triangles of matrices whose columns are whole, as many columns at a time as make a register or two. Of the
//! square on the diagonal, registers hold what is off it; the diagonal itself is done element by element.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, those of iterators not always"
)]

use std::ops::Range;

use blas_api::Uplo;
use num_traits::Zero;

use super::columns::Triangle;
use super::product::Triangular;
use super::symmetric::SelfAdjoint;
use super::whole::Whole;
use crate::lanes::{Kernel, Lanes};
use crate::num::{Acc, Elem};
use crate::simd::{Axpy, Columns, Dot};

/// What is done to columns of a triangle, several at a time: a few at the tip, where they are short, are left and done
/// element by element.
trait OnTriangle<C: Acc> {
    /// Does what the `K` columns from `j` on ask for.
    ///
    /// # Safety
    /// The columns are there, and the machine has the register.
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize);

    /// Does what the columns `tip` ask for, which have no elements in other rows.
    ///
    /// # Safety
    /// As for `group`.
    unsafe fn tip<V: Lanes<Real = C::Real>>(&self, tip: Range<usize>);

    /// All of some columns of a triangle, which include its tip or end whole groups away from it.
    ///
    /// # Safety
    /// As for `group`.
    #[inline(always)]
    unsafe fn all<V, const K: usize>(&self, columns: Range<usize>, lower: bool, ascending: bool)
    where
        V: Lanes<Real = C::Real>,
    {
        let (groups, rest) = (columns.len() / K, columns.len() % K);
        let (first, tip) = if lower {
            (columns.start, columns.end - rest..columns.end)
        } else {
            (columns.start + rest, columns.start..columns.start + rest)
        };
        // SAFETY: the caller's promise.
        unsafe {
            if lower != ascending {
                self.tip::<V>(tip.clone());
            }
            for g in 0..groups {
                self.group::<V, K>(first + K * if ascending { g } else { groups - 1 - g });
            }
            if lower == ascending {
                self.tip::<V>(tip);
            }
        }
    }

    /// [`all`](Self::all), as many columns at a time as their square has rows in a register, or four if it has less.
    ///
    /// # Safety
    /// As for `group`.
    #[inline(always)]
    unsafe fn squares<V>(&self, columns: Range<usize>, lower: bool, ascending: bool)
    where
        V: Lanes<Real = C::Real>,
    {
        // SAFETY: the caller's promise.
        unsafe {
            if V::N / C::PARTS == 8 {
                self.all::<V, 8>(columns, lower, ascending);
            } else {
                self.all::<V, 4>(columns, lower, ascending);
            }
        }
    }
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
        // SAFETY: within the matrix.
        let (columns, lower) = (self.columns.clone(), self.matrix.a.uplo == Uplo::Lower);
        // SAFETY: within the matrix. Each column takes two registers, so that a group is
        // as many columns as its square has numbers in a register.
        unsafe {
            match <V::Narrow as Lanes>::N / C::PARTS {
                8 => self.all::<V::Narrow, 8>(columns, lower, true),
                4 => self.all::<V::Narrow, 4>(columns, lower, true),
                _ => self.all::<V::Narrow, 2>(columns, lower, true),
            }
        }
    }
}

impl<C: Acc> Mirrored<C> {
    /// Times the diagonal element, of which the imaginary part is not there if A is Hermitian.
    #[inline(always)]
    unsafe fn scaled(&self, x: C, diagonal: *const C) -> C {
        // SAFETY: the caller's promise.
        let diagonal = unsafe { *diagonal };
        if self.matrix.herm { x.scale(diagonal.re()) } else { diagonal.conj_if(self.matrix.conj) * x }
    }
}

impl<C: Acc> OnTriangle<C> for Mirrored<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let SelfAdjoint { a: Triangle { n, uplo, .. }, herm, conj } = self.matrix;
        let (alpha, x, y) = (self.alpha, self.x, self.y);
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
            let columns = Columns { lower: uplo == Uplo::Lower, n, j };
            let mut sums = axpy.run_columns_with_dot::<V>(columns, &dot);
            for k in 0..K {
                sums[k] += self.scaled(near[k], self.a.at(j + k, j + k));
                *y.add(j + k) += alpha * sums[k];
            }
        }
    }

    #[inline(always)]
    unsafe fn tip<V: Lanes<Real = C::Real>>(&self, tip: Range<usize>) {
        let SelfAdjoint { a: Triangle { uplo, .. }, herm, conj } = self.matrix;
        // SAFETY: the caller's promise.
        unsafe {
            for i in tip.clone() {
                let mut sum = self.scaled(*self.x.add(i), self.a.at(i, i));
                for k in tip.clone().filter(|k| *k != i) {
                    let stored = (uplo == Uplo::Lower) == (i > k);
                    let element = *if stored { self.a.at(i, k) } else { self.a.at(k, i) };
                    // The mirror image of a Hermitian element is its conjugate.
                    let element = element.conj_if(if stored { conj } else { conj != herm });
                    sum = plus_product::<C, V>(sum, element, *self.x.add(k));
                }
                *self.y.add(i) += self.alpha * sum;
            }
        }
    }
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
        // SAFETY: within the matrix.
        let lower = self.triangle.a.uplo == Uplo::Lower;
        // SAFETY: within the matrix.
        unsafe { self.squares::<V::Narrow>(self.columns.clone(), lower, true) }
    }
}

impl<C: Acc + Elem<Coef = C>> OnTriangle<C> for Product<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let Triangular { a: Triangle { n, uplo, .. }, trans, .. } = self.triangle;
        let (conj, columns) = (trans.is_conjugated(), Columns { lower: uplo == Uplo::Lower, n, j });
        let a = self.a.columns::<K>(j);
        // SAFETY: the caller's promise.
        unsafe {
            let mut old = [C::zero(); K];
            for k in 0..K {
                old[k] = *self.old.add(j + k);
            }
            let mut new = old;
            if trans.is_transposed() {
                new = Dot { n, conj, x: a, y: self.old }.run_columns::<V>(columns, true);
            } else {
                Axpy { n, conj, a: old, x: a, y: self.x }.run_columns::<V>(columns, true);
                for k in 0..K {
                    new[k] = *self.x.add(j + k);
                }
            }
            for k in 0..K {
                *self.x.add(j + k) = new[k] + self.triangle.scaled(old[k], self.a.at(j + k, j + k));
            }
        }
    }

    #[inline(always)]
    unsafe fn tip<V: Lanes<Real = C::Real>>(&self, tip: Range<usize>) {
        let (trans, conj) = (self.triangle.trans.is_transposed(), self.triangle.trans.is_conjugated());
        let below = (self.triangle.a.uplo == Uplo::Lower) != trans;
        // SAFETY: the caller's promise.
        unsafe {
            for i in tip.clone() {
                let mut sum = self.triangle.scaled(*self.old.add(i), self.a.at(i, i));
                for k in if below { tip.start..i } else { i + 1..tip.end } {
                    let element = (*if trans { self.a.at(k, i) } else { self.a.at(i, k) }).conj_if(conj);
                    sum = plus_product::<C, V>(sum, element, *self.old.add(k));
                }
                *self.x.add(i) = if trans { sum } else { *self.x.add(i) + sum };
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
        let Triangle { n, uplo, .. } = self.triangle.a;
        // SAFETY: within the matrix.
        unsafe {
            self.squares::<V::Narrow>(0..n, uplo == Uplo::Lower, self.triangle.is_solved_from_first());
        }
    }
}

impl<C: Acc + Elem<Coef = C>> OnTriangle<C> for Solve<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let (Triangular { a: Triangle { n, uplo, .. }, trans, .. }, x) = (self.triangle, self.x);
        let (conj, columns) = (trans.is_conjugated(), Columns { lower: uplo == Uplo::Lower, n, j });
        let a = self.a.columns::<K>(j);
        // SAFETY: the caller's promise.
        unsafe {
            let mut near = [C::zero(); K];
            for k in 0..K {
                near[k] = *x.add(j + k);
            }
            if trans.is_transposed() {
                let sums = Dot { n, conj, x: a, y: x.cast_const() }.run_columns::<V>(columns, false);
                for k in 0..K {
                    near[k] -= sums[k];
                }
            }
            if self.triangle.is_solved_from_first() {
                self.solve_square::<V, true>(j, &mut near);
            } else {
                self.solve_square::<V, false>(j, &mut near);
            }
            for k in 0..K {
                *x.add(j + k) = near[k];
            }
            if !trans.is_transposed() {
                let mut minus = near;
                for k in 0..K {
                    minus[k] = -near[k];
                }
                Axpy { n, conj, a: minus, x: a, y: x }.run_columns::<V>(columns, false);
            }
        }
    }

    #[inline(always)]
    unsafe fn tip<V: Lanes<Real = C::Real>>(&self, tip: Range<usize>) {
        // SAFETY: the caller's promise.
        unsafe {
            let x = std::slice::from_raw_parts_mut(self.x.add(tip.start), tip.len());
            if self.triangle.is_solved_from_first() {
                self.solve_square::<V, true>(tip.start, x);
            } else {
                self.solve_square::<V, false>(tip.start, x);
            }
        }
    }
}

impl<C: Acc + Elem<Coef = C>> Solve<C> {
    /// Solves with the square on the diagonal from row and column `j` on. Each element is subtracted from all others as
    /// soon as it is known: one multiply-add and one division follow each other for each.
    #[inline(always)]
    unsafe fn solve_square<V, const DOWN: bool>(&self, j: usize, x: &mut [C])
    where
        V: Lanes<Real = C::Real>,
    {
        let (trans, conj) = (self.triangle.trans.is_transposed(), self.triangle.trans.is_conjugated());
        let (square, n) = (self.a.from(j, j), x.len());
        // SAFETY: the caller's promise.
        unsafe {
            for step in 0..n {
                let k = if DOWN { step } else { n - 1 - step };
                x[k] = self.triangle.divided(x[k], square.at(k, k));
                for more in step + 1..n {
                    let i = if DOWN { more } else { n - 1 - more };
                    let element = (*if trans { square.at(k, i) } else { square.at(i, k) }).conj_if(conj);
                    x[i] = plus_product::<C, V>(x[i], -element, x[k]);
                }
            }
        }
    }
}
