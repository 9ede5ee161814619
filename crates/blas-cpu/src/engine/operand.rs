//! Packing: operands are copied in the order in which kernels read them.
//!
//! This is where layout, transposition, conjugation and element type end: what kernels see is always the same.

use std::ops::Range;

use blas_api::{Element, Scalar};

use super::{Panel, blocks};
use crate::num::Elem;
use crate::simd::wide;

/// An operand of a product, as m rows of k elements. (The right operand is handed over transposed.)
pub(crate) trait Operand<T>: Copy + Sync {
    /// Copies the rows `i..i + m` and columns `l..l + k` to `to`, column by column, with `step` elements a column of
    /// which those after the m-th are zero.
    ///
    /// # Safety
    /// All elements are there, and so is room for k * step at `to`; m <= step.
    unsafe fn pack(self, at: [usize; 2], size: [usize; 2], step: usize, to: *mut T);

    /// The columns, from `l`, outside of which the rows `i..i + m` are zero in the columns `l..l + k`.
    #[inline(always)]
    fn filled(&self, [_i, _l]: [usize; 2], [_m, k]: [usize; 2]) -> Range<usize> {
        0..k
    }
}

impl<A: Elem> Operand<A::Coef> for Panel<A> {
    #[inline]
    unsafe fn pack(self, [i, l]: [usize; 2], [m, k]: [usize; 2], step: usize, to: *mut A::Coef) {
        let from = self.sub(i, l);
        if !A::DIRECT {
            // SAFETY: the caller's promise.
            return unsafe { widened(from, [m, k], step, to) };
        }
        // SAFETY: the caller's promise.
        wide(
            #[inline(always)]
            || unsafe {
                match (from.rs == 1, from.conj) {
                    (true, false) => columns(from, [m, k], step, to, |x: A| x.to_coef()),
                    (true, true) => columns(from, [m, k], step, to, |x: A| x.to_coef().conj()),
                    (false, false) => rows(from, [m, k], step, to, |x: A| x.to_coef()),
                    (false, true) => rows(from, [m, k], step, to, |x: A| x.to_coef().conj()),
                }
            },
        );
    }
}

/// Packs elements that are widened, many at a time: single ones would cost more than their product.
///
/// # Safety
/// As for [`Operand::pack`].
unsafe fn widened<A: Elem>(from: Panel<A>, [m, k]: [usize; 2], step: usize, to: *mut A::Coef) {
    /// Rows of the highest tile.
    const ROWS: usize = 64;
    const COLUMNS: usize = 64;
    if from.rs == 1 {
        for l in 0..k {
            // SAFETY: the caller's promise.
            unsafe {
                let column = std::slice::from_raw_parts_mut(to.add(l * step), step);
                column[m..].fill(A::Coef::default());
                A::widen(std::slice::from_raw_parts(from.at(0, l), m), &mut column[..m]);
            }
        }
        return;
    }
    let mut square = [[A::Coef::default(); COLUMNS]; ROWS];
    for (l, k) in blocks(k, COLUMNS) {
        for (r, row) in square[..m].iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { from.sub(r, l).t().read_column(&mut row[..k]) };
        }
        let panel = Panel::columns(square.as_mut_ptr().cast::<A::Coef>(), COLUMNS).t();
        // SAFETY: the caller's promise.
        unsafe { rows(panel, [m, k], step, to.add(l * step), |x| x) };
    }
}

/// Elements copied at a time.
const CHUNK: usize = 4;

#[inline(always)]
fn transposed<T: Copy>(x: [[T; CHUNK]; CHUNK]) -> [[T; CHUNK]; CHUNK] {
    let [a, b, c, d] = x;
    [[a[0], b[0], c[0], d[0]], [a[1], b[1], c[1], d[1]], [a[2], b[2], c[2], d[2]], [a[3], b[3], c[3], d[3]]]
}

/// Copies k columns that are contiguous.
#[inline(always)]
unsafe fn columns<S: Element, C: Element>(
    from: Panel<S>,
    [m, k]: [usize; 2],
    step: usize,
    to: *mut C,
    f: impl Fn(S) -> C,
) {
    let whole = m - m % CHUNK;
    for l in 0..k {
        // SAFETY: the caller's promise.
        unsafe {
            let (from, to) = (from.at(0, l), to.add(l * step));
            let mut i = 0;
            while i < whole {
                let x = from.add(i).cast::<[S; CHUNK]>().read_unaligned();
                to.add(i).cast::<[C; CHUNK]>().write_unaligned(x.map(&f));
                i += CHUNK;
            }
            (whole..m).for_each(|i| to.add(i).write(f(*from.add(i))));
            (m..step).for_each(|i| to.add(i).write(C::default()));
        }
    }
}

/// Copies m rows, in squares.
#[inline(always)]
unsafe fn rows<S: Element, C: Element>(
    from: Panel<S>,
    [m, k]: [usize; 2],
    step: usize,
    to: *mut C,
    f: impl Fn(S) -> C,
) {
    let whole = if from.cs == 1 { [m - m % CHUNK, k - k % CHUNK] } else { [0, 0] };
    let get = |i, l| {
        // SAFETY: the caller's promise.
        f(unsafe { *from.at(i, l) })
    };
    // SAFETY: the caller's promise.
    unsafe {
        for l in (0..whole[1]).step_by(CHUNK) {
            for i in (0..whole[0]).step_by(CHUNK) {
                let square = std::array::from_fn(|r| from.at(i + r, l).cast::<[S; CHUNK]>().read_unaligned());
                for (c, column) in transposed(square).into_iter().enumerate() {
                    to.add(i + (l + c) * step).cast::<[C; CHUNK]>().write_unaligned(column.map(&f));
                }
            }
        }
        for l in 0..k {
            let done = if l < whole[1] { whole[0] } else { 0 };
            (done..m).for_each(|i| to.add(i + l * step).write(get(i, l)));
            (m..step).for_each(|i| to.add(i + l * step).write(C::default()));
        }
    }
}

/// Copies what [`Operand::pack`] would pack back to where it came from: m rows of k elements.
///
/// # Safety
/// As for [`Operand::pack`]; the elements of the matrix are not in use elsewhere.
pub(super) unsafe fn unpack<T: Scalar>(from: *const T, step: usize, [m, k]: [usize; 2], to: Panel<T>) {
    wide(
        #[inline(always)]
        || {
            let whole = if to.cs == 1 { [m - m % CHUNK, k - k % CHUNK] } else { [0, 0] };
            // SAFETY: the caller's promise.
            unsafe {
                for l in (0..whole[1]).step_by(CHUNK) {
                    for i in (0..whole[0]).step_by(CHUNK) {
                        let square = std::array::from_fn(|c| {
                            from.add(i + (l + c) * step).cast::<[T; CHUNK]>().read_unaligned()
                        });
                        for (r, row) in transposed(square).into_iter().enumerate() {
                            to.at(i + r, l).cast::<[T; CHUNK]>().write_unaligned(row);
                        }
                    }
                }
                for l in 0..k {
                    let done = if l < whole[1] { whole[0] } else { 0 };
                    if to.rs == 1 {
                        to.at(0, l).copy_from_nonoverlapping(from.add(l * step), m);
                    } else {
                        (done..m).for_each(|i| to.set(i, l, *from.add(i + l * step)));
                    }
                }
            }
        },
    );
}
