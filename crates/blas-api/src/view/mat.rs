//! Methods of matrix views.

use super::shape::{Herm, Mat, Sym, Tri, Vector};
use super::{HermMut, HermRef, MatMut, MatRef, SymMut, SymRef, TriMut, TriRef, VecMut, VecRef};
use crate::{Diag, Element, Error, HostMemory, Layout, Result, SliceMut, SliceRef, Uplo};

/// That `len` rows, columns or elements from `start` on are among so many.
pub(super) fn within(
    routine: &'static str,
    what: &'static str,
    [start, len]: [usize; 2],
    have: usize,
) -> Result {
    match start.checked_add(len) {
        Some(end) if end <= have => Ok(()),
        end => Err(Error::OutOfRange { routine, what, start, end: end.unwrap_or(usize::MAX), have }),
    }
}

macro_rules! mat {
    ($m:ident, $v:ident, $tri:ident, $sym:ident, $herm:ident) => {
        impl<'a, T: Element, B> $m<'a, T, B> {
            /// Number of rows.
            pub fn rows(&self) -> usize {
                self.shape.rows
            }

            /// Number of columns.
            pub fn cols(&self) -> usize {
                self.shape.cols
            }

            /// The transpose. For an output: the same matrix written transposed, that is, in the other layout.
            #[must_use]
            pub fn t(self) -> Self {
                let shape = self.shape.t();
                self.reshape(shape)
            }

            /// Rows `row .. row + rows` and columns `col .. col + cols`.
            pub fn submatrix(self, row: usize, col: usize, rows: usize, cols: usize) -> Result<Self> {
                within("submatrix", "rows", [row, rows], self.rows())?;
                within("submatrix", "columns", [col, cols], self.cols())?;
                let shape = Mat { rows, cols, ..self.shape };
                if rows == 0 || cols == 0 {
                    return Ok(self.reshape(shape));
                }
                let offset = row * shape.rs + col * shape.cs;
                Ok(Self::new(self.ptr.wrapping_add(offset), self.place.advance(offset), shape))
            }

            /// Row `i` as a vector.
            pub fn row(self, i: usize) -> Result<$v<'a, T, B>> {
                within("row", "rows", [i, 1], self.rows())?;
                let cols = self.cols();
                let m = self.submatrix(i, 0, 1, cols)?;
                // A single element has no stride of its own, and then it may be any number.
                let inc = if cols <= 1 { 1 } else { m.shape.cs as isize };
                let shape = Vector { len: cols, inc };
                Ok(m.reshape(shape))
            }

            /// Column `j` as a vector.
            pub fn col(self, j: usize) -> Result<$v<'a, T, B>> {
                within("col", "columns", [j, 1], self.cols())?;
                self.t().row(j)
            }

            /// The triangle `uplo` of a square matrix as a triangular one.
            pub fn tri(self, uplo: Uplo, diag: Diag) -> $tri<'a, T, B> {
                let shape = Tri { mat: self.shape, uplo, diag };
                self.reshape(shape)
            }

            /// The lower triangle as a triangular matrix.
            pub fn lower(self, diag: Diag) -> $tri<'a, T, B> {
                self.tri(Uplo::Lower, diag)
            }

            /// The upper triangle as a triangular matrix.
            pub fn upper(self, diag: Diag) -> $tri<'a, T, B> {
                self.tri(Uplo::Upper, diag)
            }

            /// The triangle `uplo` of a square matrix as a symmetric one.
            pub fn sym(self, uplo: Uplo) -> $sym<'a, T, B> {
                let shape = Sym { mat: self.shape, uplo };
                self.reshape(shape)
            }

            /// The triangle `uplo` of a square matrix as a Hermitian one.
            pub fn herm(self, uplo: Uplo) -> $herm<'a, T, B> {
                let shape = Herm { mat: self.shape, uplo };
                self.reshape(shape)
            }
        }
    };
}
mat!(MatRef, VecRef, TriRef, SymRef, HermRef);
mat!(MatMut, VecMut, TriMut, SymMut, HermMut);

impl<'a, T: Element, B> MatRef<'a, T, B> {
    /// The conjugate; nothing changes for real types.
    #[must_use]
    pub fn conj(self) -> Self {
        let shape = self.shape.conj();
        self.reshape(shape)
    }

    /// The conjugate transpose.
    #[must_use]
    pub fn h(self) -> Self {
        self.t().conj()
    }
}

impl<'a, T: Element, B> MatMut<'a, T, B> {
    /// The first `i` rows and the rest. The parts cannot be batched: their storage interleaves.
    pub fn split_rows(self, i: usize) -> Result<(Self, Self)> {
        let Mat { rows, cols, rs, .. } = self.shape;
        within("split_rows", "rows", [0, i], rows)?;
        let offset = if i == rows || cols == 0 { 0 } else { i * rs };
        let top = Mat { rows: i, ..self.shape };
        let bottom = Mat { rows: rows - i, ..self.shape };
        let place = self.place.closed();
        Ok((Self::new(self.ptr, place, top), Self::new(self.ptr.wrapping_add(offset), place, bottom)))
    }

    /// The first `j` columns and the rest. The parts cannot be batched: their storage may interleave.
    pub fn split_cols(self, j: usize) -> Result<(Self, Self)> {
        within("split_cols", "columns", [0, j], self.cols())?;
        let (left, right) = self.t().split_rows(j)?;
        Ok((left.t(), right.t()))
    }
}

impl<'a, T: Element, B: HostMemory> MatRef<'a, T, B> {
    /// The first `rows * cols` elements of a slice, without padding.
    ///
    /// ```
    /// # use blas_api::{Layout, MatRef};
    /// # use blas_cpu::Cpu;
    /// let a = MatRef::<f32, Cpu>::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3, Layout::Row)?;
    /// assert_eq!((a.rows(), a.t().rows()), (2, 3));
    /// # Ok::<(), blas_api::Error>(())
    /// ```
    pub fn from_slice(data: &'a [T], rows: usize, cols: usize, layout: Layout) -> Result<Self> {
        SliceRef::from(data).mat(rows, cols, layout)
    }
}

impl<'a, T: Element, B: HostMemory> MatMut<'a, T, B> {
    /// The first `rows * cols` elements of a slice, without padding.
    pub fn from_slice(data: &'a mut [T], rows: usize, cols: usize, layout: Layout) -> Result<Self> {
        SliceMut::from(data).mat(rows, cols, layout)
    }
}
