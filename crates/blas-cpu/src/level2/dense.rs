//! Kernels for matrices whose columns are whole: several columns at a time, so that vectors are read and written once for
//! all of them. On the diagonal of a triangle, a square of as many columns is done element by element.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, those of iterators not always"
)]

use blas_api::Uplo;

use super::product::Triangular;
use crate::lanes::{Kernel, Lanes};
use crate::num::{Acc, Elem};
use crate::simd::{Axpy, Dot};

/// Columns that are taken together.
const GROUP: usize = 4;

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
        let step = NEAR / size_of::<C>();
        let mut first = 0;
        while first < self.rows {
            let n = step.min(self.rows - first);
            let mut j = 0;
            // SAFETY: within the matrix.
            unsafe {
                while j + GROUP <= self.cols {
                    self.add::<V, GROUP>(first, n, j);
                    j += GROUP;
                }
                while j < self.cols {
                    self.add::<V, 1>(first, n, j);
                    j += 1;
                }
            }
            first += n;
        }
    }
}

impl<C: Acc> ByRows<C> {
    /// Adds the columns from `j` on, in `n` rows.
    #[inline(always)]
    unsafe fn add<V: Lanes<Real = C::Real>, const K: usize>(&self, first: usize, n: usize, j: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut a = [C::zero(); K];
            for k in 0..K {
                a[k] = self.alpha * *self.x.add(j + k);
            }
            let x = columns(self.a.wrapping_add(j * self.ld + first), self.ld);
            Axpy { n, conj: self.conj, a, x, y: self.y.add(first) }.run::<V>();
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
        let mut j = 0;
        // SAFETY: within the matrix.
        unsafe {
            while j + GROUP <= self.cols {
                self.add::<V, GROUP>(j);
                j += GROUP;
            }
            while j < self.cols {
                self.add::<V, 1>(j);
                j += 1;
            }
        }
    }
}

impl<C: Acc> ByColumns<C> {
    #[inline(always)]
    unsafe fn add<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
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
        let mut j = 0;
        // SAFETY: within the matrix. As many columns as there are registers for.
        unsafe {
            while !C::COMPLEX && j + 4 <= self.n {
                self.columns::<V, 4>(j);
                j += 4;
            }
            while C::COMPLEX && j + 2 <= self.n {
                self.columns::<V, 2>(j);
                j += 2;
            }
            while j < self.n {
                self.columns::<V, 1>(j);
                j += 1;
            }
        }
    }
}

impl<C: Acc> Mirrored<C> {
    /// Adds what the stored parts of the columns from `j` on, and their mirror images, add.
    #[inline(always)]
    unsafe fn columns<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let (first, n) = if self.uplo == Uplo::Lower { (j + K, self.n - j - K) } else { (0, j) };
        let Mirrored { conj, herm, alpha, ld, .. } = *self;
        // SAFETY: the caller's promise.
        unsafe {
            let mut scaled = [C::zero(); K];
            for k in 0..K {
                scaled[k] = alpha * *self.x.add(j + k);
            }
            let a = columns::<C, K>(self.a.wrapping_add(j * ld + first), ld);
            let (x, y) = (self.x.wrapping_add(first), self.y.wrapping_add(first));
            let axpy = Axpy { n, conj, a: scaled, x: a, y };
            // The mirror image of a Hermitian element is its conjugate.
            let dot = Dot { n, conj: conj != herm, x: a, y: x };
            let sums = axpy.with_dot::<V>(&dot);
            let square = self.a.wrapping_add(j * ld + j);
            for k in 0..K {
                let mut sum = sums[k];
                for i in 0..K {
                    let x = *self.x.add(j + i);
                    // Row k of the square: what is stored in it, and what is mirrored from column k.
                    let is_stored = if self.uplo == Uplo::Lower { i < k } else { i > k };
                    if is_stored {
                        sum += (*square.wrapping_add(i * ld + k)).conj_if(conj) * x;
                    } else if i != k {
                        sum += (*square.wrapping_add(k * ld + i)).conj_if(conj != herm) * x;
                    } else if herm {
                        sum += x.scale((*square.wrapping_add(k * ld + k)).re());
                    } else {
                        sum += (*square.wrapping_add(k * ld + k)).conj_if(conj) * x;
                    }
                }
                *self.y.add(j + k) += alpha * sum;
            }
        }
    }
}

/// x = op(A) * x, or the solution of op(A) * x = b, for a triangular A with whole columns.
pub(super) struct InPlace<C, const SOLVE: bool> {
    pub(super) triangle: Triangular<C>,
    pub(super) a: *const C,
    pub(super) ld: usize,
    pub(super) x: *mut C,
}

impl<C: Acc + Elem<Coef = C>, const SOLVE: bool> Kernel<C::Real> for InPlace<C, SOLVE> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        let n = self.triangle.a.n;
        let ascending = self.triangle.ascending() != SOLVE;
        let (groups, rest) = (n / GROUP, n % GROUP);
        // SAFETY: within the matrix. The columns that make no group are the last ones, wherever one starts.
        unsafe {
            if !ascending {
                for k in (0..rest).rev() {
                    self.columns::<V, 1>(groups * GROUP + k);
                }
            }
            for g in 0..groups {
                self.columns::<V, GROUP>(GROUP * if ascending { g } else { groups - 1 - g });
            }
            if ascending {
                for k in 0..rest {
                    self.columns::<V, 1>(groups * GROUP + k);
                }
            }
        }
    }
}

impl<C: Acc + Elem<Coef = C>, const SOLVE: bool> InPlace<C, SOLVE> {
    /// Element (i, j) as op sees it.
    #[inline(always)]
    unsafe fn element(&self, i: usize, j: usize) -> C {
        let (i, j) = if self.triangle.trans.is_transposed() { (j, i) } else { (i, j) };
        // SAFETY: the caller's promise.
        unsafe { *self.a.wrapping_add(j * self.ld + i) }.conj_if(self.triangle.trans.is_conjugated())
    }

    /// Does what the stored columns from `j` on ask for.
    #[inline(always)]
    unsafe fn columns<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize) {
        let order = self.triangle.a.n;
        let (trans, conj) = (self.triangle.trans.is_transposed(), self.triangle.trans.is_conjugated());
        let lower = self.triangle.a.uplo == Uplo::Lower;
        let (first, n) = if lower { (j + K, order - j - K) } else { (0, j) };
        // SAFETY: the caller's promise.
        unsafe {
            let a = columns::<C, K>(self.a.wrapping_add(j * self.ld + first), self.ld);
            let far = self.x.wrapping_add(first);
            let mut x = [C::zero(); K];
            for k in 0..K {
                x[k] = *self.x.add(j + k);
            }
            let sums =
                if trans { Dot { n, conj, x: a, y: far.cast_const() }.run::<V>() } else { [C::zero(); K] };
            // The old x of a product, the new one of a solution, times the far rows.
            let push = |x: [C; K]| {
                let mut coefs = x;
                for k in 0..K {
                    coefs[k] = if SOLVE { -x[k] } else { x[k] };
                }
                Axpy { n, conj, a: coefs, x: a, y: far }
            };
            if !trans && !SOLVE {
                push(x).run::<V>();
            }
            // Rows of op(A) in which the square is a lower triangle are solved from the first on.
            let down = lower != trans;
            for step in 0..K {
                // A product goes the other way, so that it reads old elements only.
                let k = if down == SOLVE { step } else { K - 1 - step };
                let mut sum = sums[k];
                for i in 0..K {
                    if if down { i < k } else { i > k } {
                        sum += self.element(j + k, j + i) * x[i];
                    }
                }
                let diagonal = self.a.wrapping_add((j + k) * self.ld + j + k);
                x[k] = if SOLVE {
                    self.triangle.divided(x[k] - sum, diagonal)
                } else {
                    self.triangle.scaled(x[k], diagonal) + sum
                };
                *self.x.add(j + k) = x[k];
            }
            if !trans && SOLVE {
                push(x).run::<V>();
            }
        }
    }
}
