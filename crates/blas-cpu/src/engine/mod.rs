//! The GEMM engine: what all of Level 3 is built on, and the one place that knows how products are computed.
//!
//! Results do not depend on the number of threads: C is cut at borders of register tiles, and k is never cut.

mod float;
mod integer;
mod native;
mod panel;

use blas_api::Element;

use crate::threads;

pub(crate) use float::{blocks, copy, gemm, scale, times};
pub(crate) use integer::gemm_i8;
pub(crate) use native::Native;
pub(crate) use panel::Panel;

/// Multiplications that are worth a thread.
pub(crate) const GRAIN: f64 = 524_288.0;

/// Number of multiplications, for comparison with [`GRAIN`].
pub(crate) fn work(m: usize, n: usize, k: usize) -> f64 {
    m as f64 * n as f64 * k as f64
}

/// Rows and columns of C are cut at multiples of this, which all register tiles divide.
const TILE: usize = 16;

/// The sizes of a product: C is m x n, and sums have k terms.
#[derive(Clone, Copy)]
pub(crate) struct Dims {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

/// Runs `f` on a grid of parts of C, one a thread, and hands it the sizes and operands of the part.
fn for_each_part<A: Element, C: Element>(
    threads: usize,
    dims: Dims,
    [a, b]: [Panel<A>; 2],
    c: Panel<C>,
    f: impl Fn(Dims, [Panel<A>; 2], Panel<C>) + Sync,
) {
    let threads = threads::worthwhile(work(dims.m, dims.n, dims.k), GRAIN, threads);
    let (rows, cols) = grid(threads, dims);
    threads::for_each(rows * cols, |p| {
        let i = threads::range(dims.m, rows, TILE, p % rows);
        let j = threads::range(dims.n, cols, TILE, p / rows);
        if !i.is_empty() && !j.is_empty() {
            let part = Dims { m: i.len(), n: j.len(), k: dims.k };
            f(part, [a.sub(i.start, 0), b.sub(0, j.start)], c.sub(i.start, j.start));
        }
    });
}

/// Rows and columns of the grid of at most `threads` parts in which the largest part is soonest done.
fn grid(threads: usize, dims: Dims) -> (usize, usize) {
    let largest = |n: usize, parts: usize| n.div_ceil(TILE).div_ceil(parts) as f64;
    // A part of r x c tiles costs r * c multiplied tiles, and r + c packed ones of about half the price.
    let cost = |&(rows, cols): &(usize, usize)| {
        let (r, c) = (largest(dims.m, rows), largest(dims.n, cols));
        r * c + (r + c) / 2.0
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
        let g = |t, m, n| grid(t, Dims { m, n, k: 1 });
        assert_eq!(g(1, 1000, 1000), (1, 1));
        assert_eq!(g(4, 1024, 1024), (2, 2));
        assert_eq!(g(4, 10_000, 16), (4, 1));
        assert_eq!(g(4, 16, 10_000), (1, 4));
        assert_eq!(g(6, 3072, 2048), (3, 2));
    }
}
