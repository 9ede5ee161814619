//! The product of 8-bit integers.

use super::{Dims, Panel, blocks, for_each_part};
use crate::simd::wide;

/// Block of C that is summed at a time, and the depth to which its operands are packed.
const BLOCK: Dims = Dims { m: 64, n: 64, k: 1024 };

/// Rows (columns) of C that one pass over a packed row of A (column of B) serves.
const MR: usize = 4;
const NR: usize = 4;

/// C = alpha * A * B + beta * C in wrapping i32 arithmetic. With alpha = 0 or k = 0, A and B are not read; with
/// beta = 0, C is not read.
///
/// # Safety
/// All elements are there; those of C are not in use elsewhere.
pub(crate) unsafe fn gemm_i8(
    threads: usize,
    dims: Dims,
    alpha: i32,
    a: Panel<i8>,
    b: Panel<i8>,
    beta: i32,
    c: Panel<i32>,
) {
    let dims = if alpha == 0 { Dims { k: 0, ..dims } } else { dims };
    for_each_part(threads, dims, [BLOCK.m, BLOCK.n], |i, j| {
        let dims = Dims { m: i.len(), n: j.len(), k: dims.k };
        let (a, b, c) = (a.sub(i.start, 0), b.sub(0, j.start), c.sub(i.start, j.start));
        // SAFETY: the caller's promise; parts of C do not overlap.
        unsafe { blocked(dims, alpha, a, b, beta, c) }
    });
}

/// [`gemm_i8`] on one thread.
///
/// # Safety
/// As for [`gemm_i8`].
unsafe fn blocked(Dims { m, n, k }: Dims, alpha: i32, a: Panel<i8>, b: Panel<i8>, beta: i32, c: Panel<i32>) {
    let (mut a_rows, mut b_cols) = (Vec::new(), Vec::new());
    let mut sums = [0; BLOCK.m * BLOCK.n];
    for (j, n) in blocks(n, BLOCK.n) {
        for (i, m) in blocks(m, BLOCK.m) {
            sums.fill(0);
            for (l, k) in blocks(k, BLOCK.k) {
                // SAFETY: the caller's promise.
                unsafe {
                    pack(m, k, a.sub(i, l), MR, &mut a_rows);
                    pack(n, k, b.sub(l, j).t(), NR, &mut b_cols);
                }
                wide(
                    #[inline(always)]
                    || multiply(k, &a_rows, &b_cols, &mut sums),
                );
            }
            for jj in 0..n {
                for ii in 0..m {
                    let sum = alpha.wrapping_mul(sums[ii + jj * BLOCK.m]);
                    // SAFETY: the caller's promise.
                    unsafe {
                        let c = c.at(i + ii, j + jj);
                        *c = if beta == 0 { sum } else { sum.wrapping_add(beta.wrapping_mul(*c)) };
                    }
                }
            }
        }
    }
}

/// Copies m rows of k elements, widened, with rows of zeros up to a multiple of `unit`.
///
/// # Safety
/// All elements are there.
unsafe fn pack(m: usize, k: usize, from: Panel<i8>, unit: usize, to: &mut Vec<i16>) {
    to.clear();
    to.resize(m.next_multiple_of(unit) * k, 0);
    for (i, row) in to.chunks_exact_mut(k).enumerate().take(m) {
        if from.cs == 1 {
            // SAFETY: the caller's promise.
            let from = unsafe { std::slice::from_raw_parts(from.at(i, 0), k) };
            row.iter_mut().zip(from).for_each(|(x, y)| *x = i16::from(*y));
        } else {
            // SAFETY: the caller's promise.
            row.iter_mut().enumerate().for_each(|(l, x)| *x = i16::from(unsafe { *from.at(i, l) }));
        }
    }
}

/// Adds the product of packed rows and columns of length k to a block of sums.
#[inline(always)]
fn multiply(k: usize, a_rows: &[i16], b_cols: &[i16], sums: &mut [i32]) {
    for (j, b) in b_cols.chunks_exact(k * NR).enumerate() {
        for (i, a) in a_rows.chunks_exact(k * MR).enumerate() {
            let tile = tile(k, a, b);
            for (jj, column) in tile.iter().enumerate() {
                let start = i * MR + (j * NR + jj) * BLOCK.m;
                for (s, t) in sums[start..start + MR].iter_mut().zip(column) {
                    *s = s.wrapping_add(*t);
                }
            }
        }
    }
}

/// MR x NR inner products of length k. Sums of pairs of products fit i32, which is what the multiply-add
/// instructions of all vector units form.
#[inline(always)]
fn tile(k: usize, a: &[i16], b: &[i16]) -> [[i32; MR]; NR] {
    let mut sums = [[0i32; MR]; NR];
    for (j, column) in sums.iter_mut().enumerate() {
        for (i, sum) in column.iter_mut().enumerate() {
            for (x, y) in a[i * k..][..k].iter().zip(&b[j * k..][..k]) {
                *sum = sum.wrapping_add(i32::from(*x) * i32::from(*y));
            }
        }
    }
    sums
}
