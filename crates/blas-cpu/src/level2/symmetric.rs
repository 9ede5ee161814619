//! y = alpha * A * x + beta * y for symmetric and Hermitian A: one core for full, band and packed storage.

use super::columns::Triangle;
use super::triangle::Mirrored;
use crate::lanes::run;
use crate::num::{Acc, Elem};
use crate::operands::Vect;
use crate::simd;

/// A symmetric or Hermitian matrix of which a triangle is stored.
#[derive(Clone, Copy)]
pub(super) struct SelfAdjoint<T> {
    pub(super) a: Triangle<T>,
    pub(super) herm: bool,
    /// Use conj(A).
    pub(super) conj: bool,
}

impl<T: Elem<Coef = T> + Acc> SelfAdjoint<T> {
    /// y = alpha * A * x + beta * y
    ///
    /// # Safety
    /// The memory of the operands is valid, and that of y not in use elsewhere.
    pub(super) unsafe fn multiply(&self, parts: usize, alpha: T, x: Vect<T>, beta: T, y: Vect<T>) {
        let mut copy = Vec::new();
        let work = |y: &mut [T]| {
            simd::scal_or_clear(beta, y);
            if alpha.is_zero() {
                return;
            }
            // SAFETY: the caller's promise.
            let x = unsafe { x.load_all(&mut copy) };
            self.a.sum_shares(parts, y, |columns, y| match self.a.whole() {
                Some(a) => {
                    let (x, y) = (x.as_ptr(), y.as_mut_ptr());
                    run(&Mirrored { matrix: *self, a, columns, alpha, x, y });
                }
                // SAFETY: the caller's promise.
                None => columns.for_each(|j| unsafe { self.add_column(j, alpha, x, y) }),
            });
        };
        // SAFETY: the caller's promise.
        unsafe { y.update_all(!beta.is_zero(), work) }
    }

    /// Adds to y what column `j` and its mirror image do.
    ///
    /// # Safety
    /// As for [`Triangle::column`].
    unsafe fn add_column(&self, j: usize, alpha: T, x: &[T], y: &mut [T]) {
        // The mirror image of a Hermitian element is its conjugate.
        let mirrored = self.conj != self.herm;
        // SAFETY: the caller's promise.
        let (rows, off, diagonal) = unsafe { self.a.column(j) };
        let scaled = alpha * x[j];
        let own = if self.herm { scaled.scale(diagonal.re()) } else { diagonal.conj_if(self.conj) * scaled };
        simd::axpy_conj(self.conj, scaled, off, &mut y[rows.clone()]);
        y[j] += own + alpha * simd::dot(mirrored, off, &x[rows]);
    }
}
