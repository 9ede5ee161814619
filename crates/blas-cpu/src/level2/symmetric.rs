//! y = alpha * A * x + beta * y for symmetric and Hermitian A: one core for full, band and packed storage.

use super::columns::Triangle;
use super::dense::Mirrored;
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
    pub(super) unsafe fn multiply(&self, alpha: T, x: Vect<T>, beta: T, y: Vect<T>) {
        let mut copy = Vec::new();
        let work = |y: &mut [T]| {
            simd::scal_or_clear(beta, y);
            if alpha.is_zero() {
                return;
            }
            // SAFETY: the caller's promise.
            let x = unsafe { x.load_all(&mut copy) };
            if let Some((a, ld)) = self.a.full() {
                let SelfAdjoint { a: Triangle { n, uplo, .. }, herm, conj } = *self;
                let (x, y) = (x.as_ptr(), y.as_mut_ptr());
                return run(&Mirrored { n, uplo, conj, herm, alpha, a: a.cast_const(), ld, x, y });
            }
            // The mirror image of a Hermitian element is its conjugate.
            let mirrored = self.conj != self.herm;
            for j in 0..self.a.n {
                // SAFETY: the caller's promise.
                let (rows, off, diagonal) = unsafe { self.a.column(j) };
                let scaled = alpha * x[j];
                let own = if self.herm {
                    scaled.scale(diagonal.re())
                } else {
                    diagonal.conj_if(self.conj) * scaled
                };
                simd::axpy_conj(self.conj, scaled, off, &mut y[rows.clone()]);
                y[j] += own + alpha * simd::dot(mirrored, off, &x[rows]);
            }
        };
        // SAFETY: the caller's promise.
        unsafe { y.update_all(!beta.is_zero(), work) }
    }
}
