//! What the lowering of every routine shares: the checks that need the handle, and normalisation of storage.

use crate::coef::{CoefOperand, OutOperand};
use crate::view::Operand;
use crate::{
    Backend, DType, DeviceId, Error, Handle, Matrix, RawOut, RawScalar, Routine, Scalar, Trans, Uplo, Vector,
    shape,
};

/// What a check answers.
pub(crate) type Checked<T = ()> = std::result::Result<T, Refused>;

/// Why a call is refused. In a box, which shares no memory with what has been checked: descriptors are then written once, each
/// field as a whole, where the call reads them.
pub(crate) struct Refused(Box<Error>);

impl From<Error> for Refused {
    #[cold]
    fn from(why: Error) -> Self {
        Refused(Box::new(why))
    }
}

// The way back is no `From`: a second one would leave `?` undecided in closures of users.
impl Refused {
    /// The error to answer with.
    #[cold]
    pub(crate) fn why(self) -> Error {
        *self.0
    }
}

/// The call being lowered.
#[derive(Clone, Copy)]
pub(crate) struct Lowering {
    pub(crate) routine: Routine,
    pub(crate) dtype: DType,
    pub(crate) dev: DeviceId,
}

impl<B: Backend> Handle<B> {
    #[inline(always)]
    pub(crate) fn lowering<T: Scalar>(&self, routine: Routine) -> Lowering {
        Lowering { routine, dtype: T::DTYPE, dev: self.device() }
    }
}

impl Lowering {
    #[inline(always)]
    pub(crate) fn name(&self) -> &'static str {
        self.routine.name()
    }

    /// Two dimensions that must agree.
    #[inline(always)]
    pub(crate) fn same(&self, what: &'static str, value: usize, expected: usize) -> Checked {
        if value == expected { Ok(()) } else { Err(shape(self.routine, what, value, expected)) }
    }

    #[inline(always)]
    fn on_device(&self, operand: &'static str, found: DeviceId) -> Checked {
        let DeviceId { backend, index } = self.dev;
        if found == self.dev {
            return Ok(());
        }
        Err(wrong_device(self.routine, operand, backend, index, found.backend, found.index))
    }

    /// Device and batch count of an operand; all counts of a call are equal.
    #[inline(always)]
    pub(crate) fn operand<S>(&self, operand: &'static str, o: &Operand<S>, batch: usize) -> Checked {
        self.on_device(operand, o.dev)?;
        if o.batch != batch {
            return Err(batch_count(self.routine, operand, o.batch, batch));
        }
        Ok(())
    }

    /// A coefficient, on the host or on the handle's device.
    #[inline(always)]
    pub(crate) fn coef(&self, operand: &'static str, c: CoefOperand) -> Checked<RawScalar> {
        if let Some(dev) = c.dev {
            self.on_device(operand, dev)?;
        }
        Ok(c.value)
    }

    /// A place for one result a batch entry.
    #[inline(always)]
    pub(crate) fn out(&self, operand: &'static str, o: OutOperand, need: usize) -> Checked<RawOut> {
        if let Some(dev) = o.dev {
            self.on_device(operand, dev)?;
        }
        self.contiguous(operand, o.inc)?;
        if o.len != need {
            return Err(batch_count(self.routine, operand, o.len, need));
        }
        Ok(o.out)
    }

    /// Scalars that are overwritten together are all on the host or all on the device.
    pub(crate) fn same_place(
        &self,
        first: &'static str,
        a: &OutOperand,
        others: &[(&'static str, &OutOperand)],
    ) -> Checked {
        match others.iter().find(|(_, o)| o.dev.is_some() != a.dev.is_some()) {
            None => Ok(()),
            Some((operand, _)) => {
                Err(Error::MixedPlace { routine: self.name(), operand, other: first }.into())
            }
        }
    }

    /// Two vectors of Level 1: their length and batch count.
    #[inline(always)]
    pub(crate) fn pair(
        &self,
        x: &Operand<shape::Vector>,
        y: &Operand<shape::Vector>,
    ) -> Checked<(usize, usize)> {
        self.operand("x", x, y.batch)?;
        self.operand("y", y, y.batch)?;
        self.same("length of y", y.shape.len, x.shape.len)?;
        Ok((x.shape.len, y.batch))
    }

    /// A square matrix of a given order.
    #[inline(always)]
    pub(crate) fn square(
        &self,
        rows: &'static str,
        cols: &'static str,
        m: shape::Mat,
        order: usize,
    ) -> Checked {
        self.same(cols, m.cols, m.rows)?;
        self.same(rows, m.rows, order)
    }

    /// A vector of Level 1: increment 0 is legal on inputs, and outputs with it cannot be made.
    #[inline(always)]
    pub(crate) fn vector(&self, o: Operand<shape::Vector>) -> Vector {
        // A vector of one element has no increment of its own.
        Vector { data: o.data, inc: if o.shape.len <= 1 { 1 } else { o.shape.inc } }
    }

    /// A vector of Level 2: no increment 0.
    #[inline(always)]
    pub(crate) fn vector_nonzero(&self, operand: &'static str, o: Operand<shape::Vector>) -> Checked<Vector> {
        let v = self.vector(o);
        if v.inc == 0 {
            return Err(increment(self.routine, operand, 0, "not be 0"));
        }
        Ok(v)
    }

    /// A vector whose elements must lie one after the other: results, pivots, parameters.
    #[inline(always)]
    pub(crate) fn contiguous(&self, operand: &'static str, inc: isize) -> Checked {
        if inc == 1 { Ok(()) } else { Err(increment(self.routine, operand, inc, "be 1")) }
    }

    /// That a matrix is row- or column-major; asked in the caller's terms, before the problem is transposed.
    #[inline(always)]
    pub(crate) fn layout(&self, operand: &'static str, m: shape::Mat) -> Checked {
        if m.col_ld().is_none() && m.row_ld().is_none() { Err(self.strides(operand, m)) } else { Ok(()) }
    }

    /// How a matrix that is read looks to a column-major library.
    #[inline(always)]
    pub(crate) fn matrix(&self, operand: &'static str, o: Operand<shape::Mat>) -> Checked<(Trans, Matrix)> {
        let conj = self.conj(o.shape.conj);
        // A conjugated operand is taken as transposed where it can be: every vendor has op C, few have conj(A).
        if !conj && let Some(ld) = o.shape.col_ld() {
            return Ok((Trans::N, Matrix { data: o.data, ld }));
        }
        if let Some(ld) = o.shape.row_ld() {
            return Ok((if conj { Trans::C } else { Trans::T }, Matrix { data: o.data, ld }));
        }
        match o.shape.col_ld() {
            Some(ld) => Ok((Trans::ConjN, Matrix { data: o.data, ld })),
            None => Err(self.strides(operand, o.shape)),
        }
    }

    /// Conjugation, which real types do not have.
    #[inline(always)]
    pub(crate) fn conj(&self, conj: bool) -> bool {
        conj && self.dtype.is_complex()
    }

    /// An op without the conjugation that real types do not have.
    #[inline(always)]
    pub(crate) fn op(&self, op: Trans) -> Trans {
        Trans::new(op.is_transposed(), self.conj(op.is_conjugated()))
    }

    /// How a triangular matrix looks to a column-major library: the op, the stored triangle, the storage.
    #[inline(always)]
    pub(crate) fn triangular(
        &self,
        operand: &'static str,
        o: Operand<shape::Tri>,
    ) -> Checked<(Trans, Uplo, Matrix)> {
        let (trans, matrix) = self.matrix(operand, o.map(|s| s.mat))?;
        let uplo = if trans.is_transposed() { o.shape.uplo.flip() } else { o.shape.uplo };
        Ok((trans, uplo, matrix))
    }

    /// How a symmetric or Hermitian matrix looks to a column-major library: its storage, the stored triangle, and
    /// whether the conjugate of what is stored is meant.
    #[inline(always)]
    pub(crate) fn self_adjoint<S: SelfAdjoint>(
        &self,
        operand: &'static str,
        o: Operand<S>,
    ) -> Checked<(Matrix, Uplo, bool)> {
        match o.shape.as_col() {
            Some((ld, uplo, conj)) => Ok((Matrix { data: o.data, ld }, uplo, self.conj(conj))),
            None => Err(self.strides(operand, o.shape.mat())),
        }
    }

    /// A matrix that is written and that the caller has found to be column-major.
    #[inline(always)]
    pub(crate) fn output(&self, operand: &'static str, o: Operand<shape::Mat>) -> Checked<Matrix> {
        match o.shape.col_ld() {
            Some(ld) => Ok(Matrix { data: o.data, ld }),
            None => Err(self.strides(operand, o.shape)),
        }
    }

    #[inline(always)]
    pub(crate) fn strides(&self, operand: &'static str, m: shape::Mat) -> Refused {
        // The nearest legal layout is the one whose unit stride is there.
        strides(self.routine, operand, m.rs, m.cs, if m.cs == 1 { m.cols } else { m.rows })
    }
}

// Errors are made of single values: of what is handed over as a whole, the caller would keep a copy in memory for them.

#[cold]
fn shape(routine: Routine, what: &'static str, value: usize, expected: usize) -> Refused {
    Error::Shape { routine: routine.name(), what, value, expected }.into()
}

#[cold]
fn wrong_device(
    routine: Routine,
    operand: &'static str,
    backend: &'static str,
    index: usize,
    found_backend: &'static str,
    found_index: usize,
) -> Refused {
    let (expected, found) =
        (DeviceId { backend, index }, DeviceId { backend: found_backend, index: found_index });
    Error::WrongDevice { routine: routine.name(), operand, expected, found }.into()
}

#[cold]
fn batch_count(routine: Routine, operand: &'static str, count: usize, expected: usize) -> Refused {
    Error::BatchCount { routine: routine.name(), operand, count, expected }.into()
}

#[cold]
fn increment(routine: Routine, operand: &'static str, inc: isize, bound: &'static str) -> Refused {
    Error::Increment { routine: routine.name(), operand, inc, bound }.into()
}

#[cold]
fn strides(routine: Routine, operand: &'static str, rs: usize, cs: usize, min: usize) -> Refused {
    let (rs, cs, min) = (rs as isize, cs as isize, min.max(1));
    Error::Strides { routine: routine.name(), operand, rs, cs, min }.into()
}

/// Whether an output is row-major and not also column-major: then the transposed problem is lowered, once the checks
/// have been made in the caller's terms.
#[inline(always)]
pub(crate) fn is_row_major(m: shape::Mat) -> bool {
    m.col_ld().is_none() && m.row_ld().is_some()
}

impl Operand<shape::Mat> {
    pub(crate) fn t(self) -> Self {
        self.map(shape::Mat::t)
    }

    #[inline(always)]
    pub(crate) fn conj(self) -> Self {
        self.map(shape::Mat::conj)
    }
}

impl Operand<shape::Tri> {
    pub(crate) fn t(self) -> Self {
        self.map(shape::Tri::t)
    }
}

/// A full matrix that is its own (conjugate) transpose: [`shape::Sym`] or [`shape::Herm`].
pub(crate) trait SelfAdjoint: shape::Shape {
    fn mat(&self) -> shape::Mat;
    fn t(self) -> Self;
    /// Column-major storage: leading dimension, stored triangle, and whether its conjugate is meant.
    fn as_col(self) -> Option<(usize, Uplo, bool)>;
}

macro_rules! self_adjoint { ($($s:ident),*) => {$(
    impl SelfAdjoint for shape::$s {
        fn mat(&self) -> shape::Mat {
            self.mat
        }
        fn t(self) -> Self {
            self.t()
        }
        fn as_col(self) -> Option<(usize, Uplo, bool)> {
            self.as_col()
        }
    }
)*}}
self_adjoint!(Sym, Herm);

/// The same in band storage; `conj` of the result asks for the conjugate of what is stored.
pub(crate) trait SelfAdjointBand: shape::Shape {
    fn stored(&self) -> shape::SymBand;
}

impl SelfAdjointBand for shape::SymBand {
    fn stored(&self) -> shape::SymBand {
        *self
    }
}

impl SelfAdjointBand for shape::HermBand {
    fn stored(&self) -> shape::SymBand {
        let shape::HermBand { n, k, ld, uplo, conj } = *self;
        shape::SymBand { n, k, ld, uplo, conj }
    }
}

/// The same packed.
pub(crate) trait SelfAdjointPacked: shape::Shape {
    fn stored(&self) -> shape::SymPacked;
}

impl SelfAdjointPacked for shape::SymPacked {
    fn stored(&self) -> shape::SymPacked {
        *self
    }
}

impl SelfAdjointPacked for shape::HermPacked {
    fn stored(&self) -> shape::SymPacked {
        let shape::HermPacked { n, uplo, conj } = *self;
        shape::SymPacked { n, uplo, conj }
    }
}
