//! Packing: operands are copied in the order in which kernels read them.
//!
//! This is where layout, transposition, conjugation and element type end: what kernels see is always the same.

use std::ops::Range;

use blas_api::{Element, Scalar};

use super::ahead::ask;
use super::split::{blocks, each};
use super::transpose::transpose;
use super::{Groups, Panel, scratch};
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

    /// [`pack`](Self::pack) of any number of rows, group by group: what is not zero of them. Columns of a group are as far
    /// apart as it is padded, and it comes after those before it as if all their columns had been packed.
    ///
    /// # Safety
    /// As for `pack`.
    #[inline]
    unsafe fn pack_groups(self, at: [usize; 2], size: [usize; 2], groups: Groups, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { pack_groups(self, at, size, groups, to) };
    }

    /// The operand as a matrix, if kernels can read it as it is.
    #[inline(always)]
    fn native(&self) -> Option<Panel<T>> {
        None
    }

    /// The columns, from `l`, outside of which the rows `i..i + m` are zero in the columns `l..l + k`.
    #[inline(always)]
    fn filled(&self, [_i, _l]: [usize; 2], [_m, k]: [usize; 2]) -> Range<usize> {
        0..k
    }
}

/// [`Operand::pack_groups`] by way of [`Operand::pack`].
///
/// # Safety
/// As for both.
#[inline]
pub(super) unsafe fn pack_groups<T>(
    x: impl Operand<T>,
    [i, l]: [usize; 2],
    [m, k]: [usize; 2],
    groups: Groups,
    to: *mut T,
) {
    // Where columns are contiguous, rows cross a page with every element.
    each(k, 64, |c, columns| {
        groups.each(m, |r, m| {
            let (filled, step) = (x.filled([i + r, l + c], [m, columns]), groups.padded(m));
            let to = to.wrapping_add(r * k + (c + filled.start) * step);
            // SAFETY: the caller's promise.
            unsafe { x.pack([i + r, l + c + filled.start], [m, filled.len()], step, to) };
        });
    });
}

impl<A: Elem> Operand<A::Coef> for Panel<A> {
    #[inline(always)]
    fn native(&self) -> Option<Panel<A::Coef>> {
        Panel::native(*self)
    }

    #[inline]
    unsafe fn pack_groups(self, at: [usize; 2], [m, k]: [usize; 2], groups: Groups, to: *mut A::Coef) {
        let from = self.sub(at[0], at[1]);
        // SAFETY: the caller's promise.
        unsafe {
            if !A::DIRECT && self.rs == 1 {
                return widened_columns(from, [m, k], groups, to);
            }
            let whole = groups.whole(m);
            in_lines(from, [whole, k], groups.most, to);
            groups.each(m - whole, |r, m| {
                let r = r + whole;
                in_lines(from.sub(r, 0), [m, k], groups.padded(m), to.wrapping_add(r * k));
            });
        }
    }

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
                if m < step {
                    to.write_bytes(0, k * step);
                }
                copy_all(from, [m, k], step, to.cast());
                for l in 0..if from.conj { k } else { 0 } {
                    let column = std::slice::from_raw_parts_mut(to.add(l * step), m);
                    column.iter_mut().for_each(|x| *x = x.conj());
                }
            },
        );
    }
}

/// Packs groups of `rows` rows, of which only a single one may be incomplete: where columns are contiguous, a cache line of
/// each of a few columns at a time, so that they are read as streams that processors see coming.
///
/// # Safety
/// As for [`Operand::pack_groups`].
#[inline]
unsafe fn in_lines<A: Elem>(from: Panel<A>, [m, k]: [usize; 2], rows: usize, to: *mut A::Coef) {
    /// Streams that are read at once: with one that is a large power of 2 from the next, caches keep few of them.
    const STREAMS: usize = 8;
    /// A cache line.
    type Line = [u64; 8];
    let line = size_of::<Line>() / size_of::<A>();
    let mut done = 0;
    if A::DIRECT && from.rs == 1 && m.is_multiple_of(rows) && rows.is_multiple_of(line) {
        done = k - k % STREAMS;
        // The signs of imaginary parts.
        let (flipped, from_step) = (from.conj && A::DTYPE.is_complex(), from.cs);
        let signs: Line = if size_of::<A>() == size_of::<u64>() {
            [1 << 63; 8]
        } else {
            [0, 1 << 63, 0, 1 << 63, 0, 1 << 63, 0, 1 << 63]
        };
        // (By value: what is behind references would be read again after each line.)
        wide(
            #[inline(always)]
            move || {
                each(done, STREAMS, |l, _| {
                    each(m, rows, |r, _| {
                        each(rows, line, |h, _| {
                            let (from, to) = (from.at(r + h, l), to.wrapping_add(r * k + l * rows + h));
                            for c in 0..STREAMS {
                                let from = from.wrapping_offset(c as isize * from_step).cast::<Line>();
                                // SAFETY: the caller's promise.
                                unsafe {
                                    let mut x = from.read_unaligned();
                                    if flipped {
                                        (0..8).for_each(|i| x[i] ^= signs[i]);
                                    }
                                    to.wrapping_add(c * rows).cast::<Line>().write_unaligned(x);
                                }
                            }
                        });
                    });
                });
            },
        );
    }
    each(m, rows, |r, m| {
        // SAFETY: the caller's promise.
        unsafe { from.pack([r, done], [m, k - done], rows, to.wrapping_add(r * k + done * rows)) };
    });
}

/// Packs elements that are widened, many at a time: single ones would cost more than their product.
///
/// # Safety
/// As for [`Operand::pack`].
unsafe fn widened<A: Elem>(from: Panel<A>, [m, k]: [usize; 2], step: usize, to: *mut A::Coef) {
    /// Rows of the highest tile.
    const ROWS: usize = 64;
    const COLUMNS: usize = 64;
    scratch::with([ROWS * COLUMNS], |[square]: [*mut A::Coef; 1]| {
        let square = Panel::columns(square, COLUMNS).t();
        for (l, k) in blocks(k, COLUMNS) {
            let from = from.sub(0, l);
            // SAFETY: the caller's promise; there is room.
            unsafe {
                if from.cs == 1 {
                    // Few processors see coming that each row goes on after a while.
                    (0..m).for_each(|r| ask(from.at(r, COLUMNS), COLUMNS));
                    A::widen_columns((from.ptr, from.rs), [k, m], (square.ptr, COLUMNS as isize));
                } else {
                    let square = |r: usize| std::slice::from_raw_parts_mut(square.at(r, 0), k);
                    (0..m).for_each(|r| from.sub(r, 0).t().read_column(square(r)));
                }
                padded(square, [m, k], step, to.add(l * step));
            }
        }
    });
}

/// [`Operand::pack_groups`] with elements that are widened, where columns are contiguous.
///
/// # Safety
/// As for [`Operand::pack_groups`].
unsafe fn widened_columns<A: Elem>(from: Panel<A>, [m, k]: [usize; 2], groups: Groups, to: *mut A::Coef) {
    /// Columns that are read at once, and that are asked for before they are needed.
    const COLUMNS: usize = 8;
    for (l, columns) in blocks(k, COLUMNS) {
        groups.each(m, |r, m| {
            let (from, step) = (from.sub(r, l), groups.padded(m));
            let to = to.wrapping_add(r * k + l * step);
            // SAFETY: the caller's promise.
            unsafe {
                if m < step {
                    to.write_bytes(0, columns * step);
                }
                (0..columns).for_each(|c| ask(from.at(0, COLUMNS + c), m));
                A::widen_columns((from.ptr, from.cs), [m, columns], (to, step as isize));
            }
        });
    }
}

/// [`copy`] of the elements themselves.
#[inline(always)]
unsafe fn copy_all<T: Element>(from: Panel<T>, [m, k]: [usize; 2], step: usize, to: *mut T) {
    // SAFETY: the caller's promise.
    unsafe {
        let [rows, columns] =
            if from.cs == 1 { transpose(from.ptr, from.rs, [m, k], to, step) } else { [0, 0] };
        // The columns that are left of these rows, and the rows that are left.
        if columns < k {
            copy(from.sub(0, columns), [rows, k - columns], step, to.add(columns * step));
        }
        copy(from.sub(rows, 0), [m - rows, k], step, to.add(rows));
    }
}

/// Copies m rows as [`Operand::pack`] would.
///
/// # Safety
/// As for [`Operand::pack`].
#[inline(always)]
unsafe fn padded<T: Element>(from: Panel<T>, [m, k]: [usize; 2], step: usize, to: *mut T) {
    // SAFETY: the caller's promise.
    wide(
        #[inline(always)]
        || unsafe {
            if m < step {
                to.write_bytes(0, k * step);
            }
            copy_all(from, [m, k], step, to);
        },
    );
}

/// Copies m rows as [`Operand::pack`] would, but without zeros at the ends of columns.
#[inline(always)]
unsafe fn copy<T: Element>(from: Panel<T>, [m, k]: [usize; 2], step: usize, to: *mut T) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut i = 0;
        while i + 8 <= m {
            few::<T, 8>(from.sub(i, 0), k, step, to.add(i));
            i += 8;
        }
        if m - i == 6 {
            return few::<T, 6>(from.sub(i, 0), k, step, to.add(i));
        }
        if m & 4 != 0 {
            few::<T, 4>(from.sub(i, 0), k, step, to.add(i));
            i += 4;
        }
        if m & 2 != 0 {
            few::<T, 2>(from.sub(i, 0), k, step, to.add(i));
            i += 2;
        }
        if m & 1 != 0 {
            few::<T, 1>(from.sub(i, 0), k, step, to.add(i));
        }
    }
}

/// Columns that are read together where rows are contiguous.
const CHUNK: usize = 4;

/// The transposed square. Left to itself, the compiler moves element by element.
#[inline(always)]
fn transposed<T: Copy>(x: [[T; CHUNK]; CHUNK]) -> [[T; CHUNK]; CHUNK] {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        use std::mem::transmute_copy;
        if size_of::<T>() == 4 {
            // SAFETY: four elements of this size are a register, and all processors have these instructions.
            return unsafe {
                let [mut a, mut b, mut c, mut d]: [__m128; 4] = transmute_copy(&x);
                _MM_TRANSPOSE4_PS(&mut a, &mut b, &mut c, &mut d);
                transmute_copy(&[a, b, c, d])
            };
        }
        if size_of::<T>() == 8 {
            // SAFETY: as above, with two elements.
            return unsafe {
                let [a, b, c, d]: [[__m128d; 2]; 4] = transmute_copy(&x);
                transmute_copy(&[
                    [_mm_unpacklo_pd(a[0], b[0]), _mm_unpacklo_pd(c[0], d[0])],
                    [_mm_unpackhi_pd(a[0], b[0]), _mm_unpackhi_pd(c[0], d[0])],
                    [_mm_unpacklo_pd(a[1], b[1]), _mm_unpacklo_pd(c[1], d[1])],
                    [_mm_unpackhi_pd(a[1], b[1]), _mm_unpackhi_pd(c[1], d[1])],
                ])
            };
        }
    }
    std::array::from_fn(|c| std::array::from_fn(|r| x[r][c]))
}

/// [`copy`] of R rows.
#[inline(always)]
unsafe fn few<T: Element, const R: usize>(from: Panel<T>, k: usize, step: usize, to: *mut T) {
    // SAFETY: the caller's promise.
    unsafe {
        if from.rs == 1 {
            for l in 0..k {
                let column = from.at(0, l).cast::<[T; R]>().read_unaligned();
                to.add(l * step).cast::<[T; R]>().write_unaligned(column);
            }
            return;
        }
        let whole = if from.cs == 1 { k - k % CHUNK } else { 0 };
        for l in (0..whole).step_by(CHUNK) {
            let to = to.add(l * step);
            for r in (0..R - R % CHUNK).step_by(CHUNK) {
                let mut square = [[T::default(); CHUNK]; CHUNK];
                for (q, row) in square.iter_mut().enumerate() {
                    *row = from.at(r + q, l).cast::<[T; CHUNK]>().read_unaligned();
                }
                for (c, column) in transposed(square).into_iter().enumerate() {
                    to.add(r + c * step).cast::<[T; CHUNK]>().write_unaligned(column);
                }
            }
            for r in R - R % CHUNK..R {
                let row = from.at(r, l).cast::<[T; CHUNK]>().read_unaligned();
                for (c, x) in row.into_iter().enumerate() {
                    to.add(r + c * step).write(x);
                }
            }
        }
        for l in whole..k {
            (0..R).for_each(|r| to.add(r + l * step).write(*from.at(r, l)));
        }
    }
}

/// Copies what [`Operand::pack`] would pack back to where it came from: m rows of k elements.
///
/// # Safety
/// As for [`Operand::pack`]; the elements of the matrix are not in use elsewhere.
pub(super) unsafe fn unpack<T: Scalar>(from: *const T, step: usize, [m, k]: [usize; 2], to: Panel<T>) {
    let packed = Panel::columns(from.cast_mut(), step);
    // SAFETY: the caller's promise.
    unsafe {
        if to.rs == 1 && to.cs > 0 {
            return wide(
                #[inline(always)]
                || copy_all(packed, [m, k], to.cs as usize, to.ptr),
            );
        }
        if to.cs == 1 && to.rs > 0 {
            // The rows of the matrix are packed columns of the packed rows: a transposed copy.
            return wide(
                #[inline(always)]
                || copy_all(packed.t(), [k, m], to.rs as usize, to.ptr),
            );
        }
        (0..k).for_each(|l| (0..m).for_each(|i| to.set(i, l, *packed.at(i, l))));
    }
}
