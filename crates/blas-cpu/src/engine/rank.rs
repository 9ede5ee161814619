//! Sums of products into one triangle. Each operand is packed once for all that is made of it: a packed one has rows of A as
//! well as columns of B, which are its transposed rows.

use std::ops::Range;
use std::ptr::{null, null_mut};

use super::blocked::{Source, is_small};
use super::cache::{Blocks, stays_cached};
use super::kernels::Kernels;
use super::split::{blocks, even};
use super::tile::Tile;
use super::{Dims, Groups, Native, Operand as _, Panel, Region, for_each_part_of_triangle, scratch};

/// One product of a sum: coef * left * rightᵀ, or coef * left * rightᴴ if the sum is Hermitian.
#[derive(Clone, Copy)]
pub(crate) struct Term<T> {
    pub(crate) coef: T,
    /// Which operand is the left one.
    pub(crate) left: usize,
    /// Which operand is the right one.
    pub(crate) right: usize,
}

/// The operands of a sum, n x k.
pub(crate) type Operands<T> = [Panel<T>; 2];

/// C = the sum of one or two terms + beta * C in one triangle of C, n x n. Returns whether it was done: not if there are no
/// kernels to do it, or if other ways are better.
///
/// # Safety
/// All elements are there; those of the triangle are not in use elsewhere, and columns of C are contiguous.
pub(crate) unsafe fn rank<T: Native>(
    threads: usize,
    [n, k]: [usize; 2],
    operands: Operands<T>,
    terms: &[Term<T>],
    beta: T,
    c: Panel<T>,
    [lower, herm]: [bool; 2],
) -> bool {
    let kernels = T::kernels();
    let [mr, nr] = kernels.tile();
    // Packed once, rows are also columns, of which a tile may then have less than it could. The longer sums are, the less it
    // costs to pack them twice.
    let narrow = even(mr, nr, 1) < nr && k > kernels.depth();
    if !kernels.is_own() || narrow {
        return false;
    }
    let sum = Sum { kernels, k, operands, terms, c, region: Region::Triangle { lower, herm }, herm };
    for_each_part_of_triangle(threads, n, k * terms.len(), lower, kernels.tile(), &|i, j| {
        // SAFETY: the caller's promise; parts of C do not overlap.
        unsafe { sum.part(i, j, beta) };
    });
    true
}

/// What [`rank`] computes.
struct Sum<'a, T: 'static> {
    kernels: &'static Kernels<T>,
    k: usize,
    operands: Operands<T>,
    terms: &'a [Term<T>],
    c: Panel<T>,
    region: Region,
    herm: bool,
}

/// Rows of the operands, some of their columns.
#[derive(Clone, Copy)]
struct Rows<T> {
    /// Where they are read, of each operand.
    from: [Source<T>; 2],
    /// How they are grouped: packed ones to tiles.
    groups: Groups,
    /// The first one.
    start: usize,
    len: usize,
}

impl<T: Native> Sum<'_, T> {
    /// How many operands there are.
    fn operands(&self) -> usize {
        self.terms.iter().map(|t| t.left.max(t.right)).max().map_or(0, |last| last + 1)
    }

    /// Whether all of them are read where they are.
    fn is_direct(&self, n: usize) -> bool {
        // Tiles as high as a cache line come back to an operand so often that there must be room for all.
        let low = self.kernels.tile()[0] * size_of::<T>() <= 64;
        let columns = if low { self.k * self.operands() } else { self.k };
        let readable = |x: &Panel<T>| x.rs == 1 && !x.conj && stays_cached::<T>(x.cs, columns);
        is_small::<T>(Dims { m: n, n, k: self.k }) && self.operands[..self.operands()].iter().all(readable)
    }

    /// Computes what belongs to the triangle in these rows and columns of C.
    unsafe fn part(&self, i: Range<usize>, j: Range<usize>, beta: T) {
        let Region::Triangle { lower, .. } = self.region else { return };
        let (groups, many) = (self.kernels.rows(), self.operands());
        let depth = even(self.k, self.kernels.depth(), 1);
        if self.k == depth && self.is_direct(i.len().max(j.len())) {
            let rows = |r: &Range<usize>| Rows {
                from: self.operands.map(|x| Source::Matrix(x.sub(r.start, 0))),
                groups: Groups { most: r.len().max(1), unit: 1 },
                start: r.start,
                len: r.len(),
            };
            // SAFETY: the caller's promise.
            return unsafe { self.block(rows(&i), rows(&j), depth, beta) };
        }
        let bytes = many * depth * size_of::<T>();
        let width = even(j.len(), Blocks::get().columns / bytes, groups.most);
        // A bundle of what is left at the end can be almost two groups.
        let height = even(i.len(), (Blocks::get().rows / bytes).max(2 * groups.most), groups.most);
        let [left, right] = [height, width].map(|rows| many * groups.padded(rows) * depth);
        scratch::with([left, right], |[left, right]: [*mut T; 2]| {
            for (first, width) in blocks(j.len(), width) {
                let j = j.start + first..j.start + first + width;
                // The rows in which these columns are filled.
                let all = if lower { i.start.max(j.start)..i.end } else { i.start..i.end.min(j.end) };
                let shared = all.start <= j.start && j.end <= all.end;
                let rest = match (shared, lower) {
                    (false, _) => all,
                    (_, true) => j.end..all.end,
                    _ => all.start..j.start,
                };
                for (l, k) in blocks(self.k, depth) {
                    let beta = if l == 0 { beta } else { T::one() };
                    // SAFETY: the caller's promise; there is room.
                    unsafe {
                        let columns = self.pack(j.clone(), l, k, right);
                        if shared {
                            groups.each_bundle(width, height, |i, len| {
                                let rows = |x: Source<T>| match x {
                                    Source::Packed(p) => Source::Packed(p.wrapping_add(i * k)),
                                    matrix => matrix,
                                };
                                let rows =
                                    Rows { from: columns.from.map(rows), start: j.start + i, len, ..columns };
                                self.block(rows, columns, k, beta);
                            });
                        }
                        groups.each_bundle(rest.len(), height, |i, len| {
                            let start = rest.start + i;
                            let rows = self.pack(start..start + len, l, k, left);
                            self.block(rows, columns, k, beta);
                        });
                    }
                }
            }
        });
    }

    /// Packs rows of all operands, k columns from `l`.
    unsafe fn pack(&self, rows: Range<usize>, l: usize, k: usize, to: *mut T) -> Rows<T> {
        let groups = self.kernels.rows();
        let size = [rows.len(), k];
        let room = groups.padded(rows.len()) * k;
        let places = [to, to.wrapping_add(room)];
        for (x, to) in self.operands[..self.operands()].iter().zip(places) {
            // SAFETY: the caller's promise.
            unsafe { x.pack_groups([rows.start, l], size, groups, to) };
        }
        let from = places.map(|to| Source::Packed(to.cast_const()));
        Rows { from, groups, start: rows.start, len: rows.len() }
    }

    /// Computes one block of C, of k columns of the operands: rows of C are those of the left ones, columns the rows of the
    /// right ones.
    unsafe fn block(&self, left: Rows<T>, right: Rows<T>, k: usize, beta: T) {
        let (kernels, [term, terms @ ..]) = (self.kernels, self.terms) else { return };
        // Kernels sum up two products, and multiply the sum.
        let together = terms.iter().all(|t| t.coef == term.coef);
        right.groups.each(right.len, |start, all| {
            // Columns of a tile are from one group of packed rows.
            Groups { most: even(all, kernels.tile()[1], 1), unit: 1 }.each(all, |inside, n| {
                let j = right.start + start + inside;
                let tile = |term: &Term<T>, beta| {
                    let (b, b_column, b_row) =
                        right.from[term.right].rows([start, 0], [kernels.padded(all), k]);
                    Tile {
                        m: 0,
                        n,
                        k,
                        alpha: term.coef,
                        a: null(),
                        a_step: 0,
                        b: b.wrapping_offset(inside as isize * b_column),
                        b_row,
                        b_column,
                        beta,
                        c: null_mut(),
                        c_step: self.c.cs,
                        conj: self.herm,
                        more: null(),
                        copy: null_mut(),
                    }
                };
                let mut one = tile(term, beta);
                let mut two = terms.first().map(|term| (term, tile(term, T::one())));
                kernels.rows().each(left.len, |i, m| {
                    let at = [left.start + i, j];
                    if self.region.is_outside(at, [m, n]) {
                        return;
                    }
                    let place = |tile: &mut Tile<T>, term: &Term<T>| {
                        (tile.m, tile.c) = (m, self.c.at(at[0], at[1]));
                        (tile.a, _, tile.a_step) = left.from[term.left].rows([i, 0], [kernels.padded(m), k]);
                    };
                    place(&mut one, term);
                    if let Some((term, two)) = &mut two {
                        place(two, term);
                        one.more = if together { two } else { null() };
                    }
                    // SAFETY: the caller's promise.
                    unsafe {
                        self.tile(at, &one);
                        if let Some((_, two)) = two.as_ref().filter(|_| !together) {
                            self.tile(at, two);
                        }
                    }
                });
            });
        });
    }

    /// Computes one tile at a place in C.
    #[inline(always)]
    unsafe fn tile(&self, at: [usize; 2], tile: &Tile<T>) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.region.is_inside(at, [tile.m, tile.n]) {
                self.kernels.strided(tile.m, tile.n)(tile);
            } else {
                self.region.compute(at, tile);
            }
        }
    }
}
