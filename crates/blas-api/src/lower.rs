//! What the lowering of every routine shares: the checks that need the handle, and normalisation of storage.

use crate::coef::{CoefOperand, OutOperand};
use crate::view::Operand;
use crate::{
    Backend, DType, DeviceId, Error, Handle, Matrix, RawOut, RawScalar, Result, Routine, Scalar, Trans,
    Vector, shape,
};

/// The call being lowered.
#[derive(Clone, Copy)]
pub(crate) struct Lowering {
    pub(crate) routine: Routine,
    pub(crate) dtype: DType,
    pub(crate) dev: DeviceId,
}

impl<B: Backend> Handle<B> {
    pub(crate) fn lowering<T: Scalar>(&self, routine: Routine) -> Lowering {
        Lowering { routine, dtype: T::DTYPE, dev: self.device() }
    }
}

impl Lowering {
    pub(crate) fn name(&self) -> &'static str {
        self.routine.name()
    }

    /// Two dimensions that must agree.
    pub(crate) fn same(&self, what: &'static str, value: usize, expected: usize) -> Result {
        if value == expected {
            Ok(())
        } else {
            Err(Error::Shape { routine: self.name(), what, value, expected })
        }
    }

    fn on_device(&self, operand: &'static str, found: DeviceId) -> Result {
        if found == self.dev {
            Ok(())
        } else {
            Err(Error::WrongDevice { routine: self.name(), operand, expected: self.dev, found })
        }
    }

    /// Device and batch count of an operand; all counts of a call are equal.
    pub(crate) fn operand<S>(&self, operand: &'static str, o: &Operand<S>, batch: usize) -> Result {
        self.on_device(operand, o.dev)?;
        if o.batch != batch {
            return Err(Error::BatchCount { routine: self.name(), operand, count: o.batch, expected: batch });
        }
        Ok(())
    }

    /// A coefficient, on the host or on the handle's device.
    pub(crate) fn coef(&self, operand: &'static str, c: CoefOperand) -> Result<RawScalar> {
        match c.dev {
            Some(dev) => self.on_device(operand, dev)?,
            None => {}
        }
        Ok(c.value)
    }

    /// A place for one result a batch entry.
    pub(crate) fn out(&self, operand: &'static str, o: OutOperand, need: usize) -> Result<RawOut> {
        if let Some(dev) = o.dev {
            self.on_device(operand, dev)?;
        }
        if o.inc != 1 {
            return Err(Error::Strides { routine: self.name(), operand, rs: o.inc, cs: 1, min: 1 });
        }
        if o.len < need {
            return Err(Error::TooShort { routine: self.name(), operand, need, have: o.len });
        }
        Ok(o.out)
    }

    /// A vector of Level 1: increment 0 is legal on inputs, and outputs with it cannot be made.
    pub(crate) fn vector(&self, o: Operand<shape::Vector>) -> Vector {
        // A vector of one element has no increment of its own.
        Vector { data: o.data, inc: if o.shape.len <= 1 { 1 } else { o.shape.inc } }
    }

    /// A vector of Level 2: no increment 0.
    pub(crate) fn vector_nonzero(&self, operand: &'static str, o: Operand<shape::Vector>) -> Result<Vector> {
        let v = self.vector(o);
        if v.inc == 0 {
            return Err(Error::Increment { routine: self.name(), operand, inc: 0 });
        }
        Ok(v)
    }

    /// How a matrix that is read looks to a column-major library.
    pub(crate) fn matrix(&self, operand: &'static str, o: Operand<shape::Mat>) -> Result<(Trans, Matrix)> {
        let conj = o.shape.conj && self.dtype.is_complex();
        // A conjugated operand is taken as transposed where it can be: every vendor has op C, few have conj(A).
        let (trans, ld) = match (conj, o.shape.col_ld(), o.shape.row_ld()) {
            (false, Some(ld), _) => (Trans::N, ld),
            (false, None, Some(ld)) => (Trans::T, ld),
            (true, _, Some(ld)) => (Trans::C, ld),
            (true, Some(ld), None) => (Trans::ConjN, ld),
            (_, None, None) => return Err(self.strides(operand, o.shape)),
        };
        Ok((trans, Matrix { data: o.data, ld }))
    }

    /// A matrix that is written and that the caller has found to be column-major.
    pub(crate) fn output(&self, operand: &'static str, o: Operand<shape::Mat>) -> Result<Matrix> {
        match o.shape.col_ld() {
            Some(ld) => Ok(Matrix { data: o.data, ld }),
            None => Err(self.strides(operand, o.shape)),
        }
    }

    pub(crate) fn strides(&self, operand: &'static str, m: shape::Mat) -> Error {
        // The nearest legal layout is the one whose unit stride is there.
        let min = if m.cs == 1 { m.cols } else { m.rows }.max(1);
        Error::Strides { routine: self.name(), operand, rs: m.rs as isize, cs: m.cs as isize, min }
    }
}

/// Whether an output is row-major and not also column-major: then the transposed problem is lowered.
pub(crate) fn is_row_major(m: shape::Mat) -> bool {
    m.col_ld().is_none() && m.row_ld().is_some()
}

macro_rules! transposable { ($($s:ident),*) => {$(
    impl Operand<shape::$s> {
        pub(crate) fn t(self) -> Self {
            self.map(|s| s.t())
        }
        pub(crate) fn conj(self) -> Self {
            self.map(|s| s.conj())
        }
    }
)*}}
transposable!(Mat, Tri, Sym, Herm);
