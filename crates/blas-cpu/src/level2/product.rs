//! x = op(A) * x and op(A) * x = b for triangular A: one core each for full, band and packed storage.

use blas_api::{Diag, Trans, Uplo};

use super::columns::Triangle;
use crate::num::{Acc, Elem};
use crate::operands::Vect;
use crate::simd;

/// A triangular matrix and the op that it is seen through.
#[derive(Clone, Copy)]
pub(super) struct Triangular<T> {
    pub(super) a: Triangle<T>,
    pub(super) trans: Trans,
    pub(super) diag: Diag,
}

impl<T: Elem<Coef = T> + Acc> Triangular<T> {
    /// Whether column 0 comes first, in the order in which no column needs a later one of the *new* x.
    fn ascending(&self) -> bool {
        (self.a.uplo == Uplo::Upper) != self.trans.is_transposed()
    }

    fn columns(&self, ascending: bool) -> impl Iterator<Item = usize> {
        let n = self.a.n;
        (0..n).map(move |j| if ascending { j } else { n - 1 - j })
    }

    /// Times the diagonal element, which a unit diagonal leaves unread.
    #[inline]
    fn scaled(&self, x: T, diagonal: &T) -> T {
        match self.diag {
            Diag::Unit => x,
            Diag::NonUnit => diagonal.conj_if(self.trans.is_conjugated()) * x,
        }
    }

    /// Divided by the diagonal element. A division, and no product with a rounded reciprocal.
    #[inline]
    fn divided(&self, x: T, diagonal: &T) -> T {
        match self.diag {
            Diag::Unit => x,
            Diag::NonUnit => x.divide(diagonal.conj_if(self.trans.is_conjugated())),
        }
    }

    /// x = op(A) * x
    ///
    /// # Safety
    /// The memory of A and x is valid, and that of x not in use elsewhere.
    pub(super) unsafe fn multiply(&self, x: Vect<T>) {
        let conj = self.trans.is_conjugated();
        let run = |x: &mut [T]| {
            for j in self.columns(self.ascending()) {
                // SAFETY: the caller's promise.
                let (rows, off, diagonal) = unsafe { self.a.column(j) };
                let scaled = self.scaled(x[j], diagonal);
                if self.trans.is_transposed() {
                    x[j] = scaled + simd::dot(conj, off, &x[rows]);
                } else {
                    simd::axpy_conj(conj, x[j], off, &mut x[rows]);
                    x[j] = scaled;
                }
            }
        };
        // SAFETY: the caller's promise.
        unsafe { x.update_all(true, run) }
    }

    /// Solves op(A) * x = b in place of b.
    ///
    /// # Safety
    /// As for [`multiply`](Self::multiply).
    pub(super) unsafe fn solve(&self, x: Vect<T>) {
        let conj = self.trans.is_conjugated();
        let run = |x: &mut [T]| {
            for j in self.columns(!self.ascending()) {
                // SAFETY: the caller's promise.
                let (rows, off, diagonal) = unsafe { self.a.column(j) };
                if self.trans.is_transposed() {
                    x[j] = self.divided(x[j] - simd::dot(conj, off, &x[rows]), diagonal);
                } else {
                    x[j] = self.divided(x[j], diagonal);
                    simd::axpy_conj(conj, -x[j], off, &mut x[rows]);
                }
            }
        };
        // SAFETY: the caller's promise.
        unsafe { x.update_all(true, run) }
    }
}
