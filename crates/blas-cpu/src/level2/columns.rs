//! Columns of stored matrices: full, band and packed ones differ in nothing else.

use std::ops::Range;

use blas_api::{Address, Element, Matrix, Uplo};

use crate::operands::entry;

/// How the triangle of a matrix is stored.
#[derive(Clone, Copy)]
pub(super) enum Storage {
    /// In a full matrix of this leading dimension.
    Full(usize),
    /// In band storage, with so many off-diagonals.
    Band { ld: usize, k: usize },
    /// Packed by columns.
    Packed,
}

/// One triangle of a matrix of order `n`.
#[derive(Clone, Copy)]
pub(super) struct Triangle<T> {
    ptr: *mut T,
    pub(super) n: usize,
    pub(super) uplo: Uplo,
    storage: Storage,
}

impl<T: Element> Triangle<T> {
    /// That of batch entry `i`.
    ///
    /// # Safety
    /// As for [`Address::entry`].
    pub(super) unsafe fn new(data: Address, i: usize, n: usize, uplo: Uplo, storage: Storage) -> Self {
        // SAFETY: the caller's promise.
        Triangle { ptr: unsafe { entry(data, i) }, n, uplo, storage }
    }

    /// First element and leading dimension of full storage.
    pub(super) fn full(&self) -> Option<(*mut T, usize)> {
        match self.storage {
            Storage::Full(ld) => Some((self.ptr, ld)),
            _ => None,
        }
    }

    /// First row, number of rows and first element of the stored part of column `j`, diagonal included.
    fn run(&self, j: usize) -> (usize, usize, *mut T) {
        let (n, upper) = (self.n, self.uplo == Uplo::Upper);
        let reach = match self.storage {
            Storage::Band { k, .. } => k,
            _ => n,
        };
        let (first, last) =
            if upper { (j.saturating_sub(reach), j) } else { (j, (n - 1).min(j.saturating_add(reach))) };
        let offset = match (self.storage, upper) {
            (Storage::Full(ld), _) => j * ld + first,
            (Storage::Band { ld, k }, true) => j * ld + k - (j - first),
            (Storage::Band { ld, .. }, false) => j * ld,
            (Storage::Packed, true) => j * (j + 1) / 2,
            (Storage::Packed, false) => j * (2 * n - j + 1) / 2,
        };
        (first, last - first + 1, self.ptr.wrapping_add(offset))
    }

    /// The stored part of column `j`: rows off the diagonal, their elements, and the diagonal element.
    ///
    /// # Safety
    /// `j < n`; the memory is valid, and not written while the column lives.
    #[inline]
    pub(super) unsafe fn column<'a>(&self, j: usize) -> (Range<usize>, &'a [T], &'a T) {
        let (first, len, ptr) = self.run(j);
        // SAFETY: the caller's promise.
        let run = unsafe { std::slice::from_raw_parts(ptr, len) };
        match self.uplo {
            Uplo::Upper => (first..j, &run[..len - 1], &run[len - 1]),
            Uplo::Lower => (j + 1..first + len, &run[1..], &run[0]),
        }
    }

    /// The stored part of column `j`, to write: its rows, diagonal included, and their elements.
    ///
    /// # Safety
    /// `j < n`; the memory is valid, and not in use elsewhere while the column lives.
    #[inline]
    pub(super) unsafe fn column_mut<'a>(&self, j: usize) -> (Range<usize>, &'a mut [T]) {
        let (first, len, ptr) = self.run(j);
        // SAFETY: the caller's promise.
        (first..first + len, unsafe { std::slice::from_raw_parts_mut(ptr, len) })
    }
}

/// A band matrix of `m` rows with `kl` diagonals below and `ku` above the main one; a full matrix has them all.
#[derive(Clone, Copy)]
pub(super) struct BandColumns<T> {
    ptr: *const T,
    m: usize,
    kl: usize,
    ku: usize,
    ld: usize,
}

impl<T: Element> BandColumns<T> {
    /// That of batch entry `i`.
    ///
    /// # Safety
    /// As for [`Address::entry`].
    pub(super) unsafe fn new(a: Matrix, i: usize, m: usize, kl: usize, ku: usize) -> Self {
        // SAFETY: the caller's promise.
        BandColumns { ptr: unsafe { entry::<T>(a.data, i) }, m, kl, ku, ld: a.ld }
    }

    /// The rows of column `j` within the band, and their elements.
    ///
    /// # Safety
    /// `j` is less than the number of columns; the memory is valid, and not written while the column lives.
    #[inline]
    pub(super) unsafe fn column<'a>(&self, j: usize) -> (Range<usize>, &'a [T]) {
        let first = j.saturating_sub(self.ku);
        let end = self.m.min(j.saturating_add(self.kl).saturating_add(1));
        if first >= end {
            return (0..0, &[]);
        }
        // Row i of column j is at ku + i - j.
        let ptr = self.ptr.wrapping_add(j * self.ld + self.ku - (j - first));
        // SAFETY: the caller's promise.
        (first..end, unsafe { std::slice::from_raw_parts(ptr, end - first) })
    }
}
