//! Runs of elements, and how all other views are made from them.

use super::shape::{
    Band, HermBand, HermPacked, Mat, Shape, Single, Slice, SymBand, SymPacked, TriBand, TriPacked, Vector,
    packed_len,
};
use super::{Mut, Place, Ref, SliceMut, SliceRef, apart, span_or};
use crate::{DeviceId, Diag, Element, Error, HostMemory, Layout, Result, Uplo};

impl<'a, T: Element, B: HostMemory> From<&'a [T]> for SliceRef<'a, T, B> {
    fn from(data: &'a [T]) -> Self {
        let dev = DeviceId { backend: B::NAME, index: 0 };
        let place = Place { dev, before: 0, after: data.len() };
        Ref::new(data.as_ptr(), place, Slice { len: data.len() })
    }
}

impl<'a, T: Element, B: HostMemory> From<&'a mut [T]> for SliceMut<'a, T, B> {
    fn from(data: &'a mut [T]) -> Self {
        let dev = DeviceId { backend: B::NAME, index: 0 };
        let place = Place { dev, before: 0, after: data.len() };
        Mut::new(data.as_mut_ptr(), place, Slice { len: data.len() })
    }
}

/// Checks a shape against `have` elements.
fn fits<S: Shape>(shape: S, have: usize, routine: &'static str) -> Result<S> {
    let need = span_or(&shape.dims(), routine, "view")?;
    if need > have {
        return Err(Error::TooShort { routine, operand: "view", need, have });
    }
    Ok(shape)
}

/// The same for a shape that is written: its elements may not share memory.
fn fits_mut<S: Shape>(shape: S, have: usize, routine: &'static str) -> Result<S> {
    let shape = fits(shape, have, routine)?;
    apart(&shape.dims()).map_err(|(stride, min)| match (routine, stride) {
        ("vec", 0) => Error::Increment { routine, operand: "output", inc: 0, bound: "not be 0" },
        _ => Error::Overlap { routine, operand: "output", stride: stride as isize, min },
    })?;
    Ok(shape)
}

fn ld_at_least(routine: &'static str, ld: usize, min: usize) -> Result {
    if ld < min { Err(Error::LeadingDimension { routine, operand: "view", ld, min }) } else { Ok(()) }
}

/// The leading dimension of `n` columns of band storage: at least `kl + ku + 1`, and that where there is no second
/// column for it to lead to.
fn band_ld(routine: &'static str, ld: usize, n: usize, kl: usize, ku: usize) -> Result<usize> {
    let Some(min) = kl.checked_add(ku).and_then(|k| k.checked_add(1)) else {
        return Err(Error::Overflow { routine, operand: "view", factors: [kl, ku] });
    };
    ld_at_least(routine, ld, min)?;
    Ok(if n <= 1 { min } else { ld })
}

fn packed(routine: &'static str, n: usize) -> Result {
    match packed_len(n) {
        Some(_) => Ok(()),
        None => Err(Error::Overflow { routine, operand: "view", factors: [n, n] }),
    }
}

macro_rules! slice {
    ($v:ident, $fits:ident) => {
        impl<'a, T: Element, B> $v<'a, Slice, T, B> {
            /// Number of elements.
            pub fn len(&self) -> usize {
                self.shape.len
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.shape.len == 0
            }

            /// The elements from `start` on.
            pub fn skip(self, start: usize) -> Result<Self> {
                let have = self.shape.len;
                if start > have {
                    return Err(Error::TooShort { routine: "skip", operand: "view", need: start, have });
                }
                Ok(Self::new(
                    self.ptr.wrapping_add(start),
                    self.place.advance(start),
                    Slice { len: have - start },
                ))
            }

            /// Element `i` alone: a coefficient, or a place for a result.
            pub fn scalar(self, i: usize) -> Result<$v<'a, Single, T, B>> {
                let rest = self.skip(i)?;
                let shape = $fits(Single, rest.shape.len, "scalar")?;
                Ok(rest.reshape(shape))
            }

            /// A vector of `len` elements, `inc` apart. A negative increment walks backwards from the far end. Increment 0
            /// repeats one element; that is an error for an output.
            pub fn vec(self, len: usize, inc: isize) -> Result<$v<'a, Vector, T, B>> {
                let shape = $fits(Vector { len, inc }, self.shape.len, "vec")?;
                Ok(self.reshape(shape))
            }

            /// A matrix without padding.
            pub fn mat(self, rows: usize, cols: usize, layout: Layout) -> Result<$v<'a, Mat, T, B>> {
                let ld = match layout {
                    Layout::Col => rows,
                    Layout::Row => cols,
                };
                self.mat_ld(rows, cols, layout, ld.max(1))
            }

            /// A matrix with a leading dimension, at least max(1, rows) column-major and max(1, columns) row-major. The
            /// storage must reach to the last element, not to the end of its padding.
            pub fn mat_ld(
                self,
                rows: usize,
                cols: usize,
                layout: Layout,
                ld: usize,
            ) -> Result<$v<'a, Mat, T, B>> {
                let (min, rs, cs) = match layout {
                    Layout::Col => (rows.max(1), 1, ld),
                    Layout::Row => (cols.max(1), ld, 1),
                };
                ld_at_least("mat", ld, min)?;
                let shape = $fits(Mat { rows, cols, rs, cs, conj: false }, self.shape.len, "mat")?;
                Ok(self.reshape(shape))
            }

            /// A matrix with any two strides, as other array libraries have them. Routines take those of which one is 1
            /// and the other at least the length of that axis; an axis of length 0 or 1 may have any stride.
            pub fn mat_strided(
                self,
                rows: usize,
                cols: usize,
                rs: usize,
                cs: usize,
            ) -> Result<$v<'a, Mat, T, B>> {
                let shape = $fits(Mat { rows, cols, rs, cs, conj: false }, self.shape.len, "mat")?;
                Ok(self.reshape(shape))
            }

            /// A band matrix with `kl` diagonals below and `ku` above the main one, in BLAS band storage:
            /// column-major, element (i, j) at `ku + i - j + j * ld`; row-major, at `kl + j - i + i * ld`.
            /// `ld` is at least `kl + ku + 1`.
            pub fn band(
                self,
                rows: usize,
                cols: usize,
                kl: usize,
                ku: usize,
                layout: Layout,
                ld: usize,
            ) -> Result<$v<'a, Band, T, B>> {
                // Row-major storage is the column-major one of the transpose.
                let (rows, cols, kl, ku, trans) = match layout {
                    Layout::Col => (rows, cols, kl, ku, false),
                    Layout::Row => (cols, rows, ku, kl, true),
                };
                let ld = band_ld("band", ld, cols, kl, ku)?;
                let shape = Band { rows, cols, kl, ku, ld, trans, conj: false };
                let shape = $fits(shape, self.shape.len, "band")?;
                Ok(self.reshape(shape))
            }

            /// A triangular band matrix of order `n` with `k` off-diagonals: column-major, lower element (i, j) at
            /// `i - j + j * ld`, upper at `k + i - j + j * ld`; row-major, lower at `k + j - i + i * ld`, upper at
            /// `j - i + i * ld`. `ld` is at least `k + 1`.
            pub fn tri_band(
                self,
                n: usize,
                k: usize,
                uplo: Uplo,
                diag: Diag,
                layout: Layout,
                ld: usize,
            ) -> Result<$v<'a, TriBand, T, B>> {
                let ld = band_ld("tri_band", ld, n, k, 0)?;
                let (uplo, trans) = stored(uplo, layout);
                let shape =
                    $fits(TriBand { n, k, ld, uplo, diag, trans, conj: false }, self.shape.len, "tri_band")?;
                Ok(self.reshape(shape))
            }

            /// A symmetric band matrix, its triangle `uplo` stored as in [`tri_band`](Self::tri_band).
            pub fn sym_band(
                self,
                n: usize,
                k: usize,
                uplo: Uplo,
                layout: Layout,
                ld: usize,
            ) -> Result<$v<'a, SymBand, T, B>> {
                let ld = band_ld("sym_band", ld, n, k, 0)?;
                let (uplo, _) = stored(uplo, layout);
                let shape = $fits(SymBand { n, k, ld, uplo, conj: false }, self.shape.len, "sym_band")?;
                Ok(self.reshape(shape))
            }

            /// A Hermitian band matrix, its triangle `uplo` stored as in [`tri_band`](Self::tri_band).
            pub fn herm_band(
                self,
                n: usize,
                k: usize,
                uplo: Uplo,
                layout: Layout,
                ld: usize,
            ) -> Result<$v<'a, HermBand, T, B>> {
                let ld = band_ld("herm_band", ld, n, k, 0)?;
                let (uplo, conj) = stored(uplo, layout);
                let shape = $fits(HermBand { n, k, ld, uplo, conj }, self.shape.len, "herm_band")?;
                Ok(self.reshape(shape))
            }

            /// A packed triangular matrix of order `n`: the triangle's columns (column-major) or rows (row-major) one
            /// after the other, `n (n + 1) / 2` elements.
            pub fn tri_packed(
                self,
                n: usize,
                uplo: Uplo,
                diag: Diag,
                layout: Layout,
            ) -> Result<$v<'a, TriPacked, T, B>> {
                packed("tri_packed", n)?;
                let (uplo, trans) = stored(uplo, layout);
                let shape =
                    $fits(TriPacked { n, uplo, diag, trans, conj: false }, self.shape.len, "tri_packed")?;
                Ok(self.reshape(shape))
            }

            /// A packed symmetric matrix, its triangle `uplo` stored as in [`tri_packed`](Self::tri_packed).
            pub fn sym_packed(self, n: usize, uplo: Uplo, layout: Layout) -> Result<$v<'a, SymPacked, T, B>> {
                packed("sym_packed", n)?;
                let (uplo, _) = stored(uplo, layout);
                let shape = $fits(SymPacked { n, uplo, conj: false }, self.shape.len, "sym_packed")?;
                Ok(self.reshape(shape))
            }

            /// A packed Hermitian matrix, its triangle `uplo` stored as in [`tri_packed`](Self::tri_packed).
            pub fn herm_packed(
                self,
                n: usize,
                uplo: Uplo,
                layout: Layout,
            ) -> Result<$v<'a, HermPacked, T, B>> {
                packed("herm_packed", n)?;
                let (uplo, conj) = stored(uplo, layout);
                let shape = $fits(HermPacked { n, uplo, conj }, self.shape.len, "herm_packed")?;
                Ok(self.reshape(shape))
            }
        }
    };
}
slice!(Ref, fits);
slice!(Mut, fits_mut);

/// The triangle that a layout stores, in column-major terms, and whether that is the transpose's.
fn stored(uplo: Uplo, layout: Layout) -> (Uplo, bool) {
    match layout {
        Layout::Col => (uplo, false),
        Layout::Row => (uplo.flip(), true),
    }
}

impl<'a, T: Element, B> SliceMut<'a, T, B> {
    /// The first `i` elements and the rest.
    pub fn split_at(self, i: usize) -> Result<(Self, Self)> {
        let have = self.shape.len;
        if i > have {
            return Err(Error::TooShort { routine: "split_at", operand: "view", need: i, have });
        }
        let dev = self.place.dev;
        let left = Place { dev, before: 0, after: i };
        let right = Place { dev, before: 0, after: have - i };
        Ok((
            Mut::new(self.ptr, left, Slice { len: i }),
            Mut::new(self.ptr.wrapping_add(i), right, Slice { len: have - i }),
        ))
    }
}

impl<T: Element, B> SliceRef<'_, T, B> {
    /// A view of raw device memory.
    ///
    /// # Safety
    /// `ptr` is valid for `len` elements on device `dev` of backend `B` for the view's lifetime, and nothing writes
    /// to them meanwhile except through the handle's stream.
    pub unsafe fn from_raw(ptr: *const T, len: usize, dev: DeviceId) -> Self {
        Ref::new(ptr, Place { dev, before: 0, after: len }, Slice { len })
    }

    /// Address of the first element, in the memory of the device: for calls of a vendor's library. Reading through it
    /// needs the order of the handle's stream.
    pub fn as_ptr(&self) -> *const T {
        self.ptr
    }
}

impl<T: Element, B> SliceMut<'_, T, B> {
    /// A view of raw device memory.
    ///
    /// # Safety
    /// `ptr` is valid for `len` elements on device `dev` of backend `B` for the view's lifetime, and nothing else
    /// reads or writes them meanwhile except through the handle's stream.
    pub unsafe fn from_raw(ptr: *mut T, len: usize, dev: DeviceId) -> Self {
        Mut::new(ptr, Place { dev, before: 0, after: len }, Slice { len })
    }

    /// Address of the first element, in the memory of the device: for calls of a vendor's library. Using it needs the
    /// order of the handle's stream.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.ptr
    }
}
