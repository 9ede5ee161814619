//! The loops around the kernels, on one thread.

use std::ptr::{null, null_mut};

use blas_api::Element;

use super::cache::{Blocks, stays_cached};
use super::kernels::Kernels;
use super::operand::Operand;
use super::split::{blocks, even};
use super::tile::Tile;
use super::{Dims, Groups, Native, Panel, Region, scratch};

/// Multiplications of real numbers up to which operands that kernels can read are not packed.
const SMALL: usize = 3_000_000;

/// C = alpha * A * B + beta * C for k > 0, in the region of C: its rows are those of A that start at `at[0]`, its columns
/// those of B that start at `at[1]`. Sums are cut after `depth` terms. B is handed over transposed; columns of C are contiguous. With
/// beta = 0, C is not read. C may be an operand, if k is at most `depth` and a block has all columns, and if what is needed of the
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
    c: impl Target<T>,
    region: Region,
    depth: usize,
) {
    let kernels = T::kernels();
    let (rows, columns) = (kernels.rows(), kernels.columns());
    let (by_row, by_column) = readable(Dims { m, n, k }, a, b);
    let depth = even(k, depth, 1);
    let height = even(m, Blocks::get().rows / (depth * size_of::<T>()), rows.most);
    let width = even(n, Blocks::get().columns / (depth * size_of::<T>()), columns.most);
    let lens = [rows.padded(height) * depth, columns.padded(width) * depth];
    scratch::with(lens, |[a_packed, b_packed]: [*mut T; 2]| {
        for (j, n) in blocks(n, width) {
            for (l, terms) in blocks(k, depth) {
                let (beta, is_last) = (if l == 0 { beta } else { T::one() }, l + terms == k);
                let k = terms;
                // SAFETY: the caller's promise; the blocks have room.
                unsafe {
                    if by_column.is_none() {
                        b.pack_groups([at[1] + j, l], [n, k], columns, b_packed);
                    }
                    for (i, m) in blocks(m, height) {
                        let at = [at[0] + i, at[1] + j];
                        if region.is_outside(at, [m, n]) {
                            continue;
                        }
                        // What kernels can read as it is, they pack as they read it for the first time: all of it.
                        let copied = a.native().filter(|a| {
                            let own = kernels.is_own() && by_row.is_none() && region == Region::All;
                            own && a.rs == 1
                                && n >= COPIED
                                && b.filled([at[1], l], [columns.most, k]) == (0..k)
                        });
                        if by_row.is_none() && copied.is_none() {
                            a.pack_groups([at[0], l], [m, k], rows, a_packed);
                        }
                        let mut block = Block {
                            k,
                            l,
                            alpha,
                            a: by_row.map_or(Source::Packed(a_packed), |a| Source::Matrix(a.sub(at[0], l))),
                            b: by_column
                                .map_or(Source::Packed(b_packed), |b| Source::Matrix(b.sub(at[1], l))),
                            beta,
                            c: c.sums().sub(i, j),
                            region,
                            copied: copied.map(|a| (a.sub(at[0], l), a_packed)),
                        };
                        columns.each(n, |jj, n| {
                            let mut full = rows.whole(m);
                            if full > 0 && block.is_column(at, jj, [full, n], a, b) {
                                block.tile(at, [0, jj], [full, n], a, b);
                            } else {
                                full = 0;
                            }
                            rows.each(m - full, |i, m| block.tile(at, [full + i, jj], [m, n], a, b));
                            block.copied = None;
                            if is_last {
                                c.finish([i, j + jj], [m, n]);
                            }
                        });
                    }
                }
            }
        }
    });
}

/// Where a product goes.
pub(super) trait Target<T>: Copy {
    /// Where sums are formed.
    fn sums(self) -> Panel<T>;

    /// Called once for each part of them that is complete, while it is in the first-level cache.
    ///
    /// # Safety
    /// All elements are there.
    unsafe fn finish(self, at: [usize; 2], size: [usize; 2]);
}

impl<T: Copy> Target<T> for Panel<T> {
    fn sums(self) -> Panel<T> {
        self
    }

    #[inline(always)]
    unsafe fn finish(self, _: [usize; 2], _: [usize; 2]) {}
}

/// Columns from which on A is packed by kernels: their first tiles are full.
const COPIED: usize = 32;

/// Rows up to which packing B costs more than it saves, where a tile reads all of its cache lines again and again.
const FEW: usize = 32;

/// The same where it reads on in each column. The columns of a tile meet in a few sets of the first-level cache: too many for
/// one of 32 KB, if they are long.
fn many<T: Native>() -> usize {
    if Blocks::get().lines > 512 { 512 } else { 2048 / size_of::<T::Real>() }
}

/// The depth to which operands of a whole product are packed, of which B is as given. Where there are few rows, B is read
/// where it is: columns are streams, and the longer the better.
pub(super) fn depth<T: Native>(dims: Dims, b: &Panel<impl Sized>) -> usize {
    let kernels = T::kernels();
    if kernels.is_own() && dims.m <= FEW && b.rs == 1 { 1024 } else { kernels.depth() }
}

/// The operands that are not worth packing, as kernels read them: columns of the first are contiguous. (Sums are the same
/// to the bit, whichever way operands are read.)
fn readable<T: Native>(
    Dims { m, n, k }: Dims,
    a: impl Operand<T>,
    b: impl Operand<T>,
) -> (Option<Panel<T>>, Option<Panel<T>>) {
    if !T::kernels().is_own() {
        return (None, None);
    }
    let small = is_small::<T>(Dims { m, n, k });
    (
        a.native().filter(|a| small && a.rs == 1 && stays_cached::<T>(a.cs, k)),
        b.native().filter(|b| small || m <= if b.cs == 1 { many::<T>() } else { FEW }),
    )
}

/// Whether operands that kernels can read are not packed.
#[inline(always)]
pub(super) fn is_small<T: Native>(Dims { m, n, k }: Dims) -> bool {
    m.saturating_mul(n).saturating_mul(k) <= SMALL / (T::PARTS * T::PARTS)
}

/// Whether B stays in the second-level cache while all rows of A pass by, of which there are not too many.
fn is_cached<T: Native>(Dims { m, n, k }: Dims) -> bool {
    n.saturating_mul(k).saturating_mul(size_of::<T>()) <= Blocks::get().rows / 3 * 2 && m <= many::<T>()
}

/// Whether [`Direct`] is the best way, if A is as given and kernels can read the others.
#[inline(always)]
pub(super) fn is_direct<T: Native>(dims: Dims, a: &Panel<T>) -> bool {
    let kernels = T::kernels();
    kernels.is_own()
        && a.rs == 1
        && dims.k <= kernels.depth()
        && (is_small::<T>(dims) || is_cached::<T>(dims))
        && stays_cached::<T>(a.cs, dims.k)
}

/// Where a block of an operand is read from.
#[derive(Clone, Copy)]
pub(super) enum Source<T> {
    Packed(*const T),
    Matrix(Panel<T>),
}

impl<T: Element> Source<T> {
    /// The rows from `i`, `m` of them with their padding, from column `l` of k on: pointer, and steps to the next row
    /// and to the next column.
    #[inline(always)]
    pub(super) fn rows(self, [i, l]: [usize; 2], [m, k]: [usize; 2]) -> (*const T, isize, isize) {
        match self {
            Source::Packed(p) => (p.wrapping_add(i * k + l * m), 1, m as isize),
            Source::Matrix(x) => (x.at(i, l), x.rs, x.cs),
        }
    }
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
    /// Where A is read and where it is packed by the way, as long as it is not packed.
    copied: Option<(Panel<T>, *mut T)>,
}

impl<T: Native> Block<T> {
    /// Whether the full tiles of these columns are one for the kernel: to begin each by itself took 14 ns, half as long as a
    /// tile with sums of 16 terms.
    #[inline(always)]
    fn is_column(
        &self,
        at: [usize; 2],
        j: usize,
        [m, n]: [usize; 2],
        a: impl Operand<T>,
        b: impl Operand<T>,
    ) -> bool {
        let (kernels, at) = (T::kernels(), [at[0], at[1] + j]);
        matches!((self.a, self.b, self.copied), (Source::Packed(_), Source::Packed(_), None))
            && kernels.is_own()
            && n == kernels.tile()[1]
            && self.region.is_inside(at, [m, n])
            && a.filled([at[0], self.l], [m, self.k]) == (0..self.k)
            && b.filled([at[1], self.l], [n, self.k]) == (0..self.k)
    }

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
        let (b, b_column, b_row) = self.b.rows([j, start], [kernels.columns().padded(n), self.k]);
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
            conj: false,
            more: null(),
            copy: null_mut(),
        };
        if let Some((from, to)) = self.copied {
            let tile = Tile { a: from.at(i, 0), a_step: from.cs, copy: to.wrapping_add(i * self.k), ..tile };
            // SAFETY: the caller's promise.
            return unsafe { kernels.copying(m)(&tile) };
        }
        let kernel = match (self.a, self.b) {
            (Source::Packed(_), Source::Packed(_)) => kernels.packed(m, n),
            _ => kernels.strided(m, n),
        };
        if self.region.is_inside(at, [m, n]) {
            // SAFETY: the caller's promise.
            return unsafe { kernel(&tile) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.region.compute(at, &tile) }
    }
}

/// C = alpha * A * B + beta * C without packing, for operands that kernels can read as they are, wherever they are:
/// columns of A and C are contiguous, and nothing is conjugated.
pub(super) struct Direct<T: 'static> {
    m: usize,
    n: usize,
    tile: Tile<T>,
    kernels: &'static Kernels<T>,
}

impl<T: Native> Direct<T> {
    /// The product of operands that lie like these.
    #[inline(always)]
    pub(super) fn new(
        Dims { m, n, k }: Dims,
        alpha: T,
        a: Panel<T>,
        b: Panel<T>,
        beta: T,
        c: Panel<T>,
    ) -> Self {
        let kernels = T::kernels();
        let tile = Tile {
            m,
            n,
            k,
            alpha,
            a: a.ptr,
            a_step: a.cs,
            b: b.ptr,
            b_row: b.rs,
            b_column: b.cs,
            beta,
            c: c.ptr,
            c_step: c.cs,
            conj: false,
            more: null(),
            copy: null_mut(),
        };
        Direct { m, n, tile, kernels }
    }

    /// About how many tiles it has.
    #[inline(always)]
    pub(super) fn tiles(&self) -> usize {
        let [mr, _] = self.kernels.tile();
        self.m.div_ceil(mr) * self.n.div_ceil(self.kernels.widths(self.m.min(mr)).len())
    }

    /// Computes it, and calls `between` with each tile.
    ///
    /// # Safety
    /// As for [`gemm`].
    #[inline(always)]
    pub(super) unsafe fn run(&mut self, a: *const T, b: *const T, c: *mut T, between: impl FnMut()) {
        // SAFETY: the caller's promise.
        unsafe { each_tile(self.kernels, &mut self.tile, [self.m, self.n], a, b, c, between) }
    }
}

/// Computes the tiles of an m x n product, each by the same `tile` with another place and size: a copy would wait for what
/// has just been written. `between` is called with each.
///
/// # Safety
/// As for [`gemm`].
#[inline(always)]
pub(super) unsafe fn each_tile<T: Native>(
    kernels: &Kernels<T>,
    tile: &mut Tile<T>,
    [m, n]: [usize; 2],
    a: *const T,
    b: *const T,
    c: *mut T,
    mut between: impl FnMut(),
) {
    kernels.rows().each(m, |i, m| {
        let widths = kernels.widths(m);
        (tile.m, tile.a) = (m, a.wrapping_add(i));
        Groups { most: widths.len(), unit: 1 }.each(n, |j, n| {
            between();
            tile.n = n;
            tile.b = b.wrapping_offset(j as isize * tile.b_column);
            tile.c = c.wrapping_add(i).wrapping_offset(j as isize * tile.c_step);
            // SAFETY: the caller's promise.
            unsafe { widths[n - 1](tile) };
        });
    });
}
