//! What trmm, trsm and trtri share: where triangles are divided, and small blocks in scratch memory.

use crate::engine::{GRAIN, Native, Panel, Tri, blocks, times, work};
use crate::simd::wide;
use crate::threads;

/// Order up to which blocks are not divided further.
pub(super) const LEAF: usize = 32;

/// Columns of B that a leaf works on at a time.
const WIDTH: usize = 64;

/// A small triangle, by rows.
pub(super) type Leaf<T> = [[T; LEAF]; LEAF];

/// Copies a triangle of order n <= LEAF; the diagonal of a unit triangle is 1, and the other triangle is 0.
///
/// # Safety
/// The triangle is there.
pub(super) unsafe fn load<T: Native>(a: Tri<T>, n: usize) -> Leaf<T> {
    let mut leaf = [[T::zero(); LEAF]; LEAF];
    for (i, row) in leaf.iter_mut().enumerate().take(n) {
        for l in a.row(i, n) {
            // SAFETY: the caller's promise.
            row[l] = unsafe { a.panel.get(i, l) };
        }
        // SAFETY: the caller's promise.
        row[i] = if a.unit { T::one() } else { unsafe { a.panel.get(i, i) } };
    }
    leaf
}

/// A few columns of a small block, by rows.
pub(super) struct Rows<T> {
    rows: [[T; WIDTH]; LEAF],
    width: usize,
}

impl<T> Rows<T> {
    #[inline(always)]
    pub(super) fn row(&mut self, i: usize) -> &mut [T] {
        &mut self.rows[i][..self.width]
    }

    /// Row `i`, to write, and another row `l`, to read.
    #[inline(always)]
    pub(super) fn pair(&mut self, i: usize, l: usize) -> (&mut [T], &[T]) {
        let (before, after) = self.rows.split_at_mut(i.max(l));
        let (first, second) = (&mut before[i.min(l)][..self.width], &mut after[0][..self.width]);
        if i < l { (first, second) } else { (second, first) }
    }
}

/// Where a triangle of order n > LEAF is divided.
pub(super) fn half(n: usize) -> usize {
    (n / 2).next_multiple_of(LEAF)
}

/// Lets `f` compute on alpha * B, n x columns, a few columns at a time, and puts the outcome back in B.
///
/// # Safety
/// All elements are there and not in use elsewhere.
pub(super) unsafe fn in_rows<T: Native>(
    n: usize,
    columns: usize,
    alpha: T,
    b: Panel<T>,
    f: impl Fn(&mut Rows<T>),
) {
    let mut rows = Rows { rows: [[T::zero(); WIDTH]; LEAF], width: 0 };
    for (j, width) in blocks(columns, WIDTH) {
        let b = b.sub(0, j);
        rows.width = width;
        // SAFETY: the caller's promise.
        walk(b, [n, width], |i, j| rows.rows[i][j] = times(alpha, unsafe { b.get(i, j) }));
        wide(
            #[inline(always)]
            || f(&mut rows),
        );
        // SAFETY: the caller's promise.
        walk(b, [n, width], |i, j| unsafe { b.set(i, j, rows.rows[i][j]) });
    }
}

/// Calls `f(i, j)` for each element of an n x width matrix, in the order in which memory holds them.
#[inline(always)]
fn walk<T>(b: Panel<T>, [n, width]: [usize; 2], mut f: impl FnMut(usize, usize)) {
    if b.rs == 1 {
        (0..width).for_each(|j| (0..n).for_each(|i| f(i, j)));
    } else {
        (0..n).for_each(|i| (0..width).for_each(|j| f(i, j)));
    }
}

/// Cuts the columns of B, each of which is a problem of its own, over the threads. `f` gets the number of columns, the part
/// of B, and the threads that each part may use itself.
pub(super) fn over_columns<T: Native>(
    threads: usize,
    n: usize,
    columns: usize,
    b: Panel<T>,
    f: impl Fn(usize, Panel<T>, usize) + Sync,
) {
    let all = threads::worthwhile(work(n, n, columns) / 2.0, GRAIN, threads);
    // Parts end where register tiles end, so that the cut shows in no result.
    let parts = all.min(columns.div_ceil(16));
    threads::for_each(parts, |p| {
        let r = threads::range(columns, parts, 16, p);
        if !r.is_empty() {
            f(r.len(), b.sub(0, r.start), all / parts);
        }
    });
}
