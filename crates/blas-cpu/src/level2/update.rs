//! Updates of symmetric and Hermitian matrices: one core each of rank 1 and 2 for full and packed storage.

use std::ops::Range;

use super::columns::Triangle;
use crate::num::{Acc, Elem};
use crate::operands::Vect;
use crate::{simd, threads};

/// The matrix to be updated.
#[derive(Clone, Copy)]
pub(super) struct Update<T> {
    pub(super) a: Triangle<T>,
    pub(super) herm: bool,
    /// Use the conjugates of the vectors.
    pub(super) conj: bool,
}

impl<T: Elem<Coef = T> + Acc> Update<T> {
    /// A = alpha * x * x' + A, x' the transpose or the conjugate transpose. With alpha = 0, nothing is touched.
    ///
    /// # Safety
    /// The memory of the operands is valid, and that of A not in use elsewhere.
    pub(super) unsafe fn rank1(&self, parts: usize, alpha: T, x: Vect<T>) {
        if alpha.is_zero() {
            return;
        }
        let mut copy = Vec::new();
        // SAFETY: the caller's promise.
        let x = unsafe { x.load_all(&mut copy) };
        let update = |j: usize, rows: Range<usize>, a: &mut [T]| {
            // The x' of a Hermitian update undoes a conjugation of x.
            let t = x[j].conj_if(self.conj != self.herm);
            // The alpha of a Hermitian update is real.
            let t = if self.herm { t.scale(alpha.re()) } else { alpha * t };
            simd::axpy_conj(self.conj, t, &x[rows], a);
        };
        // SAFETY: the caller's promise.
        unsafe { self.each_column(parts, update) }
    }

    /// A = alpha * x * y' + alpha' * y * x' + A, with alpha' = conj(alpha) for a Hermitian A. With alpha = 0, nothing is
    /// touched.
    ///
    /// # Safety
    /// As for [`rank1`](Self::rank1).
    pub(super) unsafe fn rank2(&self, parts: usize, alpha: T, x: Vect<T>, y: Vect<T>) {
        if alpha.is_zero() {
            return;
        }
        let (mut x_copy, mut y_copy) = (Vec::new(), Vec::new());
        // SAFETY: the caller's promise.
        let (x, y) = unsafe { (x.load_all(&mut x_copy), y.load_all(&mut y_copy)) };
        let update = |j: usize, rows: Range<usize>, a: &mut [T]| {
            let mirrored = self.conj != self.herm;
            let t = [alpha * y[j].conj_if(mirrored), alpha.conj_if(self.herm) * x[j].conj_if(mirrored)];
            simd::axpys(self.conj, t, [&x[rows.clone()], &y[rows]], a);
        };
        // SAFETY: the caller's promise.
        unsafe { self.each_column(parts, update) }
    }

    /// Calls `f` with each column, its rows and the stored elements.
    ///
    /// # Safety
    /// The memory of A is valid and not in use elsewhere.
    unsafe fn each_column(&self, parts: usize, f: impl Fn(usize, Range<usize>, &mut [T]) + Sync) {
        threads::for_each(parts, |p| {
            for j in self.a.share(parts, p) {
                // SAFETY: the caller's promise; each column is in one share.
                let (rows, a) = unsafe { self.a.column_mut(j) };
                let diagonal = j - rows.start;
                f(j, rows, a);
                if self.herm {
                    // It is real in a Hermitian matrix.
                    a[diagonal] = a[diagonal].real();
                }
            }
        });
    }
}
