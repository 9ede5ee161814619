//! The GEMM engine: what all of Level 3 is built on, and the one place that knows how products are computed.
//!
//! One number of threads gives the same bits in each call. C is cut at borders of register tiles and k is never cut, so most other
//! numbers give them too.

mod ahead;
mod blocked;
mod cache;
mod float;
mod foreign;
mod groups;
mod integer;
mod kernels;
mod operand;
mod panel;
mod rank;
mod region;
mod scratch;
mod small;
mod solve;
mod split;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "there are vectors for x86-64 only"))]
mod stream;
mod structured;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "there are vectors for x86-64 only"))]
mod tile;
mod transpose;
mod triangle;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "there are vectors for x86-64 only"))]
mod vector;

use std::ops::Range;

use crate::threads;

pub(crate) use float::{copy, gemm, gemm_each, product, scale, times};
use groups::Groups;
pub(crate) use integer::gemm_i8;
pub(crate) use kernels::Native;
use operand::Operand;
pub(crate) use panel::Panel;
pub(crate) use rank::{Term, rank};
pub(crate) use region::Region;
pub(crate) use scratch::in_memory;
pub(crate) use small::small;
pub(crate) use solve::{ORDER, solve};
pub(crate) use split::blocks;
pub(crate) use structured::{Structured, Symmetric, Tri};
pub(crate) use triangle::{multiply, multiply_packed};

/// Multiplications that are worth a thread: with AVX2, 1.4 microseconds of them in f32 and 3 in f64. Two threads broke even
/// at orders of 48 to 56, where to hand out a part and what they fetch from each other's caches took as long.
pub(crate) const GRAIN: f64 = 65_536.0;

/// Number of multiplications, for comparison with [`GRAIN`].
pub(crate) fn work(m: usize, n: usize, k: usize) -> f64 {
    m as f64 * n as f64 * k as f64
}

/// The sizes of a product: C is m x n, and sums have k terms.
#[derive(Clone, Copy)]
pub(crate) struct Dims {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

impl Dims {
    /// The sizes of the transposed product.
    fn t(self) -> Self {
        Dims { m: self.n, n: self.m, ..self }
    }
}

/// Runs `f` for the rows and columns of each of several parts of C, one a thread. Inner borders are multiples of `unit`.
#[inline]
fn for_each_part(
    threads: usize,
    dims: Dims,
    unit: [usize; 2],
    f: impl Fn(Range<usize>, Range<usize>) + Sync,
) {
    let threads = threads::worthwhile(work(dims.m, dims.n, dims.k), GRAIN, threads);
    if threads == 1 {
        return f(0..dims.m, 0..dims.n);
    }
    spread(threads, dims, unit, &f);
}

/// [`for_each_part`] of several.
fn spread(threads: usize, dims: Dims, unit: [usize; 2], f: &(dyn Fn(Range<usize>, Range<usize>) + Sync)) {
    let (rows, cols) = grid(threads, dims, unit);
    threads::for_each(rows * cols, |p| {
        let i = threads::range(dims.m, rows, unit[0], p % rows);
        let j = threads::range(dims.n, cols, unit[1], p / rows);
        if !i.is_empty() && !j.is_empty() {
            f(i, j);
        }
    });
}

/// Runs `f` for the rows and columns of each of several parts of one triangle of a matrix of order n, one a thread: groups
/// of columns, and groups of the rows that are filled there, with about as many elements each. Inner borders are multiples
/// of `unit`.
fn for_each_part_of_triangle(
    threads: usize,
    n: usize,
    k: usize,
    lower: bool,
    unit: [usize; 2],
    f: &(dyn Fn(Range<usize>, Range<usize>) + Sync),
) {
    let parts = threads::worthwhile(work(n, n, k) / 2.0, GRAIN, threads);
    let rows = parts.isqrt();
    let columns = parts / rows;
    let border = |p: usize| {
        let share = p as f64 / columns as f64;
        let of_order = if lower { 1.0 - (1.0 - share).sqrt() } else { share.sqrt() };
        ((of_order * n as f64 / unit[1] as f64).round() as usize * unit[1]).min(n)
    };
    threads::for_each(rows * columns, |p| {
        let (q, p) = (p % rows, p / rows);
        let j = border(p)..if p + 1 == columns { n } else { border(p + 1) };
        if j.is_empty() {
            return;
        }
        let filled = if lower { j.start..n } else { 0..j.end };
        let i = cut(filled, rows, q, unit[0], |i| {
            if lower { (i + 1).min(j.end) - j.start } else { j.end - i.max(j.start) }
        });
        if !i.is_empty() {
            f(i, j);
        }
    });
}

/// Part `p` of a range in as many parts of about the same weight, with inner borders at multiples of `unit`.
fn cut(
    range: Range<usize>,
    parts: usize,
    p: usize,
    unit: usize,
    weight: impl Fn(usize) -> usize,
) -> Range<usize> {
    let all: usize = range.clone().map(&weight).sum();
    let border = |p: usize| {
        if p == 0 || p == parts {
            return if p == 0 { range.start } else { range.end };
        }
        let mut left = all * p / parts;
        let passed =
            range.clone().take_while(|i| left.checked_sub(weight(*i)).map(|rest| left = rest).is_some());
        (range.start + passed.count()).next_multiple_of(unit).min(range.end)
    };
    border(p)..border(p + 1)
}

/// Rows and columns of the grid of at most `threads` parts in which the largest part is soonest done.
fn grid(threads: usize, dims: Dims, unit: [usize; 2]) -> (usize, usize) {
    let largest = |n: usize, parts: usize, unit: usize| (n.div_ceil(unit).div_ceil(parts) * unit) as f64;
    // A part of r x c elements costs r * c multiplications, and r + c elements packed at the price of about eight each.
    let cost = |&(rows, cols): &(usize, usize)| {
        let (r, c) = (largest(dims.m, rows, unit[0]), largest(dims.n, cols, unit[1]));
        r * c + 8.0 * (r + c)
    };
    (1..=threads)
        .map(|rows| (rows, threads / rows))
        .min_by(|x, y| cost(x).total_cmp(&cost(y)))
        .unwrap_or((1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_fit_the_shape() {
        let g = |t, m, n| grid(t, Dims { m, n, k: 1 }, [16, 16]);
        assert_eq!(g(1, 1000, 1000), (1, 1));
        assert_eq!(g(4, 1024, 1024), (2, 2));
        assert_eq!(g(4, 10_000, 16), (4, 1));
        assert_eq!(g(4, 16, 10_000), (1, 4));
        assert_eq!(g(6, 3072, 2048), (3, 2));
    }

    #[test]
    fn parts_cover_a_triangle_once() {
        for (n, lower) in [(100, true), (100, false), (17, true), (500, false)] {
            let count = std::sync::Mutex::new(vec![0; n * n]);
            for threads in [3, 4, 9] {
                for_each_part_of_triangle(threads, n, 1 << 20, lower, [16, 6], &|i, j| {
                    j.for_each(|j| i.clone().for_each(|i| count.lock().unwrap()[i + j * n] += 1));
                });
            }
            let count = count.into_inner().unwrap();
            let inside = |x: usize| if lower { x % n >= x / n } else { x % n <= x / n };
            assert!((0..n * n).all(|x| !inside(x) || count[x] == 3), "{n} {lower}");
        }
    }
}
