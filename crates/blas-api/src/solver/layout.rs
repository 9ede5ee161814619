//! Column-major stand-ins for matrices that a factorisation cannot take as they are.
//!
//! A factorisation of a transposed matrix is another factorisation, so a row-major operand cannot be lowered by
//! transposing the problem. It is copied to column-major scratch by geam, and copied back if it is written.

use crate::lower::{Checked, Lowering};
use crate::view::{Operand, span_or};
use crate::{
    Address, Backend, Buffer, Field, GeamDesc, Handle, Matrix, RawHandle, RawScalar, Trans, shape::Mat,
};

/// A column-major operand: the caller's own, or a copy.
pub(super) struct ColumnMajor<T, B> {
    pub(super) matrix: Matrix,
    copy: Option<Copied<T, B>>,
}

struct Copied<T, B> {
    /// Owns what `matrix` points to.
    _scratch: Buffer<T, B>,
    rows: usize,
    cols: usize,
    batch: usize,
    /// The caller's matrix as a column-major one of which the copy is op.
    source: Matrix,
    trans: Trans,
}

impl<T: Field, B: Backend> ColumnMajor<T, B> {
    /// Takes the operand as it is where it is column-major and not conjugated, else copies it.
    pub(super) fn of(h: &Handle<B>, l: &Lowering, name: &'static str, o: Operand<Mat>) -> Checked<Self> {
        let (trans, source) = l.matrix(name, o)?;
        if trans == Trans::N {
            return Ok(ColumnMajor { matrix: source, copy: None });
        }
        let (rows, cols, batch) = (o.shape.rows, o.shape.cols, o.batch);
        let ld = rows.max(1);
        let stride = span_or(&[(rows, 1), (cols, ld)], l.name(), name)?;
        let len = span_or(&[(stride, 1), (batch, stride)], l.name(), name)?;
        let mut scratch = h.alloc::<T>(len)?;
        let data = Address::Strided { ptr: scratch.slice_mut().ptr.cast(), stride: stride as isize };
        let matrix = Matrix { data, ld };
        transpose(h, l, trans, rows, cols, batch, source, matrix)?;
        Ok(ColumnMajor { matrix, copy: Some(Copied { _scratch: scratch, rows, cols, batch, source, trans }) })
    }

    /// Writes a copy back to the operand that it was made of, which is not conjugated, being an output.
    pub(super) fn write_back(&self, h: &Handle<B>, l: &Lowering) -> Checked {
        match &self.copy {
            None => Ok(()),
            Some(c) => transpose(h, l, c.trans, c.cols, c.rows, c.batch, self.matrix, c.source),
        }
    }
}

/// to = op(from), `to` rows x cols
fn transpose<B: Backend>(
    h: &Handle<B>,
    l: &Lowering,
    trans: Trans,
    rows: usize,
    cols: usize,
    batch: usize,
    from: Matrix,
    to: Matrix,
) -> Checked {
    Ok(h.launch(
        &GeamDesc {
            dtype: l.dtype,
            batch,
            ta: trans,
            tb: Trans::N,
            m: rows,
            n: cols,
            alpha: RawScalar::ONE,
            a: from,
            beta: RawScalar::ZERO,
            b: to,
            c: to,
        },
        RawHandle::geam,
    )?)
}
