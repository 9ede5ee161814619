//! Transposed and conjugated copies, by geam.

use blas_api::*;
use hipblas_abi::calls;

use super::{Batch, Coefs, elems, op};
use crate::GpuHandle;

/// The problem that copies are made for.
pub(crate) struct Problem<'h, H> {
    pub(crate) h: &'h H,
    /// For errors.
    pub(crate) routine: &'static str,
    pub(crate) dtype: DType,
    pub(crate) batch: usize,
}

impl<H> Clone for Problem<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for Problem<'_, H> {}

impl<'h, H: GpuHandle> Problem<'h, H> {
    pub(crate) fn new(h: &'h H, routine: Routine, d: &impl Descriptor) -> Self {
        Problem { h, routine: routine.name(), dtype: d.dtype(), batch: d.batch() }
    }

    /// Scratch memory for `len` elements of each entry.
    pub(crate) fn scratch(&self, len: usize) -> Result<Address> {
        let bytes = len.checked_mul(self.batch).and_then(|n| n.checked_mul(self.dtype.size()));
        let Some(bytes) = bytes.filter(|&b| isize::try_from(b).is_ok()) else {
            let factors = [len, self.batch];
            return Err(Error::Overflow { routine: self.routine, operand: "scratch", factors });
        };
        // One entry is that of every problem that it is copied for.
        let stride = if self.batch > 1 { len as isize } else { 0 };
        Ok(Address::Strided { ptr: self.h.scratch(bytes)?, stride })
    }

    /// As many problems as an operand has different entries: one where all are the same.
    pub(crate) fn of(mut self, operand: Address) -> Self {
        if matches!(operand, Address::Strided { stride: 0, .. }) {
            self.batch = self.batch.min(1);
        }
        self
    }

    /// to = op(from), `to` rows x cols. The op is one that hipBLAS has.
    ///
    /// # Safety
    /// The operands are there, and do not overlap.
    pub(crate) unsafe fn copy(
        &self,
        [rows, cols]: [usize; 2],
        trans: Trans,
        from: Matrix,
        to: Matrix,
    ) -> Result {
        if rows == 0 || cols == 0 || self.batch == 0 {
            return Ok(());
        }
        let t = self.dtype;
        let b = Batch::new(self.h, self.batch, &[from.data, to.data]);
        let (a, c) = (b.matrix(from, t)?, b.matrix(to, t)?);
        let coefs = Coefs::new(self.h, [(RawScalar::ONE, t), (RawScalar::ZERO, t)])?;
        let args = calls::Geam {
            trans_a: op(trans),
            trans_b: op(Trans::N),
            m: rows as i64,
            n: cols as i64,
            alpha: coefs.at(0),
            a,
            beta: coefs.at(1),
            b: c,
            c,
            batch: b.count(),
        };
        // SAFETY: the caller's promise; beta is 0, so that the old content is not read.
        unsafe { b.call(self.routine, elems(t), &args) }
    }

    /// op(from), rows x cols, in scratch memory.
    ///
    /// # Safety
    /// The operand is there.
    pub(crate) unsafe fn copied(
        &self,
        [rows, cols]: [usize; 2],
        trans: Trans,
        from: Matrix,
    ) -> Result<Matrix> {
        let few = self.of(from.data);
        let to = Matrix { data: few.scratch(rows * cols)?, ld: rows.max(1) };
        // SAFETY: the caller's promise; scratch memory is apart.
        unsafe {
            if trans == Trans::ConjN {
                let adjoint = few.copied([cols, rows], Trans::C, from)?;
                few.copy([rows, cols], Trans::T, adjoint, to)?;
            } else {
                few.copy([rows, cols], trans, from, to)?;
            }
        }
        Ok(to)
    }
}

/// A matrix operand with an op that the library has: the matrix itself, or a copy.
pub(crate) struct Prepared {
    /// The op to give to the library.
    pub(crate) op: Trans,
    pub(crate) matrix: Matrix,
    /// Whether the copy is transposed, so that the triangle is the other one.
    flipped: bool,
}

impl Prepared {
    /// For op(A), rows x cols, and the ops that the library has for it.
    ///
    /// # Safety
    /// The operand is there.
    #[inline]
    pub(crate) unsafe fn new(
        p: &Problem<'_, impl GpuHandle>,
        [rows, cols]: [usize; 2],
        trans: Trans,
        a: Matrix,
        allowed: &[Trans],
    ) -> Result<Self> {
        if allowed.contains(&trans) {
            return Ok(Prepared { op: trans, matrix: a, flipped: false });
        }
        let (first, op) = in_two_steps(trans, allowed);
        let shape = if op.is_transposed() { [cols, rows] } else { [rows, cols] };
        // SAFETY: the caller's promise.
        let matrix = unsafe { p.copied(shape, first, a)? };
        Ok(Prepared { op, matrix, flipped: first.is_transposed() })
    }

    /// The triangle of the prepared matrix that was `uplo` of the given one.
    pub(crate) fn uplo(&self, uplo: Uplo) -> Uplo {
        if self.flipped { uplo.flip() } else { uplo }
    }
}

/// Two ops, of which the second is allowed, that do what one does: those with the fewest passes.
fn in_two_steps(trans: Trans, allowed: &[Trans]) -> (Trans, Trans) {
    let op = allowed.iter().copied().min_by_key(|&op| passes(trans, op)).unwrap_or(Trans::N);
    (before(trans, op), op)
}

/// What must come before an op to make another of it.
fn before(trans: Trans, op: Trans) -> Trans {
    let transposed = op.is_transposed() != trans.is_transposed();
    Trans::new(transposed, op.is_conjugated() != trans.is_conjugated())
}

/// Passes over a matrix that a copy takes for which an op does what another does for the matrix itself.
pub(crate) fn passes(trans: Trans, op: Trans) -> usize {
    match before(trans, op) {
        Trans::N => 0,
        Trans::T | Trans::C => 1,
        Trans::ConjN => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Trans; 4] = [Trans::N, Trans::T, Trans::C, Trans::ConjN];

    /// op of a 2 x 2 matrix of Gaussian integers.
    fn apply(op: Trans, a: [[(i32, i32); 2]; 2]) -> [[(i32, i32); 2]; 2] {
        let conj = |(re, im): (i32, i32)| if op.is_conjugated() { (re, -im) } else { (re, im) };
        let at = |i: usize, j: usize| if op.is_transposed() { a[j][i] } else { a[i][j] };
        [[conj(at(0, 0)), conj(at(0, 1))], [conj(at(1, 0)), conj(at(1, 1))]]
    }

    #[test]
    fn two_steps_are_one() {
        let a = [[(1, 2), (3, 4)], [(5, 6), (7, 8)]];
        for allowed in [&[Trans::N][..], &[Trans::T], &[Trans::C], &[Trans::N, Trans::C], &ALL[..3]] {
            for op in ALL {
                let (first, second) = in_two_steps(op, allowed);
                assert!(allowed.contains(&second), "{op:?} {allowed:?}");
                assert_eq!(apply(second, apply(first, a)), apply(op, a), "{op:?} {allowed:?}");
                assert_eq!(first == Trans::N, allowed.contains(&op), "{op:?} {allowed:?}");
                assert!(first != Trans::ConjN || allowed.len() == 1, "{op:?} {allowed:?}");
            }
        }
    }
}
