//! The flags of BLAS. In the safe front they live in the views; backends find them in the descriptors.

/// Order in which the elements of a matrix are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// Column-major: element (i, j) at `i + j * ld`.
    Col,
    /// Row-major: element (i, j) at `i * ld + j`.
    Row,
}

/// op(A) of a stored matrix A.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trans {
    /// A
    N,
    /// Aᵀ
    T,
    /// Aᴴ
    C,
    /// conj(A): conjugated, not transposed. Arises from mixed layouts; few vendor libraries have it.
    ConjN,
}

impl Trans {
    /// From its two halves.
    pub const fn new(transposed: bool, conjugated: bool) -> Self {
        match (transposed, conjugated) {
            (false, false) => Trans::N,
            (true, false) => Trans::T,
            (true, true) => Trans::C,
            (false, true) => Trans::ConjN,
        }
    }

    /// Whether rows and columns are exchanged.
    pub const fn is_transposed(self) -> bool {
        matches!(self, Trans::T | Trans::C)
    }

    /// Whether elements are conjugated.
    pub const fn is_conjugated(self) -> bool {
        matches!(self, Trans::C | Trans::ConjN)
    }
}

/// The triangle that is stored (and read, and written).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Uplo {
    /// Elements with row >= column.
    Lower,
    /// Elements with row <= column.
    Upper,
}

impl Uplo {
    /// The other triangle: that of the transposed matrix.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Uplo::Lower => Uplo::Upper,
            Uplo::Upper => Uplo::Lower,
        }
    }
}

/// Whether the diagonal of a triangular matrix is stored or taken as ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Diag {
    /// The diagonal is read.
    NonUnit,
    /// The diagonal is one and never read.
    Unit,
}

/// The side of a product on which the structured operand stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// A * B
    Left,
    /// B * A
    Right,
}

impl Side {
    /// The other side: that of the transposed product.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// Type that a GEMM multiplies and accumulates in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Compute {
    /// f32 (complex parts too); inputs narrower than f32 are widened exactly.
    F32,
    /// f64 (complex parts too).
    F64,
    /// i32, wrapping.
    I32,
}

impl Compute {
    /// Short lower-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Compute::F32 => "f32",
            Compute::F64 => "f64",
            Compute::I32 => "i32",
        }
    }
}
