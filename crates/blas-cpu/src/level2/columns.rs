//! Columns of stored matrices: full, band and packed ones differ in nothing else.

use std::ops::Range;

use blas_api::{Address, Element, Matrix, Uplo};

use super::whole::Whole;
use crate::num::Acc;
use crate::operands::entry;
use crate::simd::wide;
use crate::threads::{self, Shared};

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

// SAFETY: a pointer with a length; those who follow it answer for conflicts.
unsafe impl<T> Send for Triangle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Triangle<T> {}

impl<T: Element> Triangle<T> {
    /// That of batch entry `i`.
    ///
    /// # Safety
    /// As for [`Address::entry`].
    pub(super) unsafe fn new(data: Address, i: usize, n: usize, uplo: Uplo, storage: Storage) -> Self {
        // SAFETY: the caller's promise.
        Triangle { ptr: unsafe { entry(data, i) }, n, uplo, storage }
    }

    /// Its elements in full storage.
    pub(super) fn whole(&self) -> Option<Whole<T>> {
        match self.storage {
            Storage::Full(ld) => Some(Whole { first: self.ptr, ld }),
            _ => None,
        }
    }

    /// The triangle of the rows and columns `r`, in full storage.
    pub(super) fn block(&self, a: Whole<T>, r: Range<usize>) -> Self {
        Triangle { ptr: a.at(r.start, r.start), n: r.len(), uplo: self.uplo, storage: Storage::Full(a.ld) }
    }

    /// Part `p` of the columns, of `parts` that have about as many elements each.
    pub(super) fn share(&self, parts: usize, p: usize) -> Range<usize> {
        // Borders are so many columns, or a multiple, from the end where columns are long.
        const UNIT: usize = 16;
        if let Storage::Band { .. } = self.storage {
            return threads::range(self.n, parts, UNIT, p);
        }
        // Columns that are left when those at the tip that hold p parts of the elements are taken away.
        let beside = |p: usize| match p {
            0 => self.n,
            _ => {
                let tip = self.n as f64 * (p as f64 / parts as f64).sqrt();
                self.n.saturating_sub(tip as usize) / UNIT * UNIT
            }
        };
        match self.uplo {
            Uplo::Upper => self.n - beside(p)..self.n - beside(p + 1),
            Uplo::Lower => beside(parts - p)..beside(parts - p - 1),
        }
    }

    /// Adds to y what `f(columns, sum)` adds to `sum` for each share of the columns, on as many threads: the first to y
    /// itself, the others to zeros, which are then added in order.
    pub(super) fn sum_shares(&self, parts: usize, y: &mut [T], f: impl Fn(Range<usize>, &mut [T]) + Sync)
    where
        T: Acc,
    {
        let n = self.n;
        let mut more: Vec<T> = Vec::with_capacity((parts - 1) * n);
        // SAFETY: each part has a vector of its own.
        let vectors = unsafe { Shared::new((y.as_mut_ptr(), more.as_mut_ptr())) };
        threads::for_each(parts, |p| {
            let (y, more) = *vectors.get();
            let sum = if p == 0 { y } else { more.wrapping_add((p - 1) * n) };
            if p > 0 {
                // SAFETY: there is room for n elements.
                (0..n).for_each(|i| unsafe { sum.add(i).write(T::zero()) });
            }
            // SAFETY: n elements are there.
            f(self.share(parts, p), unsafe { std::slice::from_raw_parts_mut(sum, n) });
        });
        // SAFETY: all have been written.
        unsafe { more.set_len((parts - 1) * n) };
        for p in 1..parts {
            let columns = self.share(parts, p);
            let rows = if self.uplo == Uplo::Lower { columns.start..n } else { 0..columns.end };
            let sum = &more[(p - 1) * n..][rows.clone()];
            wide(
                #[inline(always)]
                || y[rows].iter_mut().zip(sum).for_each(|(y, sum)| *y += *sum),
            );
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
