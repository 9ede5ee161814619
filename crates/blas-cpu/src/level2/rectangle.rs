//! Kernels for rectangles of elements: their products with a vector, and updates of rank 1. They take several columns at a
//! time, so that vectors are read and written once for all of them.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, those of iterators not always"
)]

use std::ops::Range;

use num_traits::Zero;

use super::whole::Whole;
use crate::lanes::{Kernel, Lanes};
use crate::num::Acc;
use crate::simd::{Axpy, Dot, Spread};

/// Bytes of a matrix that is walked in any order without harm.
const SMALL: usize = 64 << 10;

/// Bytes of a vector that stay in a cache while columns pass. Columns that are taken in pieces which the first cache holds
/// come slower from memory: 0.75 of the speed at order 4000.
const NEAR: usize = 128 << 10;

/// What a product is multiplied by before it is added.
#[derive(Clone, Copy)]
pub(super) struct Factor<C> {
    /// A number in any case: a kernel may multiply by it before it looks whether to, and some processors take 150 cycles for
    /// what chance could leave here.
    alpha: C,
    /// Take the negative instead, which the product with -1 is not where a complex number is infinite.
    minus: bool,
}

impl<C: Acc> Factor<C> {
    pub(super) fn of(alpha: C) -> Self {
        Factor { alpha, minus: false }
    }

    pub(super) fn minus() -> Self {
        Factor { alpha: -C::one(), minus: true }
    }

    #[inline(always)]
    fn times(self, x: C) -> C {
        if self.minus { -x } else { self.alpha * x }
    }
}

/// A matrix A, conjugated if `conj`, with a vector x that it is to be multiplied by, and y that the product is added to.
#[derive(Clone, Copy)]
pub(super) struct Rectangle<C> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) conj: bool,
    pub(super) factor: Factor<C>,
    pub(super) a: Whole<C>,
    pub(super) x: *const C,
    pub(super) y: *mut C,
}

/// What is done to columns, several at a time.
trait OnColumns<C: Acc> {
    /// Does what the `K` columns from `j` on ask for.
    ///
    /// # Safety
    /// The columns are there, and the machine has the register.
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize);

    /// All of some columns, the last ones that make no group one by one.
    ///
    /// # Safety
    /// As for `group`.
    #[inline(always)]
    unsafe fn all<V: Lanes<Real = C::Real>, const K: usize>(&self, columns: Range<usize>) {
        let groups = columns.len() / K;
        // SAFETY: the caller's promise.
        unsafe {
            for g in 0..groups {
                self.group::<V, K>(columns.start + g * K);
            }
            for j in columns.start + groups * K..columns.end {
                self.group::<V, 1>(j);
            }
        }
    }
}

/// y += factor * A * x
pub(super) struct ByRows<C>(pub(super) Rectangle<C>);

impl<C: Acc> Kernel<C::Real> for ByRows<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        let all = self.0;
        // SAFETY: within the matrix.
        unsafe {
            if !C::COMPLEX && all.rows * all.cols * size_of::<C>() <= SMALL {
                return self.in_registers::<V>();
            }
            let step = NEAR / size_of::<C>();
            let mut first = 0;
            while first < all.rows {
                let rows = step.min(all.rows - first);
                let slab = Rectangle { rows, a: all.a.from(first, 0), y: all.y.add(first), ..all };
                // Coefficients stay in registers where there are enough: two for each complex column.
                let few = C::COMPLEX && V::N * size_of::<C::Real>() < 64;
                let (slab, eights) = (Slab(slab), if few { 0 } else { all.cols - all.cols % 8 });
                slab.all::<V, 8>(0..eights);
                slab.all::<V, 4>(eights..all.cols);
                first += rows;
            }
        }
    }
}

/// So few rows that their y stays near.
struct Slab<C>(Rectangle<C>);

impl<C: Acc> OnColumns<C> for Slab<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let Rectangle { rows, conj, factor, a, x, y, .. } = self.0;
        // SAFETY: the caller's promise.
        unsafe {
            let mut scaled = [C::zero(); K];
            for k in 0..K {
                scaled[k] = factor.times(*x.add(j + k));
            }
            Axpy { n: rows, conj, a: scaled, x: a.columns(j), y }.run::<V>();
        }
    }
}

impl<C: Acc> ByRows<C> {
    /// All columns for a few registers of y at a time, which are neither loaded nor stored in between. Of real numbers.
    #[inline(always)]
    unsafe fn in_registers<V: Lanes<Real = C::Real>>(&self) {
        let rows = self.0.rows;
        let mut first = 0;
        // SAFETY: within the matrix. Sums of their own for some columns where there are few registers, so that additions
        // overlap.
        unsafe {
            while first + 8 * V::N <= rows {
                self.block::<V, 8, 1>(first);
                first += 8 * V::N;
            }
            if first + 4 * V::N <= rows {
                self.block::<V, 4, 2>(first);
                first += 4 * V::N;
            }
            while first < rows {
                self.block::<V, 1, 4>(first);
                first += V::N;
            }
        }
    }

    /// `R` registers of y from row `first` on, the sums of every `U`th column apart. One alone may be of fewer rows.
    #[inline(always)]
    unsafe fn block<V: Lanes<Real = C::Real>, const R: usize, const U: usize>(&self, first: usize) {
        let Rectangle { rows, cols, factor, y, .. } = self.0;
        let part = if R == 1 && first + V::N > rows { rows - first } else { V::N };
        // SAFETY: the caller's promise.
        unsafe {
            let mut sums = [[V::splat(C::Real::zero()); R]; U];
            let mut j = 0;
            while j + U <= cols {
                for u in 0..U {
                    self.add_column(first, part, j + u, &mut sums[u]);
                }
                j += U;
            }
            while j < cols {
                self.add_column(first, part, j, &mut sums[0]);
                j += 1;
            }
            let factor = V::splat(factor.times(C::one()).re());
            for r in 0..R {
                let mut sum = sums[0][r];
                for u in 1..U {
                    sum = sum.add(sums[u][r]);
                }
                let y = y.cast::<C::Real>().wrapping_add(first + r * V::N);
                if part == V::N {
                    factor.fma(sum, V::load(y)).store(y);
                } else {
                    factor.fma(sum, V::load_some(y, 0..part)).store_first(y, part);
                }
            }
        }
    }

    /// Adds column `j`, times its element of x, in registers of which the last has `part` numbers.
    #[inline(always)]
    unsafe fn add_column<V, const R: usize>(&self, first: usize, part: usize, j: usize, sums: &mut [V; R])
    where
        V: Lanes<Real = C::Real>,
    {
        let a = self.0.a.at(first, j).cast::<C::Real>();
        // SAFETY: the caller's promise.
        unsafe {
            let x = V::splat(*self.0.x.cast::<C::Real>().add(j));
            for r in 0..R {
                let a = a.wrapping_add(r * V::N);
                let a = if part == V::N { V::load(a) } else { V::load_some(a, 0..part) };
                sums[r] = a.fma(x, sums[r]);
            }
        }
    }
}

/// y += factor * A' * x, A' the transpose.
pub(super) struct ByColumns<C>(pub(super) Rectangle<C>);

impl<C: Acc> Kernel<C::Real> for ByColumns<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        // SAFETY: within the matrix.
        unsafe { self.all::<V, 4>(0..self.0.cols) }
    }
}

impl<C: Acc> OnColumns<C> for ByColumns<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let Rectangle { rows, conj, factor, a, x, y, .. } = self.0;
        // SAFETY: the caller's promise.
        unsafe {
            let sums = Dot { n: rows, conj, x: a.columns::<K>(j), y: x }.run::<V>();
            for k in 0..K {
                *y.add(j + k) += factor.times(sums[k]);
            }
        }
    }
}

/// A += x * y', where x is conjugated if `conj`, and y holds the coefficients of the columns.
pub(super) struct Rank1<C> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) conj: bool,
    pub(super) a: Whole<C>,
    pub(super) x: *const C,
}

impl<C: Acc> Rank1<C> {
    /// The kernel with `y(j)` as the coefficient of column j.
    pub(super) fn with<F: Fn(usize) -> C>(self, y: F) -> impl Kernel<C::Real, Output = ()> {
        Columnwise(self, y)
    }
}

struct Columnwise<C, F>(Rank1<C>, F);

impl<C: Acc, F: Fn(usize) -> C> Kernel<C::Real> for Columnwise<C, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        // SAFETY: within the matrix. Memory that is read and written comes and goes faster in several streams.
        unsafe { self.all::<V, 4>(0..self.0.cols) }
    }
}

impl<C: Acc, F: Fn(usize) -> C> OnColumns<C> for Columnwise<C, F> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let Rank1 { rows, conj, a, x, .. } = self.0;
        let (mut coefs, mut columns) = ([C::zero(); K], [a.at(0, j); K]);
        for k in 0..K {
            (coefs[k], columns[k]) = (self.1(j + k), a.at(0, j + k));
        }
        // SAFETY: the caller's promise.
        unsafe { Spread { n: rows, conj, a: coefs, x, y: columns }.run::<V>() }
    }
}
