//! gemv: y = alpha * op(A) * x + beta * y.

use std::ops::Range;

use blas_api::*;
use num_traits::Zero;

use crate::num::Elem;
use crate::operands::{CHUNK, Scratch, Vect, coef, entry, unsupported};
use crate::threads::{self, STREAM_GRAIN, Shared, for_each_entry};
use crate::{CpuHandle, simd};

pub(crate) unsafe fn gemv(h: &CpuHandle, d: &GemvDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else return Err(unsupported(Routine::Gemv, d.dtype)));
    Ok(())
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &GemvDesc) {
    let (rows, cols) = if d.trans.is_transposed() { (d.n, d.m) } else { (d.m, d.n) };
    let work = d.m as f64 * d.n as f64;
    // SAFETY: the descriptor's promise; entries are distinct, and so are elements of y.
    unsafe {
        let (alpha, beta) = (coef::<T::Coef>(d.alpha), coef::<T::Coef>(d.beta));
        for_each_entry(h, d, work, STREAM_GRAIN, |d, i, parts| {
            let (x, y) = (Vect::<T>::new(d.x, i, cols), Vect::<T>::new(d.y, i, rows));
            let a = entry::<T>(d.a.data, i);
            let mut copy = Vec::new();
            let x = if alpha.is_zero() { &[] } else { x.load_all(&mut copy) };
            let (transposed, conj) = (d.trans.is_transposed(), d.trans.is_conjugated());
            let product = Shared::new(Product { a, ld: d.a.ld, conj, alpha, x, beta, y });
            // Each element of y is summed in one order, however many parts there are.
            threads::for_each(parts, |p| {
                let range = threads::range(rows, parts, CHUNK, p);
                if transposed { product.get().by_columns(range) } else { product.get().by_rows(range) }
            });
        });
    }
}

/// What the threads of one product share.
struct Product<'a, T: Elem> {
    a: *const T,
    ld: usize,
    conj: bool,
    alpha: T::Coef,
    /// Empty for alpha = 0.
    x: &'a [T::Coef],
    beta: T::Coef,
    y: Vect<T>,
}

impl<T: Elem> Product<'_, T> {
    /// Rows `rows` of column `j`.
    unsafe fn column(&self, rows: Range<usize>, j: usize) -> Vect<T> {
        // SAFETY: the caller's promise: these elements are there.
        unsafe { Vect::contiguous(self.a.wrapping_add(j * self.ld + rows.start).cast_mut(), rows.len()) }
    }

    /// The elements `rows` of y for op N: columns of A are added up in registers' worth of rows.
    ///
    /// # Safety
    /// The memory is valid, and those elements of y are not in use elsewhere.
    unsafe fn by_rows(&self, rows: Range<usize>) {
        let (mut sums, mut ys) = (Scratch::default(), Scratch::default());
        let mut columns: [Scratch<T::Coef>; 4] = Default::default();
        for start in rows.clone().step_by(CHUNK) {
            let chunk = start..rows.end.min(start + CHUNK);
            let len = chunk.len();
            let sum = sums.zeroed(len);
            // SAFETY: the caller's promise.
            unsafe {
                let mut j = 0;
                while j + 4 <= self.x.len() {
                    let [c0, c1, c2, c3] = &mut columns;
                    let a = [
                        self.column(chunk.clone(), j).load(0..len, c0),
                        self.column(chunk.clone(), j + 1).load(0..len, c1),
                        self.column(chunk.clone(), j + 2).load(0..len, c2),
                        self.column(chunk.clone(), j + 3).load(0..len, c3),
                    ];
                    simd::axpy4(self.conj, [self.x[j], self.x[j + 1], self.x[j + 2], self.x[j + 3]], a, sum);
                    j += 4;
                }
                for j in j..self.x.len() {
                    let a = self.column(chunk.clone(), j).load(0..len, &mut columns[0]);
                    simd::axpy_conj(self.conj, self.x[j], a, sum);
                }
                self.store(chunk, sum, &mut ys);
            }
        }
    }

    /// The elements `cols` of y for the transposed ops: each is a dot product with a column of A.
    ///
    /// # Safety
    /// As for [`by_rows`](Self::by_rows).
    unsafe fn by_columns(&self, cols: Range<usize>) {
        let (mut sums, mut ys, mut column) = (Scratch::default(), Scratch::default(), Scratch::default());
        let m = self.x.len();
        for start in cols.clone().step_by(CHUNK) {
            let chunk = start..cols.end.min(start + CHUNK);
            let sum = sums.zeroed(chunk.len());
            for (sum, j) in sum.iter_mut().zip(chunk.clone()) {
                // SAFETY: the caller's promise.
                let a = unsafe { self.column(0..m, j) };
                let step = if T::DIRECT { m.max(1) } else { CHUNK };
                for first in (0..m).step_by(step) {
                    let r = first..m.min(first + step);
                    // SAFETY: as above.
                    let a = unsafe { a.load(r.clone(), &mut column) };
                    *sum += simd::dot(self.conj, a, &self.x[r]);
                }
            }
            // SAFETY: as above.
            unsafe { self.store(chunk, sum, &mut ys) };
        }
    }

    /// y = alpha * sum + beta * y for the elements `r`.
    ///
    /// # Safety
    /// As for [`by_rows`](Self::by_rows).
    unsafe fn store(&self, r: Range<usize>, sum: &[T::Coef], scratch: &mut Scratch<T::Coef>) {
        // SAFETY: the caller's promise.
        unsafe {
            self.y.update(r, !self.beta.is_zero(), scratch, |y| {
                simd::scal_or_clear(self.beta, y);
                if !self.alpha.is_zero() {
                    simd::axpy(self.alpha, sum, y);
                }
            });
        }
    }
}
