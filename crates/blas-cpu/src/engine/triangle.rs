//! Products with a triangular matrix of an order that a cache holds: what kernels can read is not packed.

use std::ptr::{null, null_mut};

use super::cache::stays_cached;
use super::split::each;
use super::tile::Tile;
use super::{Dims, Native, Operand as _, Panel, Region, Structured, Tri, blocked, scratch};

/// B = alpha * A * B in place, B n x columns, for groups of columns of B that are finite: the zeros beside a triangle must not
/// meet NaN and infinity. The others are left to `rest`, as a first column and a number of columns. Returns whether there
/// are kernels to do it; if not, nothing was done.
///
/// # Safety
/// All elements are there, those of B are not in use elsewhere, and n is at most the depth to which operands are packed.
pub(crate) unsafe fn multiply<T: Native>(
    [n, columns]: [usize; 2],
    alpha: T,
    a: Tri<T>,
    b: Panel<T>,
    rest: &dyn Fn(usize, usize),
) -> bool {
    let kernels = T::kernels();
    if !kernels.is_own() || b.rs != 1 && b.cs != 1 {
        return false;
    }
    let [mr, nr] = kernels.tile();
    // With rows of B in vectors, rows of A are the rows of tiles; with columns, they are the columns of tiles.
    let upright = b.rs == 1;
    // Tiles on the diagonal compute zeros too: the higher they are, the more.
    let (rows, side) = if upright { (mr.min(2 * kernels.lanes()), nr) } else { (nr, mr) };
    let step = |m: usize| if upright { kernels.padded(m) } else { m };
    let filled = |i: usize, m: usize| if a.lower { 0..i + m } else { i..n };
    let lens = [n.next_multiple_of(rows).next_multiple_of(kernels.lanes()) * n, n * mr];
    scratch::with(lens, |[packed, room]: [*mut T; 2]| {
        let packed = |i: usize, l: usize, step: usize| packed.wrapping_add(i * n + l * step);
        each(n, rows, |i, m| {
            let (l, step) = (filled(i, m), step(m));
            // SAFETY: the caller's promise; there is room.
            unsafe { a.pack([i, l.start], [m, l.len()], step, packed(i, l.start, step)) };
        });
        each(columns, side, |j, width| {
            let b = b.sub(0, j);
            // SAFETY: the caller's promise.
            if unsafe { !b.is_finite(n, width) } {
                return rest(j, width);
            }
            let mut sides = b;
            if !upright && !stays_cached::<T>(b.rs, n) {
                sides = Panel { ptr: room, rs: width as isize, cs: 1, conj: false };
                // SAFETY: the caller's promise; there is room.
                unsafe { b.t().pack([0, 0], [width, n], width, room) };
            }
            // Every row is written before those that it is made of.
            let groups = n.div_ceil(rows);
            for g in 0..groups {
                let i = if a.lower { groups - 1 - g } else { g } * rows;
                let (m, c) = (rows.min(n - i), b.at(i, 0));
                let (l, step) = (filled(i, m), step(m));
                let (k, beta, conj, more, copy) = (l.len(), T::zero(), false, null(), null_mut());
                let (a, known) = (packed(i, l.start, step).cast_const(), sides.at(l.start, 0).cast_const());
                let tile = if upright {
                    let (a_step, n, c_step) = (step as isize, width, b.cs);
                    Tile {
                        m,
                        n,
                        k,
                        alpha,
                        a,
                        a_step,
                        b: known,
                        b_row: b.rs,
                        b_column: b.cs,
                        beta,
                        c,
                        c_step,
                        conj,
                        more,
                        copy,
                    }
                } else {
                    let (m, n, a_step, b_row, c_step) = (width, m, sides.rs, step as isize, b.rs);
                    Tile {
                        m,
                        n,
                        k,
                        alpha,
                        a: known,
                        a_step,
                        b: a,
                        b_row,
                        b_column: 1,
                        beta,
                        c,
                        c_step,
                        conj,
                        more,
                        copy,
                    }
                };
                // SAFETY: the caller's promise; a tile is written when all of its operands have been read.
                unsafe { kernels.strided(tile.m, tile.n)(&tile) };
            }
        });
    });
    true
}

/// B = alpha * A * B in place, B n x columns and finite, where n is at most the depth to which operands are packed. On one
/// thread, with sums that are not cut and in blocks that have room for n columns: what a block is made of is packed before it is
/// written.
///
/// # Safety
/// All elements are there; those of B are not in use elsewhere.
pub(crate) unsafe fn multiply_packed<T: Native>([n, columns]: [usize; 2], alpha: T, a: Tri<T>, b: Panel<T>) {
    let (zero, all, a) = (T::zero(), Region::All, Structured::Triangle(a));
    // SAFETY: the caller's promise.
    unsafe {
        if b.rs == 1 {
            let dims = Dims { m: n, n: columns, k: n };
            blocked::gemm(dims, [0, 0], alpha, a, Structured::Copied(b.t()), zero, b, all, n);
        } else {
            // The same problem, transposed.
            let dims = Dims { m: columns, n, k: n };
            blocked::gemm(dims, [0, 0], alpha, Structured::Copied(b.t()), a, zero, b.t(), all, n);
        }
    }
}
