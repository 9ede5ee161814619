//! Products with few columns: A is read once, in the order in which it is stored, while sums wait in a cache.

// As in `tile`.
#![allow(clippy::needless_range_loop)]

use std::ptr::{null, null_mut};

use super::kernels::Native;
use super::split::{blocks, even};
use super::tile::{SCALED, Tile, Update};
use super::vector::Vector;
use super::{Dims, Panel, scratch};
use crate::num::Acc;

/// A product of a few rows of A with all columns of B.
pub(super) struct Stream<T> {
    /// The product; B is where [`pack`] left it.
    tile: Tile<T>,
    /// Room for the sums.
    sums: *mut T,
}

/// A function that computes such a product.
pub(super) type Streamer<T> = unsafe fn(&Stream<T>);

/// Columns of A that are read together.
const TOGETHER: usize = 6;

/// Real columns of C up to which it is faster to have sums wait than to pack A, if there are so many rows and terms.
const COLUMNS: usize = 48;
const ROWS: usize = 96;
const TERMS: usize = 64;

/// Bytes of sums that wait.
const WAITING: usize = 64 << 10;

/// C = alpha * A * B + beta * C for few columns and many rows, where columns of A and of C are contiguous and nothing is
/// conjugated. Returns whether it was done: not if other ways are better. (Sums are the same to the bit.)
///
/// # Safety
/// As for [`gemm`](super::blocked::gemm).
pub(super) unsafe fn gemm<T: Native>(
    Dims { m, n, k }: Dims,
    alpha: T,
    a: Panel<T>,
    b: Panel<T>,
    beta: T,
    c: Panel<T>,
) -> bool {
    let (kernels, reals) = (T::kernels(), n * T::PARTS);
    let Some(kernel) = kernels.stream() else { return false };
    if reals > COLUMNS || m < ROWS || k < TERMS || a.rs != 1 {
        return false;
    }
    let depth = even(k, kernels.depth(), 1);
    // Each real column has sums for both parts of A, and vectors come in pairs.
    let height = (WAITING / (reals * size_of::<T>())).min(m).next_multiple_of(2 * kernels.padded(1));
    scratch::with([depth * n, height * reals], |[packed, sums]: [*mut T; 2]| {
        for (l, k) in blocks(k, depth) {
            let beta = if l == 0 { beta } else { T::one() };
            // SAFETY: the caller's promise; there is room.
            unsafe { pack(b.sub(l, 0), [k, n], packed.cast()) };
            for (i, m) in blocks(m, height) {
                let tile = Tile {
                    m,
                    n,
                    k,
                    alpha,
                    a: a.at(i, l),
                    a_step: a.cs,
                    b: packed,
                    b_row: 0,
                    b_column: 0,
                    beta,
                    c: c.at(i, 0),
                    c_step: c.cs,
                    conj: false,
                    more: null(),
                    copy: null_mut(),
                };
                // SAFETY: as above.
                unsafe { kernel(&Stream { tile, sums }) };
            }
        }
    });
    true
}

/// Copies k rows of n columns: as many rows as are multiplied together, for each real column, and so on.
unsafe fn pack<T: Native>(b: Panel<T>, [k, n]: [usize; 2], mut to: *mut T::Real) {
    let whole = k - k % TOGETHER;
    let groups = (0..whole).step_by(TOGETHER).map(|l| (l, TOGETHER)).chain((whole..k).map(|l| (l, 1)));
    for (l, rows) in groups {
        for j in 0..n {
            for part in 0..T::PARTS {
                for q in 0..rows {
                    // SAFETY: the caller's promise.
                    unsafe {
                        let x = *b.at(l + q, j);
                        to.write(if part == 0 { x.re() } else { x.im() });
                        to = to.add(1);
                    }
                }
            }
        }
    }
}

/// The kernel.
///
/// # Safety
/// All elements are there, those of C are not in use elsewhere, and the instructions of `V` are available.
#[inline(always)]
pub(super) unsafe fn compute<T: Acc, V: Vector<Real = T::Real>>(s: &Stream<T>) {
    let t = &s.tile;
    let (m, columns) = (t.m * T::PARTS, t.n * T::PARTS);
    let whole = t.k - t.k % TOGETHER;
    // SAFETY: the caller's promise.
    unsafe {
        let sums = s.sums.cast::<T::Real>();
        let zeros = m.div_ceil(V::N) * columns;
        for v in 0..zeros {
            V::zero().store(sums.add(v * V::N));
        }
        let mut l = 0;
        while l < whole {
            add::<T, V, TOGETHER>(s, l);
            l += TOGETHER;
        }
        while l < t.k {
            add::<T, V, 1>(s, l);
            l += 1;
        }
        let (update, signs) = (Update::<V>::new(t), V::signs(false));
        for j in 0..t.n {
            let c = t.c.offset(j as isize * t.c_step).cast::<T::Real>();
            let mut i = 0;
            while i < m {
                // Vectors come in pairs, of which the last may be incomplete.
                let (pair, v) = (i - i % (2 * V::N), i / V::N % 2);
                let wide = if pair + V::N < m { 2 } else { 1 };
                let at = |column: usize| sums.add(pair * columns + (column * wide + v) * V::N);
                let sum = match T::PARTS {
                    1 => V::load(at(j)),
                    _ => V::load(at(2 * j)).pair(V::load(at(2 * j + 1)), signs),
                };
                update.write::<SCALED>(sum, c.add(i), V::N.min(m - i));
                i += V::N;
            }
        }
    }
}

/// Adds the products with K columns of A to the sums.
#[inline(always)]
unsafe fn add<T: Acc, V: Vector<Real = T::Real>, const K: usize>(s: &Stream<T>, l: usize) {
    let t = &s.tile;
    let (m, columns) = (t.m * T::PARTS, t.n * T::PARTS);
    let step = t.a_step * T::PARTS as isize;
    // SAFETY: the caller's promise.
    unsafe {
        let a = t.a.offset(l as isize * t.a_step).cast::<T::Real>();
        let (b, sums) = (t.b.cast::<T::Real>().add(l * columns), s.sums.cast::<T::Real>());
        let mut i = 0;
        while i + 2 * V::N <= m {
            rows::<V, K, 2>(columns, a.add(i), step, b, sums.add(i * columns), V::N);
            i += 2 * V::N;
        }
        let sums = sums.add(i * columns);
        match m - i {
            0 => {}
            n if n <= V::N => rows::<V, K, 1>(columns, a.add(i), step, b, sums, n),
            n => rows::<V, K, 2>(columns, a.add(i), step, b, sums, n - V::N),
        }
    }
}

/// [`add`] for MV vectors of each column, the last of which has `last` numbers.
#[inline(always)]
unsafe fn rows<V: Vector, const K: usize, const MV: usize>(
    columns: usize,
    a: *const V::Real,
    step: isize,
    b: *const V::Real,
    sums: *mut V::Real,
    last: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut x = [[V::zero(); MV]; K];
        for q in 0..K {
            let a = a.offset(q as isize * step);
            for v in 0..MV {
                let a = a.add(v * V::N);
                x[q][v] = if v + 1 < MV || last == V::N { V::load(a) } else { V::load_first(a, last) };
            }
        }
        for j in 0..columns {
            let (b, sums) = (b.add(j * K), sums.add(j * MV * V::N));
            let mut y = [V::zero(); MV];
            for v in 0..MV {
                y[v] = V::load(sums.add(v * V::N));
            }
            for q in 0..K {
                let b = V::splat(*b.add(q));
                for v in 0..MV {
                    y[v] = x[q][v].fma(b, y[v]);
                }
            }
            for v in 0..MV {
                y[v].store(sums.add(v * V::N));
            }
        }
    }
}
