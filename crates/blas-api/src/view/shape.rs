//! Shapes of views: what a [`Ref`](crate::Ref) or [`Mut`](crate::Mut) knows besides its pointer.

use std::fmt::Debug;

use crate::{Diag, Uplo};

/// The shape of a view. Sealed: the shapes are those of BLAS.
pub trait Shape: Copy + PartialEq + Debug + Send + Sync + 'static + sealed::Dims {}

pub(crate) mod sealed {
    pub trait Dims {
        /// Lengths and strides of the storage that the shape describes.
        fn dims(&self) -> [(usize, usize); 2];

        /// Whether the other shape is of the same sizes and strides, but for strides that carry no information: those of axes
        /// of length 1, and all where there are no elements.
        fn is_like(&self, other: &Self) -> bool;
    }
}

/// A run of `len` elements, from which other views are made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slice {
    pub(crate) len: usize,
}

/// One element: a coefficient or a result on the device.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Single;

/// A vector. The pointer is to the lowest address; a negative increment walks backwards from the far end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vector {
    pub(crate) len: usize,
    pub(crate) inc: isize,
}

/// A matrix: element (i, j) at `i * rs + j * cs`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mat {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) rs: usize,
    pub(crate) cs: usize,
    pub(crate) conj: bool,
}

/// A square matrix of which one triangle is stored and the other is zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tri {
    pub(crate) mat: Mat,
    /// Of the matrix as it is seen, transposition included.
    pub(crate) uplo: Uplo,
    pub(crate) diag: Diag,
}

/// A square matrix equal to its transpose, of which one triangle is stored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sym {
    pub(crate) mat: Mat,
    pub(crate) uplo: Uplo,
}

/// A square matrix equal to its conjugate transpose, of which one triangle is stored. The imaginary part of its
/// diagonal is not read, and written as 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Herm {
    pub(crate) mat: Mat,
    pub(crate) uplo: Uplo,
}

/// A band matrix with `kl` diagonals below and `ku` above the main one, in BLAS band storage: of the column-major
/// storage of the matrix, or (`trans`) of its transpose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Band {
    /// Sizes and diagonals as stored.
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) kl: usize,
    pub(crate) ku: usize,
    pub(crate) ld: usize,
    pub(crate) trans: bool,
    pub(crate) conj: bool,
}

/// A triangular matrix with `k` off-diagonals, in band storage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TriBand {
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) ld: usize,
    /// As stored column-major, before `trans`.
    pub(crate) uplo: Uplo,
    pub(crate) diag: Diag,
    pub(crate) trans: bool,
    pub(crate) conj: bool,
}

/// A symmetric matrix with `k` diagonals on each side, one of which is stored, in band storage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SymBand {
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) ld: usize,
    /// As stored column-major.
    pub(crate) uplo: Uplo,
    pub(crate) conj: bool,
}

/// A Hermitian matrix with `k` diagonals on each side, one of which is stored, in band storage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HermBand {
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) ld: usize,
    /// As stored column-major.
    pub(crate) uplo: Uplo,
    /// The column-major matrix is the conjugate (equally: the transpose) of this one.
    pub(crate) conj: bool,
}

/// A triangular matrix packed without gaps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TriPacked {
    pub(crate) n: usize,
    /// As packed by columns, before `trans`.
    pub(crate) uplo: Uplo,
    pub(crate) diag: Diag,
    pub(crate) trans: bool,
    pub(crate) conj: bool,
}

/// A symmetric matrix, one triangle packed without gaps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SymPacked {
    pub(crate) n: usize,
    /// As packed by columns.
    pub(crate) uplo: Uplo,
    pub(crate) conj: bool,
}

/// A Hermitian matrix, one triangle packed without gaps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HermPacked {
    pub(crate) n: usize,
    /// As packed by columns.
    pub(crate) uplo: Uplo,
    /// The column-packed matrix is the conjugate (equally: the transpose) of this one.
    pub(crate) conj: bool,
}

/// Elements of a packed triangle; checked when the view is made.
pub(crate) fn packed_len(n: usize) -> Option<usize> {
    // n (n + 1) / 2 with the even factor halved first.
    if n.is_multiple_of(2) { (n / 2).checked_mul(n.checked_add(1)?) } else { n.checked_mul(n / 2 + 1) }
}

/// The stride of an axis, if it carries information.
fn known<S: Default>(len: usize, stride: S) -> S {
    if len > 1 { stride } else { S::default() }
}

/// For each shape its lengths and strides, and the same shape without strides that carry no information.
macro_rules! dims { ($($s:ident |$v:ident| $dims:expr, $known:expr;)*) => {$(
    impl Shape for $s {}
    impl sealed::Dims for $s {
        fn dims(&self) -> [(usize, usize); 2] {
            let dims = |$v: &$s| $dims;
            dims(self)
        }
        fn is_like(&self, other: &Self) -> bool {
            let known = |$v: &$s| $known;
            known(self) == known(other)
        }
    }
)*}}
dims! {
    Slice |s| [(s.len, 1), (1, 1)], *s;
    Single |_s| [(1, 1), (1, 1)], Single;
    Vector |s| [(s.len, s.inc.unsigned_abs()), (1, 1)], Vector { inc: known(s.len, s.inc), ..*s };
    Mat |s| [(s.rows, s.rs), (s.cols, s.cs)], s.known();
    Tri |s| s.mat.dims(), Tri { mat: s.mat.known(), ..*s };
    Sym |s| s.mat.dims(), Sym { mat: s.mat.known(), ..*s };
    Herm |s| s.mat.dims(), Herm { mat: s.mat.known(), ..*s };
    Band |s| [(if s.rows == 0 { 0 } else { s.kl + s.ku + 1 }, 1), (s.cols, s.ld)],
        Band { ld: known(s.cols, s.ld), ..*s };
    TriBand |s| [(s.k + 1, 1), (s.n, s.ld)], TriBand { ld: known(s.n, s.ld), ..*s };
    SymBand |s| [(s.k + 1, 1), (s.n, s.ld)], SymBand { ld: known(s.n, s.ld), ..*s };
    HermBand |s| [(s.k + 1, 1), (s.n, s.ld)], HermBand { ld: known(s.n, s.ld), ..*s };
    TriPacked |s| [(packed_len(s.n).unwrap_or(usize::MAX), 1), (1, 1)], *s;
    SymPacked |s| [(packed_len(s.n).unwrap_or(usize::MAX), 1), (1, 1)], *s;
    HermPacked |s| [(packed_len(s.n).unwrap_or(usize::MAX), 1), (1, 1)], *s;
}

impl Mat {
    /// Rows and columns exchanged.
    #[inline(always)]
    pub(crate) fn t(self) -> Self {
        Mat { rows: self.cols, cols: self.rows, rs: self.cs, cs: self.rs, ..self }
    }

    #[inline(always)]
    pub(crate) fn conj(self) -> Self {
        Mat { conj: !self.conj, ..self }
    }

    /// Without the strides that carry no information.
    fn known(self) -> Self {
        let is_empty = self.rows == 0 || self.cols == 0;
        let stride = |len, stride| if is_empty { 0 } else { known(len, stride) };
        Mat { rs: stride(self.rows, self.rs), cs: stride(self.cols, self.cs), ..self }
    }

    /// Column-major leading dimension, or None. An axis of length 1 has no stride of its own, nor has either of a
    /// matrix without elements.
    #[inline(always)]
    pub(crate) fn col_ld(&self) -> Option<usize> {
        let Mat { rows, cols, rs, cs, .. } = *self;
        if rows > 1 && cols > 1 {
            return (rs == 1 && cs >= rows).then_some(cs);
        }
        thin_ld(rows, cols, rs, cs)
    }

    /// Row-major leading dimension, or None.
    #[inline(always)]
    pub(crate) fn row_ld(&self) -> Option<usize> {
        self.t().col_ld()
    }
}

/// [`Mat::col_ld`] of a matrix with at most one row or one column.
#[cold]
fn thin_ld(rows: usize, cols: usize, rs: usize, cs: usize) -> Option<usize> {
    if rows == 0 || cols == 0 {
        return Some(rows.max(1));
    }
    if cols == 1 {
        return (rows == 1 || rs == 1).then_some(rows);
    }
    (cs >= 1).then_some(cs)
}
