//! Kernels for matrices whose columns are whole: several columns at a time, so that vectors are read and written once for
//! all of them. On the diagonal of a triangle, a square of as many columns is done element by element.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, those of iterators not always"
)]

use std::ops::Range;

use blas_api::Uplo;
use num_traits::Zero;

use super::columns::Triangle;
use super::product::Triangular;
use crate::lanes::{Kernel, Lanes};
use crate::num::{Acc, Elem};
use crate::simd::{Axpy, Dot};

/// Columns that are taken together.
const GROUP: usize = 4;

/// Bytes of a matrix that is walked in any order without harm.
const SMALL: usize = 64 << 10;

/// Bytes of a vector that stay in the first cache while columns pass.
const NEAR: usize = 16 << 10;

/// Pointers to `K` columns, `ld` elements apart.
#[inline(always)]
fn columns<C, const K: usize>(a: *const C, ld: usize) -> [*const C; K] {
    let mut all = [a; K];
    for k in 1..K {
        all[k] = a.wrapping_add(k * ld);
    }
    all
}

/// What is done to columns, several at a time.
trait Groups<C: Acc> {
    /// Does what the `K` columns from `j` on ask for.
    ///
    /// # Safety
    /// The columns are there, and the machine has the register.
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize);

    /// All of `n` columns. Those that make no group are the last ones, wherever one starts.
    ///
    /// # Safety
    /// As for `group`.
    #[inline(always)]
    unsafe fn all<V: Lanes<Real = C::Real>, const K: usize>(&self, n: usize, ascending: bool) {
        let (whole, groups) = (n - n % K, n / K);
        // SAFETY: the caller's promise.
        unsafe {
            if !ascending {
                for j in (whole..n).rev() {
                    self.group::<V, 1>(j);
                }
            }
            for g in 0..groups {
                self.group::<V, K>(K * if ascending { g } else { groups - 1 - g });
            }
            if ascending {
                for j in whole..n {
                    self.group::<V, 1>(j);
                }
            }
        }
    }
}

/// y += alpha * A * x, A conjugated if `conj`.
pub(super) struct ByRows<C> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) conj: bool,
    pub(super) alpha: C,
    pub(super) a: *const C,
    pub(super) ld: usize,
    pub(super) x: *const C,
    pub(super) y: *mut C,
}

impl<C: Acc> Kernel<C::Real> for ByRows<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        // SAFETY: within the matrix.
        unsafe {
            if !C::COMPLEX && self.rows * self.cols * size_of::<C>() <= SMALL {
                return self.in_registers::<V>();
            }
            let step = NEAR / size_of::<C>();
            let mut first = 0;
            while first < self.rows {
                let rows = step.min(self.rows - first);
                let ByRows { cols, conj, alpha, ld, x, .. } = *self;
                let (a, y) = (self.a.wrapping_add(first), self.y.add(first));
                Slab(ByRows { rows, cols, conj, alpha, a, ld, x, y }).all::<V, GROUP>(cols, true);
                first += rows;
            }
        }
    }
}

/// So few rows that their y stays near.
struct Slab<C>(ByRows<C>);

impl<C: Acc> Groups<C> for Slab<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let ByRows { rows, conj, alpha, a, ld, x, y, .. } = self.0;
        // SAFETY: the caller's promise.
        unsafe {
            let mut scaled = [C::zero(); K];
            for k in 0..K {
                scaled[k] = alpha * *x.add(j + k);
            }
            Axpy { n: rows, conj, a: scaled, x: columns(a.wrapping_add(j * ld), ld), y }.run::<V>();
        }
    }
}

impl<C: Acc> ByRows<C> {
    /// All columns for a few registers of y at a time, which are neither loaded nor stored in between. Of real numbers.
    #[inline(always)]
    unsafe fn in_registers<V: Lanes<Real = C::Real>>(&self) {
        let mut first = 0;
        // SAFETY: within the matrix. Sums of their own for some columns where there are few registers, so that additions
        // overlap.
        unsafe {
            while first + 8 * V::N <= self.rows {
                self.block::<V, 8, 1>(first);
                first += 8 * V::N;
            }
            if first + 4 * V::N <= self.rows {
                self.block::<V, 4, 2>(first);
                first += 4 * V::N;
            }
            while first < self.rows {
                self.block::<V, 1, 4>(first);
                first += V::N;
            }
        }
    }

    /// `R` registers of y from row `first` on, the sums of every `U`th column apart. One alone may be of fewer rows.
    #[inline(always)]
    unsafe fn block<V: Lanes<Real = C::Real>, const R: usize, const U: usize>(&self, first: usize) {
        let part = if R == 1 && first + V::N > self.rows { self.rows - first } else { V::N };
        // SAFETY: the caller's promise.
        unsafe {
            let mut sums = [[V::splat(C::Real::zero()); R]; U];
            let mut j = 0;
            while j + U <= self.cols {
                for u in 0..U {
                    self.add_column(first, part, j + u, &mut sums[u]);
                }
                j += U;
            }
            while j < self.cols {
                self.add_column(first, part, j, &mut sums[0]);
                j += 1;
            }
            let alpha = V::splat(self.alpha.re());
            for r in 0..R {
                let mut sum = sums[0][r];
                for u in 1..U {
                    sum = sum.add(sums[u][r]);
                }
                let y = self.y.cast::<C::Real>().wrapping_add(first + r * V::N);
                if part == V::N {
                    alpha.fma(sum, V::load(y)).store(y);
                } else {
                    alpha.fma(sum, V::load_some(y, 0..part)).store_first(y, part);
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
        let a = self.a.cast::<C::Real>().wrapping_add(j * self.ld + first);
        // SAFETY: the caller's promise.
        unsafe {
            let x = V::splat(*self.x.cast::<C::Real>().add(j));
            for r in 0..R {
                let a = a.wrapping_add(r * V::N);
                let a = if part == V::N { V::load(a) } else { V::load_some(a, 0..part) };
                sums[r] = a.fma(x, sums[r]);
            }
        }
    }
}

/// y += alpha * op(A) * x with A transposed, conjugated if `conj`.
pub(super) struct ByColumns<C> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) conj: bool,
    pub(super) alpha: C,
    pub(super) a: *const C,
    pub(super) ld: usize,
    pub(super) x: *const C,
    pub(super) y: *mut C,
}

impl<C: Acc> Kernel<C::Real> for ByColumns<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        // SAFETY: within the matrix.
        unsafe { self.all::<V, GROUP>(self.cols, true) }
    }
}

impl<C: Acc> Groups<C> for ByColumns<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let x: [*const C; K] = columns(self.a.wrapping_add(j * self.ld), self.ld);
            let sums = Dot { n: self.rows, conj: self.conj, x, y: self.x }.run::<V>();
            for k in 0..K {
                *self.y.add(j + k) += self.alpha * sums[k];
            }
        }
    }
}

/// A += x * y', where x is conjugated if `conj`, and y holds the coefficients of the columns.
pub(super) struct Rank1<C> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) conj: bool,
    pub(super) a: *mut C,
    pub(super) ld: usize,
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
        let Rank1 { rows, cols, conj, a, ld, x } = self.0;
        for j in 0..cols {
            // SAFETY: within the matrix.
            unsafe {
                Axpy { n: rows, conj, a: [self.1(j)], x: [x], y: a.wrapping_add(j * ld) }.run::<V>();
            }
        }
    }
}

/// y += alpha * A * x for a symmetric or Hermitian A of order n, of which a triangle is stored.
pub(super) struct Mirrored<C> {
    pub(super) n: usize,
    pub(super) uplo: Uplo,
    /// Use the conjugates of what is stored.
    pub(super) conj: bool,
    pub(super) herm: bool,
    pub(super) alpha: C,
    pub(super) a: *const C,
    pub(super) ld: usize,
    pub(super) x: *const C,
    pub(super) y: *mut C,
}

impl<C: Acc> Kernel<C::Real> for Mirrored<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        let lower = self.uplo == Uplo::Lower;
        // SAFETY: within the matrix. As many columns as there are registers for; elements that are written one by one are
        // not among those that the next group reads.
        unsafe {
            if C::COMPLEX {
                self.all::<V::Narrow, 2>(self.n, lower);
            } else {
                self.all::<V::Narrow, GROUP>(self.n, lower);
            }
        }
    }
}

impl<C: Acc> Groups<C> for Mirrored<C> {
    /// Adds what the stored parts of the columns, and their mirror images, add.
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let Mirrored { n, conj, herm, alpha, ld, x, y, .. } = *self;
        let lower = self.uplo == Uplo::Lower;
        // SAFETY: the caller's promise.
        unsafe {
            let mut near = [C::zero(); K];
            let mut scaled = near;
            for k in 0..K {
                near[k] = *x.add(j + k);
                scaled[k] = alpha * near[k];
            }
            let a = columns::<C, K>(self.a.wrapping_add(j * ld), ld);
            let axpy = Axpy { n, conj, a: scaled, x: a, y };
            // The mirror image of a Hermitian element is its conjugate.
            let dot = Dot { n, conj: conj != herm, x: a, y: x };
            let mut sums = axpy.run_rows_with_dot::<V>(far::<K>(lower, n, j), &dot);
            let square = self.a.wrapping_add(j * ld + j);
            for k in 0..K {
                let diagonal = *square.wrapping_add(k * ld + k);
                sums[k] += if herm { near[k].scale(diagonal.re()) } else { diagonal.conj_if(conj) * near[k] };
                for i in 0..k {
                    // What is stored for rows and columns i and k.
                    let element = *square.wrapping_add(if lower { i * ld + k } else { k * ld + i });
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

/// x = op(A) * old for a triangular A with whole columns. Without transposition, x is 0 before; with it, old may be x.
pub(super) struct Product<C> {
    pub(super) triangle: Triangular<C>,
    pub(super) a: *const C,
    pub(super) ld: usize,
    pub(super) old: *const C,
    pub(super) x: *mut C,
}

impl<C: Acc + Elem<Coef = C>> Kernel<C::Real> for Product<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        let Triangle { n, uplo, .. } = self.triangle.a;
        // SAFETY: within the matrix. No column reads what those before it have written.
        unsafe { self.all::<V::Narrow, GROUP>(n, uplo == Uplo::Lower) }
    }
}

impl<C: Acc + Elem<Coef = C>> Groups<C> for Product<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let Product { triangle, ld, x, .. } = *self;
        let (n, lower) = (triangle.a.n, triangle.a.uplo == Uplo::Lower);
        let (trans, conj) = (triangle.trans.is_transposed(), triangle.trans.is_conjugated());
        // SAFETY: the caller's promise.
        unsafe {
            let mut old = [C::zero(); K];
            for k in 0..K {
                old[k] = *self.old.add(j + k);
            }
            let a = columns::<C, K>(self.a.wrapping_add(j * ld), ld);
            let mut new = old;
            if trans {
                new = Dot { n, conj, x: a, y: self.old }.run_rows::<V>(far::<K>(lower, n, j));
            } else {
                Axpy { n, conj, a: old, x: a, y: x }.run_rows::<V>(far::<K>(lower, n, j));
                for k in 0..K {
                    new[k] = *x.add(j + k);
                }
            }
            let square = self.a.wrapping_add(j * ld + j);
            for k in 0..K {
                new[k] += triangle.scaled(old[k], square.wrapping_add(k * ld + k));
                for i in 0..k {
                    let element =
                        (*square.wrapping_add(if lower { i * ld + k } else { k * ld + i })).conj_if(conj);
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

/// The solution of op(A) * x = b in the place of b, for a triangular A with whole columns.
pub(super) struct Solve<C> {
    pub(super) triangle: Triangular<C>,
    pub(super) a: *const C,
    pub(super) ld: usize,
    pub(super) x: *mut C,
}

impl<C: Acc + Elem<Coef = C>> Kernel<C::Real> for Solve<C> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        // SAFETY: within the matrix.
        unsafe { self.all::<V::Narrow, GROUP>(self.triangle.a.n, self.triangle.is_solved_from_first()) }
    }
}

impl<C: Acc + Elem<Coef = C>> Groups<C> for Solve<C> {
    #[inline(always)]
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let Solve { triangle, ld, x, .. } = *self;
        let (n, lower) = (triangle.a.n, triangle.a.uplo == Uplo::Lower);
        let (trans, conj) = (triangle.trans.is_transposed(), triangle.trans.is_conjugated());
        // SAFETY: the caller's promise.
        unsafe {
            let a = columns::<C, K>(self.a.wrapping_add(j * ld), ld);
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
        let square = self.a.wrapping_add(j * self.ld + j);
        let (row, column) = if trans { (self.ld, 1) } else { (1, self.ld) };
        // SAFETY: the caller's promise.
        unsafe {
            for step in 0..K {
                let k = if DOWN { step } else { K - 1 - step };
                x[k] = self.triangle.divided(x[k], square.wrapping_add(k * (self.ld + 1)));
                for more in step + 1..K {
                    let i = if DOWN { more } else { K - 1 - more };
                    let element = (*square.wrapping_add(i * row + k * column)).conj_if(conj);
                    x[i] = plus_product::<C, V>(x[i], -element, x[k]);
                }
            }
        }
    }
}
