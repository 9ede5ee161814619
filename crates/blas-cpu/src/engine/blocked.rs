//! The loops around the kernels, on one thread.

use std::sync::OnceLock;

use blas_api::Element;

use super::operand::Operand;
use super::tile::Tile;
use super::{Dims, Native, Panel, Region, blocks, scratch, work};

/// Multiplications of real numbers up to which operands that kernels can read are not packed.
pub(super) const SMALL: f64 = 3_000_000.0;

/// Bytes of packed rows of A: half of a second-level cache.
fn rows_bytes() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        let kilobytes = {
            use std::arch::x86_64::__cpuid;
            // SAFETY: all processors have the instruction. (Newer compilers know.)
            #[allow(unused_unsafe)]
            unsafe {
                if __cpuid(0x8000_0000).eax >= 0x8000_0006 { __cpuid(0x8000_0006).ecx >> 16 } else { 0 }
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        let kilobytes = 0;
        if kilobytes == 0 { 256 << 10 } else { (kilobytes as usize * 512).clamp(128 << 10, 1 << 20) }
    })
}

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
    let (by_row, by_column) = readable(Dims { m, n, k }, a, b);
    let depth = even(k, kernels.depth(), 1);
    let height = even(m, rows_bytes() / (depth * size_of::<T>()), mr);
    let width = even(n, COLUMNS_BYTES / (depth * size_of::<T>()), nr);
    let lens = [kernels.padded(height) * depth, width * depth];
    scratch::with(lens, |[a_packed, b_packed]: [*mut T; 2]| {
        for (j, n) in blocks(n, width) {
            for (l, k) in blocks(k, depth) {
                let beta = if l == 0 { beta } else { T::one() };
                // SAFETY: the caller's promise; the blocks have room.
                unsafe {
                    if by_column.is_none() {
                        pack(b, [at[1] + j, l], [n, k], nr, |n| n, b_packed);
                    }
                    for (i, m) in blocks(m, height) {
                        let at = [at[0] + i, at[1] + j];
                        if region.is_outside(at, [m, n]) {
                            continue;
                        }
                        if by_row.is_none() {
                            pack(a, [at[0], l], [m, k], mr, |m| kernels.padded(m), a_packed);
                        }
                        let block = Block {
                            k,
                            l,
                            alpha,
                            a: by_row.map_or(Source::Packed(a_packed), |a| Source::Matrix(a.sub(at[0], l))),
                            b: by_column
                                .map_or(Source::Packed(b_packed), |b| Source::Matrix(b.sub(at[1], l))),
                            beta,
                            c: c.sub(i, j),
                            region,
                        };
                        each(n, nr, |jj, n| {
                            each(m, mr, |ii, m| block.tile(at, [ii, jj], [m, n], a, b));
                        });
                    }
                }
            }
        }
    });
}

/// Rows up to which packing B costs more than it saves.
const FEW: usize = 32;

/// The operands that are not worth packing, as kernels read them: columns of the first are contiguous. (Sums are the same
/// to the bit, whichever way operands are read.)
fn readable<T: Native>(
    Dims { m, n, k }: Dims,
    a: impl Operand<T>,
    b: impl Operand<T>,
) -> (Option<Panel<T>>, Option<Panel<T>>) {
    let parts = if T::DTYPE.is_complex() { 4.0 } else { 1.0 };
    let small = work(m, n, k) * parts <= SMALL;
    if !T::kernels().is_own() || !small && m > FEW {
        return (None, None);
    }
    (a.native().filter(|a| small && a.rs == 1 && stays_cached(a, k)), b.native())
}

/// Whether the first rows of k columns stay in a cache of 64 sets with 8 lines each: a stride that is a large power of 2
/// finds few of the sets.
pub(super) fn stays_cached<T>(a: &Panel<T>, k: usize) -> bool {
    let lines = (a.cs.unsigned_abs() * size_of::<T>()).trailing_zeros().saturating_sub(6);
    k <= (512 >> lines.min(6))
}

/// Where a block of an operand is read from.
#[derive(Clone, Copy)]
enum Source<T> {
    Packed(*const T),
    Matrix(Panel<T>),
}

impl<T: Element> Source<T> {
    /// The rows from `i`, `m` of them with their padding, from column `l` of k on: pointer, and steps to the next row
    /// and to the next column.
    #[inline(always)]
    fn rows(self, [i, l]: [usize; 2], [m, k]: [usize; 2]) -> (*const T, isize, isize) {
        match self {
            Source::Packed(p) => (p.wrapping_add(i * k + l * m), 1, m as isize),
            Source::Matrix(x) => (x.at(i, l), x.rs, x.cs),
        }
    }
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

/// Packs m rows, `rows` at a time: what is not zero of them, each group with `step` elements a column.
#[inline]
unsafe fn pack<T: Native>(
    x: impl Operand<T>,
    [i, l]: [usize; 2],
    [m, k]: [usize; 2],
    rows: usize,
    step: impl Fn(usize) -> usize,
    to: *mut T,
) {
    each(k, x.stretch().min(k), |c, columns| {
        each(m, rows, |r, m| {
            let (filled, step) = (x.filled([i + r, l + c], [m, columns]), step(m));
            let to = to.wrapping_add(r * k + (c + filled.start) * step);
            // SAFETY: the caller's promise.
            unsafe { x.pack([i + r, l + c + filled.start], [m, filled.len()], step, to) };
        });
    });
}

/// Packed operands, and where their product goes.
struct Block<T> {
    k: usize,
    /// Where the sums start.
    l: usize,
    alpha: T,
    a: Source<T>,
    b: Source<T>,
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
        let (a, _, a_step) = self.a.rows([i, start], [kernels.padded(m), self.k]);
        let (b, b_column, b_row) = self.b.rows([j, start], [n, self.k]);
        let tile = Tile {
            m,
            n,
            k: end.saturating_sub(start),
            alpha: self.alpha,
            a,
            a_step,
            b,
            b_row,
            b_column,
            beta: self.beta,
            c: self.c.at(i, j),
            c_step: self.c.cs,
        };
        let kernel = match (self.a, self.b) {
            (Source::Packed(_), Source::Packed(_)) => kernels.packed(m, n),
            _ => kernels.strided(m, n),
        };
        if self.region.is_inside(at, [m, n]) {
            // SAFETY: the caller's promise.
            return unsafe { kernel(&tile) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.region.compute(at, &[tile]) }
    }
}

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
