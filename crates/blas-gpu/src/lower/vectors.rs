//! Vectors as functions can take them: conjugated, contiguous, as rows of a matrix.
//!
//! A vector with a positive increment is a row: a 1 x n matrix with the increment as leading dimension. So functions of
//! matrices work on vectors of any increment, if all of them run the same way.

use blas_api::*;
use hipblas_abi::{Elem, calls};

use super::copies::Problem;
use super::{Batch, half};
use crate::GpuHandle;

/// The elements of a vector in the order of memory, which is the other way round for a negative increment.
pub(crate) fn forwards(v: Vector) -> Vector {
    Vector { inc: v.inc.wrapping_abs(), ..v }
}

/// A vector with a positive increment as a 1 x n matrix.
pub(crate) fn row(v: Vector) -> Matrix {
    Matrix { data: v.data, ld: v.inc.unsigned_abs() }
}

/// A contiguous vector as an n x 1 matrix.
fn column(data: Address, n: usize) -> Matrix {
    Matrix { data, ld: n.max(1) }
}

impl<H: GpuHandle> Problem<'_, H> {
    /// y = x
    ///
    /// # Safety
    /// The operands are there, and do not overlap.
    pub(crate) unsafe fn copy_vector(&self, n: usize, x: Vector, y: Vector) -> Result {
        if n == 0 || self.batch == 0 {
            return Ok(());
        }
        let t = self.dtype;
        let Some(types) = super::elems(t).filter(|&(t, _)| !matches!(t, Elem::F16 | Elem::BF16)) else {
            // SAFETY: the caller's promise.
            return unsafe { half::copy(self, n, x, y) };
        };
        let b = Batch::new(self.h, self.batch, &[x.data, y.data]);
        let args = calls::Copy { n: n as i64, x: b.vector(x, t)?, y: b.vector(y, t)?, batch: b.count() };
        // SAFETY: the caller's promise.
        unsafe { b.call(self.routine, Some(types), &args) }
    }

    /// A copy of x without gaps, which runs the way that `inc` tells.
    ///
    /// # Safety
    /// The operand is there.
    pub(crate) unsafe fn compacted(&self, n: usize, x: Vector, inc: isize) -> Result<Vector> {
        let few = self.of(x.data);
        let data = few.scratch(n)?;
        let inc = if inc < 0 { -1 } else { 1 };
        // SAFETY: the caller's promise; scratch memory is apart.
        unsafe { few.copy_vector(n, x, Vector { data, inc })? };
        Ok(Vector { data, inc })
    }

    /// x with an increment other than 0, which runs the way that `inc` tells: itself, or a copy.
    ///
    /// # Safety
    /// The operand is there.
    pub(crate) unsafe fn aligned(&self, n: usize, x: Vector, inc: isize) -> Result<Vector> {
        if x.inc != 0 && (x.inc < 0) == (inc < 0) {
            return Ok(x);
        }
        // SAFETY: the caller's promise.
        unsafe { self.compacted(n, x, inc) }
    }

    /// conj(x) without gaps, which runs as x does.
    ///
    /// # Safety
    /// The operand is there.
    pub(crate) unsafe fn conjugated(&self, n: usize, x: Vector) -> Result<Vector> {
        let few = self.of(x.data);
        let data = few.scratch(n)?;
        // SAFETY: the caller's promise; scratch memory is apart.
        unsafe { few.copy([n, 1], Trans::C, row(x), column(data, n))? };
        Ok(Vector { data, inc: x.inc.signum() })
    }

    /// y = conj(x), x being without gaps and running as y does.
    ///
    /// # Safety
    /// The operands are there, and do not overlap.
    unsafe fn conjugate_into(&self, n: usize, x: Vector, y: Vector) -> Result {
        // SAFETY: the caller's promise.
        unsafe { self.copy([1, n], Trans::C, column(x.data, n), row(y)) }
    }

    /// Lets `f` work on conj(x), and conjugates what it leaves there.
    ///
    /// # Safety
    /// The operand is there, and not in use elsewhere.
    pub(crate) unsafe fn on_conjugate(
        &self,
        n: usize,
        x: Vector,
        f: impl FnOnce(Vector) -> Result,
    ) -> Result {
        // SAFETY: the caller's promise.
        unsafe {
            let conj = self.conjugated(n, x)?;
            f(conj)?;
            self.conjugate_into(n, conj, x)
        }
    }

    /// The conjugate of a coefficient of the problem's type.
    ///
    /// # Safety
    /// A device pointer leads to a value.
    pub(crate) unsafe fn conj_scalar(&self, s: RawScalar) -> Result<RawScalar> {
        Ok(match s {
            RawScalar::Host([re, im]) => RawScalar::Host([re, -im]),
            RawScalar::Device(p) => {
                let one = Problem { batch: 1, ..*self };
                let from = Matrix { data: Address::single(p.cast_mut()), ld: 1 };
                // SAFETY: the caller's promise.
                let copy = unsafe { one.copied([1, 1], Trans::C, from)? };
                // SAFETY: a single entry, in scratch memory.
                RawScalar::Device(unsafe { copy.data.entry(0, 0) })
            }
        })
    }

    /// A product alpha * conj(A) * x + beta * y by one with A itself: its conjugate is
    /// conj(alpha) * A * conj(x) + conj(beta) * conj(y). `f` is given the conjugated alpha, x, beta, y.
    ///
    /// # Safety
    /// The operands are there; y is not in use elsewhere.
    pub(crate) unsafe fn conjugated_product(
        &self,
        (alpha, nx, x): (RawScalar, usize, Vector),
        (beta, ny, y): (RawScalar, usize, Vector),
        f: impl FnOnce(RawScalar, Vector, RawScalar, Vector) -> Result,
    ) -> Result {
        // SAFETY: the caller's promise.
        unsafe {
            let alpha = self.conj_scalar(alpha)?;
            let beta = self.conj_scalar(beta)?;
            let x = self.conjugated(nx, x)?;
            self.on_conjugate(ny, y, |y| f(alpha, x, beta, y))
        }
    }
}
