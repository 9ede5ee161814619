//! The loops around the kernels, on one thread.

use std::mem::MaybeUninit;

use super::operand::Operand;
use super::tile::Tile;
use super::{Dims, Native, Panel, Region, blocks, scratch};

/// Bytes of packed rows of A: half of a second-level cache.
const ROWS_BYTES: usize = 256 << 10;

/// Bytes of packed columns of B: a part of a third-level cache.
const COLUMNS_BYTES: usize = 4 << 20;

/// C = alpha * A * B + beta * C for k > 0, in the region of C: its rows are those of A that start at `at[0]`, its columns
/// those of B that start at `at[1]`. B is handed over transposed; columns of C are contiguous. With beta = 0, C is not
/// read. C may be an operand, if k is at most the depth to which operands are packed and if what is needed of the
/// operand for a column (or row) of C is only that column (or row).
///
/// # Safety
/// All elements are there; those of C are not in use elsewhere.
pub(super) unsafe fn gemm<T: Native>(
    Dims { m, n, k }: Dims,
    at: [usize; 2],
    alpha: T,
    a: impl Operand<T>,
    b: impl Operand<T>,
    beta: T,
    c: Panel<T>,
    region: Region,
) {
    let kernels = T::kernels();
    let [mr, nr] = kernels.tile();
    let depth = even(k, kernels.depth(), 1);
    let height = even(m, ROWS_BYTES / (depth * size_of::<T>()), mr);
    let width = even(n, COLUMNS_BYTES / (depth * size_of::<T>()), nr);
    let lens = [kernels.padded(height) * depth, width * depth];
    scratch::with(lens, |[a_packed, b_packed]: [*mut T; 2]| {
        for (j, n) in blocks(n, width) {
            for (l, k) in blocks(k, depth) {
                let beta = if l == 0 { beta } else { T::one() };
                // SAFETY: the caller's promise; the blocks have room.
                unsafe {
                    each(n, nr, |jj, n| pack(b, [at[1] + j + jj, l], [n, k], n, b_packed.add(jj * k)));
                    for (i, m) in blocks(m, height) {
                        let at = [at[0] + i, at[1] + j];
                        if region.is_outside(at, [m, n]) {
                            continue;
                        }
                        each(m, mr, |ii, m| {
                            pack(a, [at[0] + ii, l], [m, k], kernels.padded(m), a_packed.add(ii * k));
                        });
                        let block =
                            Block { k, l, alpha, a: a_packed, b: b_packed, beta, c: c.sub(i, j), region };
                        each(n, nr, |jj, n| {
                            each(m, mr, |ii, m| block.tile(at, [ii, jj], [m, n], a, b));
                        });
                    }
                }
            }
        }
    });
}

/// The size of blocks of at most `most`, as equal as multiples of `unit` can be, for n items.
fn even(n: usize, most: usize, unit: usize) -> usize {
    let most = (most - most % unit).max(unit);
    n.div_ceil(n.div_ceil(most)).next_multiple_of(unit).min(n)
}

/// Calls `f` with the start and the length of each block of n items.
#[inline(always)]
pub(super) fn each(n: usize, size: usize, mut f: impl FnMut(usize, usize)) {
    let mut i = 0;
    while i < n {
        f(i, size.min(n - i));
        i += size;
    }
}

/// Packs what is not zero of a few rows.
#[inline(always)]
unsafe fn pack<T: Native>(x: impl Operand<T>, at: [usize; 2], [m, k]: [usize; 2], step: usize, to: *mut T) {
    let filled = x.filled([at[0], at[1]], [m, k]);
    // SAFETY: the caller's promise.
    unsafe { x.pack([at[0], at[1] + filled.start], [m, filled.len()], step, to.add(filled.start * step)) };
}

/// Packed operands, and where their product goes.
struct Block<T> {
    k: usize,
    /// Where the sums start.
    l: usize,
    alpha: T,
    a: *const T,
    b: *const T,
    beta: T,
    c: Panel<T>,
    region: Region,
}

impl<T: Native> Block<T> {
    /// Computes one tile of a block that starts at `at` of the product.
    #[inline(always)]
    unsafe fn tile(
        &self,
        at: [usize; 2],
        [i, j]: [usize; 2],
        [m, n]: [usize; 2],
        a: impl Operand<T>,
        b: impl Operand<T>,
    ) {
        let kernels = T::kernels();
        let at = [at[0] + i, at[1] + j];
        if self.region.is_outside(at, [m, n]) {
            return;
        }
        let (by_a, by_b) = (a.filled([at[0], self.l], [m, self.k]), b.filled([at[1], self.l], [n, self.k]));
        let (start, end) = (by_a.start.max(by_b.start), by_a.end.min(by_b.end));
        let a_step = kernels.padded(m);
        let mut tile = Tile {
            m,
            n,
            k: end.saturating_sub(start),
            alpha: self.alpha,
            a: self.a.wrapping_add(i * self.k + start * a_step),
            a_step: a_step as isize,
            b: self.b.wrapping_add(j * self.k + start * n),
            b_row: n as isize,
            b_column: 1,
            beta: self.beta,
            c: self.c.at(i, j),
            c_step: self.c.cs,
        };
        let kernel = kernels.packed(m, n);
        if self.region.is_inside(at, [m, n]) {
            // SAFETY: the caller's promise.
            return unsafe { kernel(&tile) };
        }
        let mut square = MaybeUninit::<[T; MOST]>::uninit();
        let sums = square.as_mut_ptr().cast::<T>();
        (tile.beta, tile.c, tile.c_step) = (T::zero(), sums, m as isize);
        // SAFETY: the caller's promise; no tile has more than `MOST` elements, and the kernel writes all that it has.
        unsafe {
            kernel(&tile);
            let sums = std::slice::from_raw_parts(sums, m * n);
            self.region.add(at, [m, n], sums, self.beta, self.c.sub(i, j));
        }
    }
}

/// Elements of the largest tile.
const MOST: usize = 64 * 64;

/// C = alpha * A * B + beta * C without packing, for operands that kernels can read as they are: columns of A are
/// contiguous, and nothing is conjugated.
///
/// # Safety
/// As for [`gemm`].
#[inline]
pub(super) unsafe fn direct<T: Native>(
    Dims { m, n, k }: Dims,
    alpha: T,
    a: Panel<T>,
    b: Panel<T>,
    beta: T,
    c: Panel<T>,
) {
    let kernels = T::kernels();
    each(m, kernels.tile()[0], |i, m| {
        each(n, kernels.widest(m), |j, n| {
            let tile = Tile {
                m,
                n,
                k,
                alpha,
                a: a.at(i, 0),
                a_step: a.cs,
                b: b.at(0, j),
                b_row: b.rs,
                b_column: b.cs,
                beta,
                c: c.at(i, j),
                c_step: c.cs,
            };
            // SAFETY: the caller's promise.
            unsafe { kernels.strided(m, n)(&tile) };
        });
    });
}

/// [`direct`] after packing A, of which columns need not be contiguous.
///
/// # Safety
/// As for [`gemm`].
pub(super) unsafe fn half_direct<T: Native>(
    dims: Dims,
    alpha: T,
    a: Panel<T>,
    b: Panel<T>,
    beta: T,
    c: Panel<T>,
) {
    let step = T::kernels().padded(dims.m);
    scratch::with([step * dims.k], |[packed]| {
        // SAFETY: the caller's promise; there is room.
        unsafe {
            a.pack([0, 0], [dims.m, dims.k], step, packed);
            direct(dims, alpha, Panel::columns(packed, step), b, beta, c);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_even() {
        assert_eq!(even(100, 200, 12), 100);
        assert_eq!(even(300, 256, 1), 150);
        assert_eq!(even(2048, 130, 12), 120);
        assert_eq!(even(13, 1, 12), 12);
    }
}
