//! Strided matrices.

use blas_api::{Element, Matrix, Scalar, Trans};

use super::Native;
use crate::operands::entry;

/// A matrix with a stride for rows and one for columns, so that layout and transposition are no cases of their own.
/// It has no sizes: those are the routine's.
#[derive(Clone, Copy)]
pub(crate) struct Panel<T> {
    pub(crate) ptr: *mut T,
    pub(crate) rs: isize,
    pub(crate) cs: isize,
    /// Elements are read conjugated. Never set on outputs.
    pub(crate) conj: bool,
}

// SAFETY: pointers with strides; those who follow them answer for conflicts.
unsafe impl<T> Send for Panel<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Panel<T> {}

impl<T: Element> Panel<T> {
    /// op of a matrix operand, in batch entry `i`.
    ///
    /// # Safety
    /// As for [`blas_api::Address::entry`].
    pub(crate) unsafe fn new(m: Matrix, i: usize, op: Trans) -> Self {
        // SAFETY: the caller's promise.
        let plain = Panel::columns(unsafe { entry(m.data, i) }, m.ld);
        let panel = if op.is_transposed() { plain.t() } else { plain };
        Panel { conj: op.is_conjugated(), ..panel }
    }

    /// Column-major.
    pub(crate) fn columns(ptr: *mut T, ld: usize) -> Self {
        Panel { ptr, rs: 1, cs: ld as isize, conj: false }
    }

    /// The transposed matrix.
    pub(crate) fn t(self) -> Self {
        Panel { rs: self.cs, cs: self.rs, ..self }
    }

    /// The conjugated matrix, if `conj`.
    pub(crate) fn conj_if(self, conj: bool) -> Self {
        Panel { conj: self.conj != conj, ..self }
    }

    /// The part that starts at (i, j).
    pub(crate) fn sub(self, i: usize, j: usize) -> Self {
        Panel { ptr: self.at(i, j), ..self }
    }

    /// Pointer to element (i, j).
    #[inline(always)]
    pub(crate) fn at(self, i: usize, j: usize) -> *mut T {
        let offset = (i as isize).wrapping_mul(self.rs).wrapping_add((j as isize).wrapping_mul(self.cs));
        self.ptr.wrapping_offset(offset)
    }
}

impl<T: Scalar> Panel<T> {
    /// Element (i, j).
    ///
    /// # Safety
    /// The element is there to be read.
    #[inline(always)]
    pub(crate) unsafe fn get(self, i: usize, j: usize) -> T {
        // SAFETY: the caller's promise.
        let x = unsafe { *self.at(i, j) };
        if self.conj { x.conj() } else { x }
    }

    /// Writes element (i, j).
    ///
    /// # Safety
    /// The element is there to be written.
    #[inline(always)]
    pub(crate) unsafe fn set(self, i: usize, j: usize, value: T) {
        // SAFETY: the caller's promise.
        unsafe { *self.at(i, j) = value }
    }
}

impl<T: Native> Panel<T> {
    /// Whether no element of an m x n matrix is NaN or infinite.
    ///
    /// # Safety
    /// All elements are there.
    pub(crate) unsafe fn is_finite(self, m: usize, n: usize) -> bool {
        let is_finite = T::kernels().is_finite();
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Panel { rs: 1, .. } => is_finite([m, n], self.ptr, self.cs),
                Panel { cs: 1, .. } => is_finite([n, m], self.ptr, self.rs),
                _ => (0..n).all(|j| (0..m).all(|i| is_finite([1, 1], self.at(i, j), 1))),
            }
        }
    }
}
