//! Methods of packed views.

use super::shape::{HermPacked, SymPacked, TriPacked};
use super::{HermPackedRef, SymPackedRef, TriPackedRef};
use crate::{Element, Trans, Uplo};

impl TriPacked {
    /// The op that makes the matrix seen from the one stored.
    pub(crate) fn op(&self) -> Trans {
        Trans::new(self.trans, self.conj)
    }
}

impl<T: Element, B> TriPackedRef<'_, T, B> {
    /// Number of rows and columns.
    pub fn order(&self) -> usize {
        self.shape.n
    }

    /// The triangle of the matrix as it is seen, transposition included.
    pub fn uplo(&self) -> Uplo {
        if self.shape.trans { self.shape.uplo.flip() } else { self.shape.uplo }
    }

    /// The transpose; the triangle flips with the matrix.
    #[must_use]
    pub fn t(self) -> Self {
        let shape = TriPacked { trans: !self.shape.trans, ..self.shape };
        self.reshape(shape)
    }

    /// The conjugate.
    #[must_use]
    pub fn conj(self) -> Self {
        let shape = TriPacked { conj: !self.shape.conj, ..self.shape };
        self.reshape(shape)
    }

    /// The conjugate transpose.
    #[must_use]
    pub fn h(self) -> Self {
        self.t().conj()
    }
}

macro_rules! conjugable {
    ($r:ident, $s:ident) => {
        impl<T: Element, B> $r<'_, T, B> {
            /// Number of rows and columns.
            pub fn order(&self) -> usize {
                self.shape.n
            }

            /// The conjugate (of a Hermitian matrix: the transpose).
            #[must_use]
            pub fn conj(self) -> Self {
                let shape = $s { conj: !self.shape.conj, ..self.shape };
                self.reshape(shape)
            }
        }
    };
}
conjugable!(SymPackedRef, SymPacked);
conjugable!(HermPackedRef, HermPacked);
