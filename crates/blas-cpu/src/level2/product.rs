//! x = op(A) * x and op(A) * x = b for triangular A: one core each for full, band and packed storage.

use std::ops::Range;

use blas_api::{Diag, Trans, Uplo};

use super::GRAIN;
use super::columns::Triangle;
use super::rectangle::{ByRows, Factor, Rectangle};
use super::triangle::{Product, Solve};
use super::whole::Whole;
use crate::lanes::run;
use crate::num::{Acc, Elem};
use crate::operands::{Scratch, Vect};
use crate::simd;
use crate::threads::{self, Shared};

/// Rows and columns on the diagonal that are solved together before what they give is subtracted from the rest.
const BLOCK: usize = 128;

/// Borders between threads are multiples of so many elements of x.
const UNIT: usize = 16;

/// A triangular matrix and the op that it is seen through.
#[derive(Clone, Copy)]
pub(super) struct Triangular<T> {
    pub(super) a: Triangle<T>,
    pub(super) trans: Trans,
    pub(super) diag: Diag,
}

impl<T: Elem<Coef = T> + Acc> Triangular<T> {
    /// Whether op(A) is lower: the first element of a solution is known first, of a product last.
    #[inline(always)]
    pub(super) fn is_solved_from_first(&self) -> bool {
        (self.a.uplo == Uplo::Lower) != self.trans.is_transposed()
    }

    fn columns(&self, ascending: bool) -> impl Iterator<Item = usize> {
        let n = self.a.n;
        (0..n).map(move |j| if ascending { j } else { n - 1 - j })
    }

    /// Times the diagonal element, which a unit diagonal leaves unread.
    ///
    /// # Safety
    /// Where the diagonal is read, the element is there.
    #[inline(always)]
    pub(super) unsafe fn scaled(&self, x: T, diagonal: *const T) -> T {
        match self.diag {
            Diag::Unit => x,
            // SAFETY: the caller's promise.
            Diag::NonUnit => unsafe { *diagonal }.conj_if(self.trans.is_conjugated()) * x,
        }
    }

    /// Divided by the diagonal element. A division, and no product with a rounded reciprocal.
    ///
    /// # Safety
    /// As for [`scaled`](Self::scaled).
    #[inline(always)]
    pub(super) unsafe fn divided(&self, x: T, diagonal: *const T) -> T {
        match self.diag {
            Diag::Unit => x,
            // SAFETY: the caller's promise.
            Diag::NonUnit => x.divide(unsafe { *diagonal }.conj_if(self.trans.is_conjugated())),
        }
    }

    /// x = op(A) * x
    ///
    /// # Safety
    /// The memory of A and x is valid, and that of x not in use elsewhere.
    pub(super) unsafe fn multiply(&self, parts: usize, x: Vect<T>) {
        let work = |x: &mut [T]| {
            let (mut copy, mut scratch) = (Vec::new(), Scratch::default());
            let old = scratch.room(x.len(), &mut copy);
            old.copy_from_slice(x);
            if !self.trans.is_transposed() {
                x.fill(T::zero());
                // SAFETY: the caller's promise.
                return self.a.sum_shares(parts, x, |columns, x| unsafe {
                    self.multiply_columns(columns, old, x.as_mut_ptr());
                });
            }
            // SAFETY: each element is written by one part.
            let x = unsafe { Shared::new(x.as_mut_ptr()) };
            // SAFETY: as above.
            threads::for_each(parts, |p| unsafe {
                self.multiply_columns(self.a.share(parts, p), old, *x.get());
            });
        };
        // SAFETY: the caller's promise.
        unsafe { x.update_all(true, work) }
    }

    /// Adds to x what some columns do in op(A) * old; with transposition, sets the elements of x that they give.
    ///
    /// # Safety
    /// The memory of A and x is valid, and what is written not in use elsewhere.
    unsafe fn multiply_columns(&self, columns: Range<usize>, old: &[T], x: *mut T) {
        if let Some(a) = self.a.whole() {
            return run(&Product { triangle: *self, a, columns, old: old.as_ptr(), x });
        }
        let conj = self.trans.is_conjugated();
        for j in columns {
            // SAFETY: the caller's promise.
            unsafe {
                let (rows, off, diagonal) = self.a.column(j);
                let scaled = self.scaled(old[j], diagonal);
                if self.trans.is_transposed() {
                    *x.add(j) = scaled + simd::dot(conj, off, &old[rows]);
                } else {
                    let x = std::slice::from_raw_parts_mut(x, old.len());
                    simd::axpy_conj(conj, old[j], off, &mut x[rows]);
                    x[j] += scaled;
                }
            }
        }
    }

    /// Solves op(A) * x = b in place of b: on one thread where storage is banded or packed, whose columns are not whole.
    ///
    /// # Safety
    /// As for [`multiply`](Self::multiply).
    pub(super) unsafe fn solve(&self, parts: usize, x: Vect<T>) {
        let conj = self.trans.is_conjugated();
        let work = |x: &mut [T]| {
            if let Some(a) = self.a.whole() {
                return self.solve_whole(a, parts, x);
            }
            for j in self.columns(self.is_solved_from_first()) {
                // SAFETY: the caller's promise.
                let (rows, off, diagonal) = unsafe { self.a.column(j) };
                if self.trans.is_transposed() {
                    let rest = x[j] - simd::dot(conj, off, &x[rows]);
                    // SAFETY: as above.
                    x[j] = unsafe { self.divided(rest, diagonal) };
                } else {
                    // SAFETY: as above.
                    x[j] = unsafe { self.divided(x[j], diagonal) };
                    simd::axpy_conj(conj, -x[j], off, &mut x[rows]);
                }
            }
        };
        // SAFETY: the caller's promise.
        unsafe { x.update_all(true, work) }
    }

    /// Block by block in the order of solution: what one gives is subtracted from the rest by all threads, and by the
    /// caller's first where the next block is, which it then solves.
    fn solve_whole(&self, a: Whole<T>, mut parts: usize, x: &mut [T]) {
        let n = self.a.n;
        // SAFETY: parts write elements of their own, and read none that another one writes.
        let shared = unsafe { Shared::new(x.as_mut_ptr()) };
        let place = |r: Range<usize>| if self.is_solved_from_first() { r } else { n - r.end..n - r.start };
        let solve = |r: Range<usize>| {
            let r = place(r);
            let triangle = Triangular { a: self.a.block(a, r.clone()), ..*self };
            run(&Solve { triangle, a: a.from(r.start, r.start), x: shared.get().wrapping_add(r.start) });
        };
        let subtract = |known: Range<usize>, r: Range<usize>| {
            let (known, r) = (place(known), place(r));
            let (rows, cols, a) = (r.len(), known.len(), a.from(r.start, known.start));
            let (conj, factor) = (self.trans.is_conjugated(), Factor::minus());
            let x = shared.get().wrapping_add(known.start).cast_const();
            let y = shared.get().wrapping_add(r.start);
            run(&ByRows(Rectangle { rows, cols, conj, factor, a, x, y }));
        };
        // With transposition, a block would be a short piece of each column: two threads take 1.4 times as long for that as
        // one does for whole columns.
        if parts == 1 || self.trans.is_transposed() {
            return solve(0..n);
        }
        let mut known = 0..BLOCK.min(n);
        solve(known.clone());
        loop {
            let rest = n - known.end;
            parts = threads::worthwhile((rest * BLOCK * size_of::<T>()) as f64, GRAIN, parts);
            if parts == 1 {
                break;
            }
            // A block on the diagonal takes the time of twice as many elements beside it.
            let first =
                ((rest + BLOCK) / parts).saturating_sub(BLOCK).next_multiple_of(UNIT).max(BLOCK).min(rest);
            let next = known.end..known.end + BLOCK.min(rest);
            threads::for_each(parts, |p| {
                let r = if p == 0 { 0..first } else { threads::range(rest - first, parts - 1, UNIT, p - 1) };
                let offset = known.end + if p == 0 { 0 } else { first };
                subtract(known.clone(), r.start + offset..r.end + offset);
                if p == 0 {
                    solve(next.clone());
                }
            });
            known = next;
        }
        subtract(known.clone(), known.end..n);
        solve(known.end..n);
    }
}
