//! Products with a triangular matrix or into one, of an order that a cache holds: what kernels can read is not packed.

use std::ops::Range;
use std::ptr::null;

use super::blocked::{each, is_small, stays_cached};
use super::tile::Tile;
use super::{Dims, Native, Operand as _, Panel, Region, Tri, for_each_part_of_triangle, scratch};

/// One product of a sum: coef * left * right, n x k and k x n.
#[derive(Clone, Copy)]
pub(crate) struct Term<T> {
    pub(crate) coef: T,
    pub(crate) left: Panel<T>,
    pub(crate) right: Panel<T>,
}

/// C = the sum of up to two terms + beta * C in a region of C, n x n. Returns whether kernels can read the operands, and the
/// terms are so small that they had better; if not, nothing was done.
///
/// # Safety
/// All elements are there; those of the region are not in use elsewhere, and columns of C are contiguous.
pub(crate) unsafe fn sum<T: Native>(
    threads: usize,
    [n, k]: [usize; 2],
    terms: &[Term<T>],
    beta: T,
    c: Panel<T>,
    region: Region,
) -> bool {
    let Region::Triangle { lower, .. } = region else { return false };
    let kernels = T::kernels();
    let readable = |t: &Term<T>| t.left.rs == 1 && t.left.native().is_some() && t.right.native().is_some();
    let small = is_small::<T>(Dims { m: n, n, k }) && k <= kernels.depth();
    if !kernels.is_own() || !small || !terms.iter().all(readable) {
        return false;
    }
    // Kernels sum up two products at most, and multiply the sum.
    let (first, second) = match terms {
        [one] => (one, None),
        [one, two] if one.coef == two.coef => (one, Some(two)),
        _ => return false,
    };
    let [mr, nr] = kernels.tile();
    let part = |rows: Range<usize>, columns: Range<usize>| {
        each(columns.len(), nr, |j, width| {
            each(rows.len(), mr, |i, m| {
                let (at, size) = ([rows.start + i, columns.start + j], [m, width]);
                let [i, j] = at;
                if region.is_outside(at, size) {
                    return;
                }
                let tile = |t: &Term<T>, more| Tile {
                    m,
                    n: width,
                    k,
                    alpha: t.coef,
                    a: t.left.at(i, 0),
                    a_step: t.left.cs,
                    b: t.right.at(0, j),
                    b_row: t.right.rs,
                    b_column: t.right.cs,
                    beta,
                    c: c.at(i, j),
                    c_step: c.cs,
                    more,
                };
                let more = second.map(|t| tile(t, null()));
                let tile = tile(first, more.as_ref().map_or(null(), |more| more));
                // SAFETY: the caller's promise.
                unsafe {
                    if region.is_inside(at, size) {
                        kernels.strided(m, width)(&tile);
                    } else {
                        region.compute(at, &tile);
                    }
                }
            });
        });
    };
    for_each_part_of_triangle(threads, n, k * terms.len(), lower, [mr, nr], &part);
    true
}

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
    let (rows, side) = if upright { (mr, nr) } else { (nr, mr) };
    let step = |m: usize| if upright { kernels.padded(m) } else { m };
    let filled = |i: usize, m: usize| if a.lower { 0..i + m } else { i..n };
    let lens = [n.next_multiple_of(rows).next_multiple_of(kernels.lanes()) * n, n * mr];
    scratch::with(lens, |[packed, copy]: [*mut T; 2]| {
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
            if !upright && !stays_cached(&b.t(), n) {
                sides = Panel { ptr: copy, rs: width as isize, cs: 1, conj: false };
                // SAFETY: the caller's promise; there is room.
                unsafe { b.t().pack([0, 0], [width, n], width, copy) };
            }
            // Every row is written before those that it is made of.
            let groups = n.div_ceil(rows);
            for g in 0..groups {
                let i = if a.lower { groups - 1 - g } else { g } * rows;
                let (m, c) = (rows.min(n - i), b.at(i, 0));
                let (l, step) = (filled(i, m), step(m));
                let (k, beta, more) = (l.len(), T::zero(), null());
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
                        more,
                    }
                } else {
                    let (m, n, a_step, b_row, c_step) = (width, m, sides.rs, step as isize, b.rs);
                    Tile { m, n, k, alpha, a: known, a_step, b: a, b_row, b_column: 1, beta, c, c_step, more }
                };
                // SAFETY: the caller's promise; a tile is written when all of its operands have been read.
                unsafe { kernels.strided(tile.m, tile.n)(&tile) };
            }
        });
    });
    true
}
