//! x = op(A) * x and op(A) * x = b for triangular A: one core each for full, band and packed storage.

use blas_api::{Diag, Trans, Uplo};

use super::columns::Triangle;
use super::dense::{Product, Solve};
use crate::lanes::run;
use crate::num::{Acc, Elem};
use crate::operands::{Scratch, Vect};
use crate::simd;

/// A triangular matrix and the op that it is seen through.
#[derive(Clone, Copy)]
pub(super) struct Triangular<T> {
    pub(super) a: Triangle<T>,
    pub(super) trans: Trans,
    pub(super) diag: Diag,
}

impl<T: Elem<Coef = T> + Acc> Triangular<T> {
    /// Whether op(A) is lower: the first element of a solution is known first, of a product last.
    #[inline(always)]
    pub(super) fn is_solved_from_first(&self) -> bool {
        (self.a.uplo == Uplo::Lower) != self.trans.is_transposed()
    }

    fn columns(&self, ascending: bool) -> impl Iterator<Item = usize> {
        let n = self.a.n;
        (0..n).map(move |j| if ascending { j } else { n - 1 - j })
    }

    /// Times the diagonal element, which a unit diagonal leaves unread.
    ///
    /// # Safety
    /// Where the diagonal is read, the element is there.
    #[inline(always)]
    pub(super) unsafe fn scaled(&self, x: T, diagonal: *const T) -> T {
        match self.diag {
            Diag::Unit => x,
            // SAFETY: the caller's promise.
            Diag::NonUnit => unsafe { *diagonal }.conj_if(self.trans.is_conjugated()) * x,
        }
    }

    /// Divided by the diagonal element. A division, and no product with a rounded reciprocal.
    ///
    /// # Safety
    /// As for [`scaled`](Self::scaled).
    #[inline(always)]
    pub(super) unsafe fn divided(&self, x: T, diagonal: *const T) -> T {
        match self.diag {
            Diag::Unit => x,
            // SAFETY: the caller's promise.
            Diag::NonUnit => x.divide(unsafe { *diagonal }.conj_if(self.trans.is_conjugated())),
        }
    }

    /// x = op(A) * x
    ///
    /// # Safety
    /// The memory of A and x is valid, and that of x not in use elsewhere.
    pub(super) unsafe fn multiply(&self, x: Vect<T>) {
        let conj = self.trans.is_conjugated();
        let work = |x: &mut [T]| {
            if let Some((a, ld)) = self.a.full() {
                let (mut copy, mut scratch) = (Vec::new(), Scratch::default());
                let mut old = x.as_ptr();
                if !self.trans.is_transposed() {
                    let room = scratch.room(x.len(), &mut copy);
                    room.copy_from_slice(x);
                    old = room.as_ptr();
                    x.fill(T::zero());
                }
                return run(&Product { triangle: *self, a, ld, old, x: x.as_mut_ptr() });
            }
            for j in self.columns(!self.is_solved_from_first()) {
                // SAFETY: the caller's promise.
                let (rows, off, diagonal) = unsafe { self.a.column(j) };
                // SAFETY: as above.
                let scaled = unsafe { self.scaled(x[j], diagonal) };
                if self.trans.is_transposed() {
                    x[j] = scaled + simd::dot(conj, off, &x[rows]);
                } else {
                    simd::axpy_conj(conj, x[j], off, &mut x[rows]);
                    x[j] = scaled;
                }
            }
        };
        // SAFETY: the caller's promise.
        unsafe { x.update_all(true, work) }
    }

    /// Solves op(A) * x = b in place of b.
    ///
    /// # Safety
    /// As for [`multiply`](Self::multiply).
    pub(super) unsafe fn solve(&self, x: Vect<T>) {
        let conj = self.trans.is_conjugated();
        let work = |x: &mut [T]| {
            if let Some((a, ld)) = self.a.full() {
                return run(&Solve { triangle: *self, a, ld, x: x.as_mut_ptr() });
            }
            for j in self.columns(self.is_solved_from_first()) {
                // SAFETY: the caller's promise.
                let (rows, off, diagonal) = unsafe { self.a.column(j) };
                if self.trans.is_transposed() {
                    let rest = x[j] - simd::dot(conj, off, &x[rows]);
                    // SAFETY: as above.
                    x[j] = unsafe { self.divided(rest, diagonal) };
                } else {
                    // SAFETY: as above.
                    x[j] = unsafe { self.divided(x[j], diagonal) };
                    simd::axpy_conj(conj, -x[j], off, &mut x[rows]);
                }
            }
        };
        // SAFETY: the caller's promise.
        unsafe { x.update_all(true, work) }
    }
}
