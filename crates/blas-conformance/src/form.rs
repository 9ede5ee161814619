//! Forms: what an operand is, as the routine sees it, and where its elements are stored.

use blas_api::{Diag, Layout, Trans, Uplo};

/// A size, with the name under which operands share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    pub(crate) name: &'static str,
    /// The size.
    pub n: usize,
    pub(crate) tie: Tie,
}

/// Whether another size is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tie {
    /// If another operand has a dimension of this name.
    ByName,
    /// Always.
    Bound,
    /// Never.
    Free,
}

impl Dim {
    /// A size that follows from others (`"max(m, n)"`): any other value is an error.
    pub fn bound(name: &'static str, n: usize) -> Self {
        Dim { name, n, tie: Tie::Bound }
    }

    /// A size that the bad-argument check leaves alone.
    pub fn free(name: &'static str, n: usize) -> Self {
        Dim { name, n, tie: Tie::Free }
    }
}

/// Kind of operand: one for each shape of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A vector.
    Vector,
    /// A full matrix.
    Mat,
    /// A triangular matrix.
    Tri,
    /// A symmetric matrix.
    Sym,
    /// A Hermitian matrix.
    Herm,
    /// A band matrix.
    Band,
    /// A triangular band matrix.
    TriBand,
    /// A symmetric band matrix.
    SymBand,
    /// A Hermitian band matrix.
    HermBand,
    /// A packed triangular matrix.
    TriPacked,
    /// A packed symmetric matrix.
    SymPacked,
    /// A packed Hermitian matrix.
    HermPacked,
}

impl Kind {
    pub(crate) fn is_symmetric(self) -> bool {
        matches!(self, Kind::Sym | Kind::SymBand | Kind::SymPacked)
    }

    pub(crate) fn is_hermitian(self) -> bool {
        matches!(self, Kind::Herm | Kind::HermBand | Kind::HermPacked)
    }

    pub(crate) fn is_triangular(self) -> bool {
        matches!(self, Kind::Tri | Kind::TriBand | Kind::TriPacked)
    }

    pub(crate) fn is_packed(self) -> bool {
        matches!(self, Kind::TriPacked | Kind::SymPacked | Kind::HermPacked)
    }

    pub(crate) fn is_band(self) -> bool {
        matches!(self, Kind::Band | Kind::TriBand | Kind::SymBand | Kind::HermBand)
    }

    /// Stored in full, with two strides.
    pub(crate) fn is_full(self) -> bool {
        matches!(self, Kind::Mat | Kind::Tri | Kind::Sym | Kind::Herm)
    }
}

/// What an operand is, as the routine sees it: after transposition, so that `uplo` is that of the matrix seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Kind of operand.
    pub kind: Kind,
    /// Rows; the length of a vector.
    pub rows: Dim,
    /// Columns; 1 for a vector.
    pub cols: Dim,
    /// Diagonals below the main one (band kinds).
    pub kl: usize,
    /// Diagonals above the main one (band kinds).
    pub ku: usize,
    /// The triangle.
    pub uplo: Uplo,
    /// The diagonal of triangular kinds.
    pub diag: Diag,
    /// Whether the routine takes the vector with increment 1 only.
    pub contiguous: bool,
}

impl Form {
    fn new(kind: Kind, rows: Dim, cols: Dim) -> Self {
        Form { kind, rows, cols, kl: 0, ku: 0, uplo: Uplo::Lower, diag: Diag::NonUnit, contiguous: false }
    }

    /// A vector of `n` elements.
    pub fn vector(n: Dim) -> Self {
        Form::new(Kind::Vector, n, Dim::free("1", 1))
    }

    /// A vector that has to have increment 1: pivots, parameters of rotations.
    pub fn contiguous(n: Dim) -> Self {
        Form { contiguous: true, ..Form::vector(n) }
    }

    /// A full matrix.
    pub fn mat(rows: Dim, cols: Dim) -> Self {
        Form::new(Kind::Mat, rows, cols)
    }

    /// A triangular matrix of order `n`.
    pub fn tri(n: Dim, uplo: Uplo, diag: Diag) -> Self {
        Form { uplo, diag, ..Form::new(Kind::Tri, n, n) }
    }

    /// A symmetric matrix of order `n`.
    pub fn sym(n: Dim, uplo: Uplo) -> Self {
        Form { uplo, ..Form::new(Kind::Sym, n, n) }
    }

    /// A Hermitian matrix of order `n`.
    pub fn herm(n: Dim, uplo: Uplo) -> Self {
        Form { uplo, ..Form::new(Kind::Herm, n, n) }
    }

    /// A band matrix with `kl` diagonals below and `ku` above the main one.
    pub fn band(rows: Dim, cols: Dim, kl: usize, ku: usize) -> Self {
        Form { kl, ku, ..Form::new(Kind::Band, rows, cols) }
    }

    fn half_band(kind: Kind, n: Dim, k: usize, uplo: Uplo) -> Self {
        let (kl, ku) = if uplo == Uplo::Lower { (k, 0) } else { (0, k) };
        Form { kl, ku, uplo, ..Form::new(kind, n, n) }
    }

    /// A triangular band matrix with `k` off-diagonals.
    pub fn tri_band(n: Dim, k: usize, uplo: Uplo, diag: Diag) -> Self {
        Form { diag, ..Form::half_band(Kind::TriBand, n, k, uplo) }
    }

    /// A symmetric band matrix with `k` off-diagonals on each side.
    pub fn sym_band(n: Dim, k: usize, uplo: Uplo) -> Self {
        Form::half_band(Kind::SymBand, n, k, uplo)
    }

    /// A Hermitian band matrix with `k` off-diagonals on each side.
    pub fn herm_band(n: Dim, k: usize, uplo: Uplo) -> Self {
        Form::half_band(Kind::HermBand, n, k, uplo)
    }

    /// A packed triangular matrix.
    pub fn tri_packed(n: Dim, uplo: Uplo, diag: Diag) -> Self {
        Form { uplo, diag, ..Form::new(Kind::TriPacked, n, n) }
    }

    /// A packed symmetric matrix.
    pub fn sym_packed(n: Dim, uplo: Uplo) -> Self {
        Form { uplo, ..Form::new(Kind::SymPacked, n, n) }
    }

    /// A packed Hermitian matrix.
    pub fn herm_packed(n: Dim, uplo: Uplo) -> Self {
        Form { uplo, ..Form::new(Kind::HermPacked, n, n) }
    }

    /// The transpose: how the matrix is stored where it is seen transposed.
    pub(crate) fn t(self) -> Self {
        Form { rows: self.cols, cols: self.rows, kl: self.ku, ku: self.kl, uplo: self.uplo.flip(), ..self }
    }

    /// The number of off-diagonals of the half-band kinds.
    pub(crate) fn k(&self) -> usize {
        self.kl.max(self.ku)
    }

    /// Whether element (i, j) is in the stored part and carries information: not in the other triangle, off the
    /// band, or on a unit diagonal.
    pub fn stores(&self, i: usize, j: usize) -> bool {
        let (Kind::Vector | Kind::Mat | Kind::Band) = self.kind else {
            let inside = if self.uplo == Uplo::Lower { i >= j } else { i <= j };
            let unit = self.kind.is_triangular() && self.diag == Diag::Unit && i == j;
            return inside && !unit && (!self.kind.is_band() || i.abs_diff(j) <= self.k());
        };
        self.kind != Kind::Band || (j <= i + self.ku && i <= j + self.kl)
    }

    /// Whether element (i, j) is not an implied zero: in the triangle of triangular kinds, and in the band.
    pub(crate) fn has(&self, i: usize, j: usize) -> bool {
        match self.kind {
            Kind::Vector | Kind::Mat | Kind::Band => self.stores(i, j),
            Kind::Tri | Kind::TriBand | Kind::TriPacked => i == j || self.stores(i, j),
            _ => !self.kind.is_band() || i.abs_diff(j) <= self.k(),
        }
    }

    /// All stored elements, by rows.
    pub(crate) fn elements(self) -> impl Iterator<Item = (usize, usize)> {
        let (rows, cols) = (self.rows.n, self.cols.n);
        (0..rows).flat_map(move |i| (0..cols).map(move |j| (i, j))).filter(move |&(i, j)| self.stores(i, j))
    }
}

/// Where the elements of a stored form are, from the start of its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strides {
    pub(crate) layout: Layout,
    /// Leading dimension (full and band kinds).
    pub(crate) ld: usize,
    /// Increment (vectors).
    pub(crate) inc: isize,
    /// Strides given one by one in place of layout and ld (full kinds).
    pub(crate) both: Option<(usize, usize)>,
}

impl Strides {
    /// Smallest leading dimension of a stored form.
    pub(crate) fn min_ld(form: &Form, layout: Layout) -> usize {
        match (form.kind.is_band(), layout) {
            (true, _) => form.kl + form.ku + 1,
            (false, Layout::Col) => form.rows.n.max(1),
            (false, Layout::Row) => form.cols.n.max(1),
        }
    }

    /// Row and column stride of a full kind.
    pub(crate) fn row_col(&self) -> (usize, usize) {
        self.both.unwrap_or(match self.layout {
            Layout::Col => (1, self.ld),
            Layout::Row => (self.ld, 1),
        })
    }

    /// Offset of the stored element (i, j).
    pub(crate) fn offset(&self, form: &Form, i: usize, j: usize) -> usize {
        if form.kind == Kind::Vector {
            let i = if self.inc < 0 { form.rows.n - 1 - i } else { i };
            return i * self.inc.unsigned_abs();
        }
        if form.kind.is_full() {
            let (rs, cs) = self.row_col();
            return i * rs + j * cs;
        }
        if form.kind.is_band() {
            return match self.layout {
                Layout::Col => form.ku + i - j + j * self.ld,
                Layout::Row => form.kl + j - i + i * self.ld,
            };
        }
        // Packed: a lower triangle by rows is an upper one by columns.
        let n = form.rows.n;
        let (upper, i, j) = match self.layout {
            Layout::Col => (form.uplo == Uplo::Upper, i, j),
            Layout::Row => (form.uplo == Uplo::Lower, j, i),
        };
        if upper { j * (j + 1) / 2 + i } else { j * (2 * n - j + 1) / 2 + i - j }
    }

    /// Elements from the first to the last that a view of the form covers; 0 if it is empty.
    pub(crate) fn span(&self, form: &Form) -> usize {
        let (rows, cols) = (form.rows.n, form.cols.n);
        if rows == 0 || cols == 0 {
            return 0;
        }
        if form.kind == Kind::Vector {
            return (rows - 1) * self.inc.unsigned_abs() + 1;
        }
        if form.kind.is_packed() {
            return rows * (rows + 1) / 2;
        }
        if form.kind.is_band() {
            let lines = if self.layout == Layout::Col { cols } else { rows };
            return (lines - 1) * self.ld + form.kl + form.ku + 1;
        }
        let (rs, cs) = self.row_col();
        (rows - 1) * rs + (cols - 1) * cs + 1
    }
}

/// Whether views of the kind can be transposed and conjugated, and which of these apply.
pub(crate) fn ops(kind: Kind, written: bool) -> &'static [Trans] {
    match (kind, written) {
        (Kind::Vector, _) => &[Trans::N],
        (Kind::Mat, true) => &[Trans::N, Trans::T],
        (_, true) => &[Trans::N],
        (Kind::SymBand | Kind::HermBand | Kind::SymPacked | Kind::HermPacked, _) => &[Trans::N, Trans::ConjN],
        _ => &[Trans::N, Trans::T, Trans::C, Trans::ConjN],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every stored element has its own place, inside the span.
    #[test]
    fn stored_elements_have_distinct_places() {
        let n = Dim::free("n", 5);
        let m = Dim::free("m", 3);
        for uplo in [Uplo::Lower, Uplo::Upper] {
            for layout in [Layout::Col, Layout::Row] {
                for form in [
                    Form::mat(n, m),
                    Form::tri(n, uplo, Diag::Unit),
                    Form::herm(n, uplo),
                    Form::band(n, m, 2, 1),
                    Form::tri_band(n, 3, uplo, Diag::NonUnit),
                    Form::sym_band(n, 2, uplo),
                    Form::sym_packed(n, uplo),
                ] {
                    let ld = Strides::min_ld(&form, layout);
                    let s = Strides { layout, ld, inc: 1, both: None };
                    let mut at: Vec<_> = form.elements().map(|(i, j)| s.offset(&form, i, j)).collect();
                    let count = at.len();
                    at.sort_unstable();
                    at.dedup();
                    assert_eq!(at.len(), count, "{form:?} {layout:?}");
                    assert!(at.iter().all(|&o| o < s.span(&form)), "{form:?} {layout:?}");
                    if form.kind.is_packed() {
                        assert_eq!(count, s.span(&form));
                    }
                }
            }
        }
    }
}
