//! Methods of band views.

use super::shape::{Band, HermBand, SymBand, TriBand};
use super::{BandRef, HermBandRef, SymBandRef, TriBandRef};
use crate::{Element, Trans, Uplo};

impl Band {
    pub(crate) fn t(self) -> Self {
        Band { trans: !self.trans, ..self }
    }

    pub(crate) fn conj(self) -> Self {
        Band { conj: !self.conj, ..self }
    }

    /// The op that makes the matrix seen from the one stored.
    pub(crate) fn op(&self) -> Trans {
        Trans::new(self.trans, self.conj)
    }

    pub(crate) fn rows_seen(&self) -> usize {
        if self.trans { self.cols } else { self.rows }
    }

    pub(crate) fn cols_seen(&self) -> usize {
        if self.trans { self.rows } else { self.cols }
    }
}

impl TriBand {
    pub(crate) fn t(self) -> Self {
        TriBand { trans: !self.trans, ..self }
    }

    pub(crate) fn conj(self) -> Self {
        TriBand { conj: !self.conj, ..self }
    }

    /// The op that makes the matrix seen from the one stored.
    pub(crate) fn op(&self) -> Trans {
        Trans::new(self.trans, self.conj)
    }
}

impl<T: Element, B> BandRef<'_, T, B> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.shape.rows_seen()
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.shape.cols_seen()
    }

    /// The transpose.
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

impl<T: Element, B> TriBandRef<'_, T, B> {
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
conjugable!(SymBandRef, SymBand);
conjugable!(HermBandRef, HermBand);
