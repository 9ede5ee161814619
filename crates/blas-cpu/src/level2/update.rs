//! Updates of symmetric and Hermitian matrices: one core each of rank 1 and 2 for full and packed storage.

use super::columns::Triangle;
use crate::num::{Acc, Elem};
use crate::operands::Vect;
use crate::simd;

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
    pub(super) unsafe fn rank1(&self, alpha: T, x: Vect<T>) {
        if alpha.is_zero() {
            return;
        }
        let mut copy = Vec::new();
        // SAFETY: the caller's promise.
        let x = unsafe { x.load_all(&mut copy) };
        for j in 0..self.a.n {
            // SAFETY: the caller's promise.
            let (rows, a) = unsafe { self.a.column_mut(j) };
            // The x' of a Hermitian update undoes a conjugation of x.
            let t = x[j].conj_if(self.conj != self.herm);
            // The alpha of a Hermitian update is real.
            let t = if self.herm { t.scale(alpha.re()) } else { alpha * t };
            simd::axpy_conj(self.conj, t, &x[rows.clone()], a);
            self.close(j - rows.start, a);
        }
    }

    /// A = alpha * x * y' + alpha' * y * x' + A, with alpha' = conj(alpha) for a Hermitian A. With alpha = 0, nothing is
    /// touched.
    ///
    /// # Safety
    /// As for [`rank1`](Self::rank1).
    pub(super) unsafe fn rank2(&self, alpha: T, x: Vect<T>, y: Vect<T>) {
        if alpha.is_zero() {
            return;
        }
        let (mut x_copy, mut y_copy) = (Vec::new(), Vec::new());
        // SAFETY: the caller's promise.
        let (x, y) = unsafe { (x.load_all(&mut x_copy), y.load_all(&mut y_copy)) };
        for j in 0..self.a.n {
            // SAFETY: the caller's promise.
            let (rows, a) = unsafe { self.a.column_mut(j) };
            let mirrored = self.conj != self.herm;
            let t = [alpha * y[j].conj_if(mirrored), alpha.conj_if(self.herm) * x[j].conj_if(mirrored)];
            simd::axpy_conj(self.conj, t[0], &x[rows.clone()], a);
            simd::axpy_conj(self.conj, t[1], &y[rows.clone()], a);
            self.close(j - rows.start, a);
        }
    }

    /// The diagonal of a Hermitian matrix is real.
    fn close(&self, diagonal: usize, a: &mut [T]) {
        if self.herm {
            a[diagonal] = a[diagonal].real();
        }
    }
}
