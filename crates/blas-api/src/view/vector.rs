//! Methods of vector views.

use super::mat::within;
use super::shape::{Mat, Vector};
use super::{MatMut, MatRef, VecMut, VecRef};
use crate::{Element, Error, HostMemory, Result, SliceMut, SliceRef};

impl Vector {
    /// Offset from the pointer to the logical element `i`.
    pub(crate) fn offset(&self, i: usize) -> usize {
        let step = self.inc.unsigned_abs();
        if self.inc < 0 { (self.len - 1 - i) * step } else { i * step }
    }

    /// The vector as a matrix of one column.
    fn column(&self) -> Option<Mat> {
        (self.len <= 1 || self.inc >= 0).then(|| Mat {
            rows: self.len,
            cols: 1,
            rs: self.inc.unsigned_abs(),
            cs: 1,
            conj: false,
        })
    }
}

macro_rules! vector {
    ($v:ident, $m:ident) => {
        impl<'a, T: Element, B> $v<'a, T, B> {
            /// Number of elements.
            pub fn len(&self) -> usize {
                self.shape.len
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.shape.len == 0
            }

            /// Increment in elements.
            pub fn inc(&self) -> isize {
                self.shape.inc
            }

            /// The elements from `start` on, `len` of them.
            pub fn subvector(self, start: usize, len: usize) -> Result<Self> {
                within("subvector", "elements", [start, len], self.shape.len)?;
                let shape = Vector { len, ..self.shape };
                if len == 0 {
                    return Ok(self.reshape(shape));
                }
                let offset = self.shape.offset(if self.shape.inc < 0 { start + len - 1 } else { start });
                Ok(Self::new(self.ptr.wrapping_add(offset), self.place.advance(offset), shape))
            }

            /// The vector as a matrix of one column. A negative increment has no such matrix and is an error.
            pub fn column(self) -> Result<$m<'a, T, B>> {
                let inc = self.shape.inc;
                match self.shape.column() {
                    Some(shape) => Ok(self.reshape(shape)),
                    None => Err(Error::Increment {
                        routine: "column",
                        operand: "x",
                        inc,
                        bound: "not be negative",
                    }),
                }
            }
        }
    };
}
vector!(VecRef, MatRef);
vector!(VecMut, MatMut);

impl<'a, T: Element, B: HostMemory> VecRef<'a, T, B> {
    /// All elements of a slice, in order.
    pub fn from_slice(data: &'a [T]) -> Self {
        let slice = SliceRef::from(data);
        slice.reshape(Vector { len: data.len(), inc: 1 })
    }
}

impl<'a, T: Element, B: HostMemory> VecMut<'a, T, B> {
    /// All elements of a slice, in order.
    pub fn from_slice(data: &'a mut [T]) -> Self {
        let len = data.len();
        SliceMut::from(data).reshape(Vector { len, inc: 1 })
    }
}
