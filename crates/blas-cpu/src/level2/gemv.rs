//! gemv: y = alpha * op(A) * x + beta * y.

use std::ops::Range;

use blas_api::*;
use num_traits::{One, Zero};

use super::rectangle::{ByColumns, ByRows, Factor, Rectangle};
use super::whole::Whole;
use super::{GRAIN, GROUP, RECTANGLE_GRAIN};
use crate::lanes::run;
use crate::num::Elem;
use crate::operands::{CHUNK, Scratch, Vect, coef, entry, unsupported};
use crate::threads::{self, Shared, for_each_entry};
use crate::{CpuHandle, simd};

pub(crate) unsafe fn gemv(h: &CpuHandle, d: &GemvDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else return Err(unsupported(Routine::Gemv, d.dtype)));
    Ok(())
}

/// A y of at most so many elements is too short to share among threads.
const SHORT: usize = 256;

/// So many columns are more than sums apart for two halves of them add to their elements.
const WIDE: usize = 256;

/// Elements of x that make a part of their own where y is short. Fixed, so that their sums do not depend on the number of
/// threads.
const BLOCK: usize = 1 << 14;

/// Bytes of A that are worth a thread which is awake. With AVX-512, a core is through with 80 kB in a microsecond, which is what
/// it costs to hand over a half and to have its sums back.
fn grain() -> f64 {
    #[cfg(target_arch = "x86_64")]
    if crate::isa::Isa::get() == crate::isa::Isa::Avx512 {
        return GRAIN;
    }
    RECTANGLE_GRAIN
}

/// The border between halves that are apart is a multiple of so many columns.
const UNIT: usize = 32;

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &GemvDesc) {
    let (rows, cols) = if d.trans.is_transposed() { (d.n, d.m) } else { (d.m, d.n) };
    let bytes = d.m as f64 * d.n as f64 * size_of::<T>() as f64;
    // SAFETY: the descriptor's promise; entries are distinct, and so are elements of y.
    unsafe {
        let (alpha, beta) = (coef::<T::Coef>(d.alpha), coef::<T::Coef>(d.beta));
        for_each_entry(h, d, bytes, grain(), |d, i, parts| {
            let (x, y) = (Vect::<T>::new(d.x, i, cols), Vect::<T>::new(d.y, i, rows));
            let a = entry::<T>(d.a.data, i);
            let mut copy = Vec::new();
            let x = if alpha.is_zero() { &[] } else { x.load_all(&mut copy) };
            let product = Shared::new(Product { a, ld: d.a.ld, trans: d.trans, x, bytes });
            let store = |r: Range<usize>, sums: &[T::Coef]| {
                y.update(r, !beta.is_zero(), &mut Scratch::default(), |y| {
                    simd::scal_or_clear(beta, y);
                    if !alpha.is_zero() {
                        simd::axpy(alpha, sums, y);
                    }
                });
            };
            if rows <= SHORT && x.len() > BLOCK {
                return store(0..rows, &product.get().by_blocks(rows, parts));
            }
            if let Some(y) = y.direct_mut() {
                return product.get().direct(parts, alpha, beta, y);
            }
            threads::for_each_of(bytes, parts, |p| {
                let mut sums = Scratch::default();
                for r in chunks(product.get().share(rows, parts, p)) {
                    let sums = sums.zeroed(r.len());
                    product.get().add(r.clone(), sums);
                    store(r, sums);
                }
            });
        });
    }
}

/// Cut into pieces that a [`Scratch`] can hold.
fn chunks(r: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    r.clone().step_by(CHUNK).map(move |start| start..r.end.min(start + CHUNK))
}

/// op(A) * x
#[derive(Clone, Copy)]
struct Product<'a, T: Elem> {
    a: *const T,
    ld: usize,
    trans: Trans,
    /// Empty if nothing is to be added.
    x: &'a [T::Coef],
    /// Those of A.
    bytes: f64,
}

impl<T: Elem> Product<'_, T> {
    /// All elements, as sums over fixed blocks of x, which are added in order. They fit a [`Scratch`].
    ///
    /// # Safety
    /// The memory is valid.
    unsafe fn by_blocks(self, rows: usize, parts: usize) -> Vec<T::Coef> {
        let blocks = self.x.len().div_ceil(BLOCK);
        let mut sums = vec![T::Coef::zero(); blocks * rows];
        // SAFETY: each block is one thread's.
        let shared = unsafe { Shared::new((self, sums.as_mut_ptr())) };
        threads::for_each_of(self.bytes, parts, |p| {
            let (product, sums) = *shared.get();
            for b in threads::range(blocks, parts, 1, p) {
                let r = b * BLOCK..product.x.len().min((b + 1) * BLOCK);
                // SAFETY: the caller's promise.
                unsafe {
                    let sums = std::slice::from_raw_parts_mut(sums.wrapping_add(b * rows), rows);
                    product.part(r).add(0..rows, sums);
                }
            }
        });
        let (total, rest) = sums.split_at_mut(rows);
        rest.chunks(rows).for_each(|sums| simd::axpy(T::Coef::one(), sums, total));
        sums.truncate(rows);
        sums
    }

    /// y = alpha * op(A) * x + beta * y, for elements that are of the accumulation type.
    ///
    /// # Safety
    /// The memory is valid.
    unsafe fn direct(&self, parts: usize, alpha: T::Coef, beta: T::Coef, y: &mut [T::Coef]) {
        let (rows, cols) = (y.len(), self.x.len());
        // Two threads read whole columns faster than pieces of all of them. Their sums are then apart, as they are where one
        // thread computes both.
        let apart = self.bytes >= 2.0 * GRAIN && cols >= WIDE && !self.trans.is_transposed();
        let border = if apart { (cols / 2).next_multiple_of(UNIT) } else { cols };
        let mut more = vec![T::Coef::zero(); if apart { rows } else { 0 }];
        let pairs = apart && parts.is_multiple_of(2);
        // SAFETY: each element of a sum is one thread's.
        let sums = unsafe { Shared::new((*self, [y.as_mut_ptr(), more.as_mut_ptr()])) };
        threads::for_each_of(self.bytes, parts, |p| {
            let (product, sums) = sums.get();
            let r = if pairs { product.share(rows, parts / 2, p / 2) } else { product.share(rows, parts, p) };
            for (half, columns) in [0..border, border..cols].into_iter().enumerate() {
                if pairs && half != p % 2 || half == 1 && !apart {
                    continue;
                }
                // SAFETY: there are as many elements as rows.
                let sum =
                    unsafe { std::slice::from_raw_parts_mut(sums[half].wrapping_add(r.start), r.len()) };
                if half == 0 {
                    simd::scal_or_clear(beta, sum);
                }
                if !columns.is_empty() {
                    // SAFETY: the caller's promise.
                    unsafe { product.part(columns).add_direct(r.clone(), alpha, sum) };
                }
            }
        });
        if apart {
            simd::axpy(T::Coef::one(), &more, y);
        }
    }

    /// The elements of y that are part `p`: their sums are stored time and again, in cache lines of their own, or stand for groups
    /// of columns.
    fn share(&self, rows: usize, parts: usize, p: usize) -> Range<usize> {
        let unit = if self.trans.is_transposed() { GROUP } else { 64 / size_of::<T::Coef>() };
        threads::range(rows, parts, unit, p)
    }

    /// The product with the elements `r` of x alone.
    fn part(self, r: Range<usize>) -> Self {
        let step = if self.trans.is_transposed() { 1 } else { self.ld };
        Product { a: self.a.wrapping_add(r.start * step), x: &self.x[r], ..self }
    }

    /// Adds the elements `r`, times alpha, to y, for elements that are of the accumulation type.
    ///
    /// # Safety
    /// The memory is valid.
    unsafe fn add_direct(&self, r: Range<usize>, alpha: T::Coef, y: &mut [T::Coef]) {
        debug_assert!(T::DIRECT && r.len() == y.len());
        let (conj, factor) = (self.trans.is_conjugated(), Factor::of(alpha));
        let a = Whole { first: self.a.cast::<T::Coef>().cast_mut(), ld: self.ld };
        let (x, y) = (self.x.as_ptr(), y.as_mut_ptr());
        if self.trans.is_transposed() {
            let (rows, cols, a) = (self.x.len(), r.len(), a.from(0, r.start));
            run(&ByColumns(Rectangle { rows, cols, conj, factor, a, x, y }));
        } else {
            let (rows, cols, a) = (r.len(), self.x.len(), a.from(r.start, 0));
            run(&ByRows(Rectangle { rows, cols, conj, factor, a, x, y }));
        }
    }

    /// Adds the elements `r` to `sums`; at most [`CHUNK`] of them.
    ///
    /// # Safety
    /// The memory is valid.
    unsafe fn add(&self, r: Range<usize>, sums: &mut [T::Coef]) {
        if T::DIRECT {
            // SAFETY: the caller's promise.
            return unsafe { self.add_direct(r, T::Coef::one(), sums) };
        }
        // SAFETY: the caller's promise.
        unsafe { if self.trans.is_transposed() { self.by_columns(r, sums) } else { self.by_rows(r, sums) } }
    }

    /// Rows `rows` of column `j`.
    unsafe fn column(&self, rows: Range<usize>, j: usize) -> Vect<T> {
        // SAFETY: the caller's promise: these elements are there.
        unsafe { Vect::contiguous(self.a.wrapping_add(j * self.ld + rows.start).cast_mut(), rows.len()) }
    }

    /// [`add`](Self::add) without transposition, of half types: a widened piece of a column at a time.
    unsafe fn by_rows(&self, rows: Range<usize>, sums: &mut [T::Coef]) {
        let mut scratch = Scratch::default();
        for (j, x) in self.x.iter().enumerate() {
            // SAFETY: the caller's promise.
            let a = unsafe { self.column(rows.clone(), j).load(0..rows.len(), &mut scratch) };
            simd::axpy(*x, a, sums);
        }
    }

    /// [`add`](Self::add) with transposition, of half types.
    unsafe fn by_columns(&self, cols: Range<usize>, sums: &mut [T::Coef]) {
        let (m, mut scratch) = (self.x.len(), Scratch::default());
        for (sum, j) in sums.iter_mut().zip(cols) {
            for first in (0..m).step_by(CHUNK) {
                let r = first..m.min(first + CHUNK);
                // SAFETY: the caller's promise.
                let a = unsafe { self.column(r.clone(), j).load(0..r.len(), &mut scratch) };
                *sum += simd::dot(false, a, &self.x[r]);
            }
        }
    }
}
