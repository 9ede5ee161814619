//! The GEMM engine: what all of Level 3 is built on, and the one place that knows how products are computed.
//!
//! Results do not depend on the number of threads: C is cut at borders of register tiles, and k is never cut.

mod blocked;
mod float;
mod foreign;
mod integer;
mod kernels;
mod operand;
mod panel;
mod region;
mod scratch;
mod solve;
mod tile;
#[cfg(target_arch = "x86_64")]
mod vector;

use std::ops::Range;

use crate::threads;

pub(crate) use float::{blocks, copy, gemm, product, scale, times};
pub(crate) use integer::gemm_i8;
pub(crate) use kernels::Native;
pub(crate) use operand::{Copied, Operand};
pub(crate) use panel::Panel;
pub(crate) use region::Region;
pub(crate) use solve::{ORDER, solve};

/// Multiplications that are worth a thread.
pub(crate) const GRAIN: f64 = 524_288.0;

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
    let (rows, cols) = grid(threads, dims, unit);
    threads::for_each(rows * cols, |p| {
        let i = threads::range(dims.m, rows, unit[0], p % rows);
        let j = threads::range(dims.n, cols, unit[1], p / rows);
        if !i.is_empty() && !j.is_empty() {
            f(i, j);
        }
    });
}

/// Runs `f` for the rows and columns of each of several parts of one triangle of a matrix of order n, one a thread:
/// groups of columns with about as many elements each. Inner borders are multiples of `unit`.
fn for_each_part_of_triangle(
    threads: usize,
    n: usize,
    k: usize,
    lower: bool,
    unit: usize,
    f: impl Fn(Range<usize>, Range<usize>) + Sync,
) {
    let parts = threads::worthwhile(work(n, n, k) / 2.0, GRAIN, threads);
    let border = |p: usize| {
        let share = p as f64 / parts as f64;
        let of_order = if lower { 1.0 - (1.0 - share).sqrt() } else { share.sqrt() };
        ((of_order * n as f64 / unit as f64).round() as usize * unit).min(n)
    };
    threads::for_each(parts, |p| {
        let j = border(p)..if p + 1 == parts { n } else { border(p + 1) };
        if !j.is_empty() {
            f(if lower { j.start..n } else { 0..j.end }, j);
        }
    });
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
        for (n, lower) in [(1000, true), (1000, false), (17, true), (5000, false)] {
            let count = std::sync::Mutex::new(vec![0; n]);
            for_each_part_of_triangle(3, n, 1 << 20, lower, 6, |i, j| {
                assert!(if lower { i == (j.start..n) } else { i == (0..j.end) });
                j.for_each(|j| count.lock().unwrap()[j] += 1);
            });
            assert!(count.into_inner().unwrap().iter().all(|c| *c == 1), "{n} {lower}");
        }
    }
}
