//! Methods of triangular, symmetric and Hermitian views.

use super::shape::{Herm, Mat, Sym, Tri};
use super::{HermRef, SymRef, TriRef};
use crate::{Element, Uplo};

impl Tri {
    pub(crate) fn t(self) -> Self {
        Tri { mat: self.mat.t(), uplo: self.uplo.flip(), ..self }
    }

    pub(crate) fn conj(self) -> Self {
        Tri { mat: self.mat.conj(), ..self }
    }
}

impl Sym {
    /// The matrix is its own transpose: only the way it is stored changes.
    pub(crate) fn t(self) -> Self {
        Sym { mat: self.mat.t(), uplo: self.uplo.flip() }
    }

    pub(crate) fn conj(self) -> Self {
        Sym { mat: self.mat.conj(), ..self }
    }
}

impl Herm {
    pub(crate) fn t(self) -> Self {
        Herm { mat: self.mat.t(), uplo: self.uplo.flip() }
    }

    pub(crate) fn conj(self) -> Self {
        Herm { mat: self.mat.conj(), ..self }
    }

    /// Column-major storage of a Hermitian matrix: leading dimension, triangle, and whether its conjugate is meant.
    pub(crate) fn as_col(self) -> Option<(usize, Uplo, bool)> {
        square(self.mat, self.uplo).map(|(ld, uplo, transposed)| (ld, uplo, self.mat.conj != transposed))
    }
}

impl Sym {
    /// Column-major storage of a symmetric matrix: leading dimension, triangle, and whether its conjugate is meant.
    pub(crate) fn as_col(self) -> Option<(usize, Uplo, bool)> {
        square(self.mat, self.uplo).map(|(ld, uplo, _)| (ld, uplo, self.mat.conj))
    }
}

/// Leading dimension and stored triangle in column-major terms, and whether that means transposing.
fn square(mat: Mat, uplo: Uplo) -> Option<(usize, Uplo, bool)> {
    match (mat.col_ld(), mat.row_ld()) {
        (Some(ld), _) => Some((ld, uplo, false)),
        (None, Some(ld)) => Some((ld, uplo.flip(), true)),
        (None, None) => None,
    }
}

macro_rules! structured {
    ($r:ident) => {
        impl<T: Element, B> $r<'_, T, B> {
            /// Number of rows and columns.
            pub fn order(&self) -> usize {
                self.shape.mat.rows
            }

            /// The transpose; the triangle flips with the matrix.
            #[must_use]
            pub fn t(self) -> Self {
                let shape = self.shape.t();
                self.reshape(shape)
            }

            /// The conjugate.
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
    };
}
structured!(TriRef);
structured!(SymRef);
structured!(HermRef);
