//! Column-major matrices as the factorisations see them, and the Level 3 routines on them.
//!
//! A matrix is made from a descriptor once, under `unsafe`; all that follows is ordinary borrowing.

use std::marker::PhantomData;

use blas_api::{
    Address, Diag, Error, GemmDesc, GemmTypes, Matrix, RawHandle, RawScalar, Result, Side, Trans, TrsmDesc,
    TrtriDesc, Uplo,
};

use crate::num::Acc;
use crate::{CpuHandle, DEVICE};

/// A matrix that is read.
pub(super) struct Mat<'a, T> {
    ptr: *mut T,
    rows: usize,
    cols: usize,
    ld: usize,
    marker: PhantomData<&'a T>,
}

/// A matrix that is written.
pub(super) struct MatMut<'a, T> {
    inner: Mat<'a, T>,
    marker: PhantomData<&'a mut T>,
}

impl<T> Clone for Mat<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Mat<'_, T> {}

impl<'a, T: Acc> Mat<'a, T> {
    /// Entry `i` of a batched operand.
    ///
    /// # Safety
    /// The operand describes a `rows` x `cols` matrix of `T` that nothing writes to during `'a`.
    pub(super) unsafe fn entry(m: Matrix, i: usize, rows: usize, cols: usize) -> Self {
        // SAFETY: the caller's promise.
        let ptr = unsafe { m.data.entry(i, size_of::<T>()) };
        Mat { ptr: ptr.cast(), rows, cols, ld: m.ld, marker: PhantomData }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn cols(&self) -> usize {
        self.cols
    }

    pub(super) fn col(&self, j: usize) -> &'a [T] {
        assert!(j < self.cols);
        if self.rows == 0 {
            return &[];
        }
        // SAFETY: column `j` has `rows` contiguous elements, borrowed for 'a.
        unsafe { std::slice::from_raw_parts(self.ptr.add(j * self.ld), self.rows) }
    }

    /// The first `i` rows and the rest.
    pub(super) fn split_rows(self, i: usize) -> (Self, Self) {
        assert!(i <= self.rows);
        (Mat { rows: i, ..self }, Mat { ptr: self.ptr.wrapping_add(i), rows: self.rows - i, ..self })
    }

    /// The first `j` columns and the rest.
    pub(super) fn split_cols(self, j: usize) -> (Self, Self) {
        assert!(j <= self.cols);
        let rest = self.ptr.wrapping_add(j * self.ld);
        (Mat { cols: j, ..self }, Mat { ptr: rest, cols: self.cols - j, ..self })
    }

    /// Rows `i ..` and columns `j .. j + cols`.
    pub(super) fn block(self, i: usize, j: usize, cols: usize) -> Self {
        self.split_rows(i).1.split_cols(j).1.split_cols(cols).0
    }

    /// The first element of the diagonal that is exactly zero, counted from 1; 0 if there is none.
    pub(super) fn zero_on_diagonal(&self) -> i32 {
        let zero = (0..self.rows.min(self.cols)).position(|j| self.col(j)[j] == T::zero());
        zero.map_or(0, |j| j as i32 + 1)
    }

    fn operand(&self) -> Matrix {
        Matrix { data: Address::single(self.ptr.cast()), ld: self.ld }
    }
}

impl<'a, T: Acc> MatMut<'a, T> {
    /// Entry `i` of a batched operand.
    ///
    /// # Safety
    /// The operand describes a `rows` x `cols` matrix of `T` that nothing else reads or writes during `'a`.
    pub(super) unsafe fn entry(m: Matrix, i: usize, rows: usize, cols: usize) -> Self {
        // SAFETY: the caller's promise.
        MatMut { inner: unsafe { Mat::entry(m, i, rows, cols) }, marker: PhantomData }
    }

    /// A matrix in a slice, without padding.
    pub(super) fn from_slice(data: &'a mut [T], rows: usize, cols: usize) -> Self {
        assert!(rows * cols <= data.len());
        let inner = Mat { ptr: data.as_mut_ptr(), rows, cols, ld: rows.max(1), marker: PhantomData };
        MatMut { inner, marker: PhantomData }
    }

    /// A shorter borrow.
    pub(super) fn rb(&mut self) -> MatMut<'_, T> {
        MatMut { inner: self.inner, marker: PhantomData }
    }

    pub(super) fn as_ref(&self) -> Mat<'_, T> {
        self.inner
    }

    pub(super) fn rows(&self) -> usize {
        self.inner.rows
    }

    pub(super) fn cols(&self) -> usize {
        self.inner.cols
    }

    pub(super) fn col(&mut self, j: usize) -> &mut [T] {
        assert!(j < self.inner.cols);
        if self.inner.rows == 0 {
            return &mut [];
        }
        // SAFETY: column `j` has `rows` contiguous elements, borrowed exclusively with `self`.
        unsafe { std::slice::from_raw_parts_mut(self.inner.ptr.add(j * self.inner.ld), self.inner.rows) }
    }

    /// The first `i` rows and the rest.
    pub(super) fn split_rows(self, i: usize) -> (Self, Self) {
        let (a, b) = self.inner.split_rows(i);
        (MatMut { inner: a, ..self }, MatMut { inner: b, ..self })
    }

    /// The first `j` columns and the rest.
    pub(super) fn split_cols(self, j: usize) -> (Self, Self) {
        let (a, b) = self.inner.split_cols(j);
        (MatMut { inner: a, ..self }, MatMut { inner: b, ..self })
    }

    pub(super) fn swap_cols(&mut self, i: usize, j: usize) {
        if i != j {
            let (mut left, mut right) = self.rb().split_cols(i.max(j));
            left.col(i.min(j)).swap_with_slice(right.col(0));
        }
    }

    /// Applies `f` to every element.
    pub(super) fn map(&mut self, f: impl Fn(T) -> T) {
        for j in 0..self.cols() {
            self.col(j).iter_mut().for_each(|v| *v = f(*v));
        }
    }

    /// Becomes the conjugate transpose of `a`.
    pub(super) fn copy_adjoint(&mut self, a: Mat<'_, T>) {
        for j in 0..self.cols() {
            for (i, v) in self.col(j).iter_mut().enumerate() {
                *v = a.col(i)[j].conj();
            }
        }
    }
}

/// C = alpha * op(A) * op(B) + beta * C
pub(super) fn gemm<T: Acc>(
    h: &CpuHandle,
    alpha: f64,
    (ta, a): (Trans, Mat<'_, T>),
    (tb, b): (Trans, Mat<'_, T>),
    beta: f64,
    c: MatMut<'_, T>,
) -> Result {
    let seen = |t: Trans, m: Mat<'_, T>| if t.is_transposed() { (m.cols, m.rows) } else { (m.rows, m.cols) };
    let ((m, k), (kb, n)) = (seen(ta, a), seen(tb, b));
    assert!(k == kb && (m, n) == (c.rows(), c.cols()));
    if m == 0 || n == 0 {
        return Ok(());
    }
    let d = GemmDesc {
        types: GemmTypes::plain(T::DTYPE),
        batch: 1,
        ta,
        tb,
        m,
        n,
        k,
        alpha: RawScalar::Host([alpha, 0.0]),
        a: a.operand(),
        b: b.operand(),
        beta: RawScalar::Host([beta, 0.0]),
        c: c.inner.operand(),
    };
    // SAFETY: the matrices are borrowed, C exclusively, and the shapes fit together.
    unsafe { h.gemm(&d) }
}

/// Solves op(A) * X = B (Left) or X * op(A) = B (Right) in place of B.
pub(super) fn trsm<T: Acc>(
    h: &CpuHandle,
    side: Side,
    (uplo, trans, diag): (Uplo, Trans, Diag),
    a: Mat<'_, T>,
    b: MatMut<'_, T>,
) -> Result {
    let order = if side == Side::Left { b.rows() } else { b.cols() };
    assert!((a.rows, a.cols) == (order, order));
    if b.rows() == 0 || b.cols() == 0 {
        return Ok(());
    }
    let d = TrsmDesc {
        dtype: T::DTYPE,
        batch: 1,
        side,
        uplo,
        trans,
        diag,
        m: b.rows(),
        n: b.cols(),
        alpha: RawScalar::ONE,
        a: a.operand(),
        b: b.inner.operand(),
    };
    // SAFETY: as for gemm.
    unsafe { h.trsm(&d) }
}

/// So many zeros, if there is memory for them.
pub(super) fn zeros<T: Acc>(len: usize) -> Result<Vec<T>> {
    let (mut zeros, bytes) = (Vec::new(), len.saturating_mul(size_of::<T>()));
    zeros.try_reserve_exact(len).map_err(|_| Error::OutOfMemory { device: DEVICE, bytes })?;
    zeros.resize(len, T::zero());
    Ok(zeros)
}

/// The upper triangle of `inv` becomes the inverse of the upper triangle of A.
pub(super) fn trtri_upper<T: Acc>(h: &CpuHandle, a: Mat<'_, T>, inv: MatMut<'_, T>) -> Result {
    assert!((a.rows, a.cols) == (inv.rows(), inv.rows()) && inv.rows() == inv.cols());
    if a.rows == 0 {
        return Ok(());
    }
    let d = TrtriDesc {
        dtype: T::DTYPE,
        batch: 1,
        uplo: Uplo::Upper,
        trans: Trans::N,
        diag: Diag::NonUnit,
        n: a.rows,
        a: a.operand(),
        inv: inv.inner.operand(),
    };
    // SAFETY: as for gemm.
    unsafe { h.trtri(&d) }
}
