//! What trmm, trsm and trtri share: a triangular matrix, its halves, and small blocks in scratch memory.

use std::ops::Range;

use blas_api::{Diag, Matrix, Trans, Uplo};

use crate::engine::{GRAIN, Native, Operand, Panel, blocks, times, work};
use crate::simd::wide;
use crate::threads;

/// Order up to which blocks are not divided further.
pub(super) const LEAF: usize = 32;

/// Columns of B that a leaf works on at a time.
const WIDTH: usize = 64;

/// op(A) of a triangular matrix A.
#[derive(Clone, Copy)]
pub(super) struct Tri<T> {
    pub(super) panel: Panel<T>,
    /// Whether the triangle of op(A) is the lower one.
    pub(super) lower: bool,
    pub(super) unit: bool,
}

impl<T: Native> Tri<T> {
    /// # Safety
    /// As for [`Panel::new`].
    pub(super) unsafe fn new(a: Matrix, i: usize, op: Trans, uplo: Uplo, diag: Diag) -> Self {
        Tri {
            // SAFETY: the caller's promise.
            panel: unsafe { Panel::new(a, i, op) },
            lower: (uplo == Uplo::Lower) != op.is_transposed(),
            unit: diag == Diag::Unit,
        }
    }

    pub(super) fn t(self) -> Self {
        Tri { panel: self.panel.t(), lower: !self.lower, ..self }
    }

    /// The triangles of orders `half` and n - `half` on the diagonal.
    pub(super) fn halves(self, half: usize) -> [Self; 2] {
        [self, Tri { panel: self.panel.sub(half, half), ..self }]
    }

    /// The rectangle beside them.
    pub(super) fn rest(self, half: usize) -> Panel<T> {
        if self.lower { self.panel.sub(half, 0) } else { self.panel.sub(0, half) }
    }

    /// The columns of row `i` that hold elements of the triangle, without the diagonal.
    #[inline(always)]
    pub(super) fn row(self, i: usize, n: usize) -> Range<usize> {
        if self.lower { 0..i } else { i + 1..n }
    }

    /// The rows from the corner where the triangle has one element to its long side.
    #[inline(always)]
    pub(super) fn order(self, n: usize) -> impl Iterator<Item = usize> + Clone {
        (0..n).map(move |i| if self.lower { i } else { n - 1 - i })
    }

    /// Copies a triangle of order n <= LEAF; the diagonal of a unit triangle is 1, and the other triangle is 0.
    ///
    /// # Safety
    /// The triangle is there.
    pub(super) unsafe fn load(self, n: usize) -> Leaf<T> {
        let mut leaf = [[T::zero(); LEAF]; LEAF];
        for (i, row) in leaf.iter_mut().enumerate().take(n) {
            for l in self.row(i, n) {
                // SAFETY: the caller's promise.
                row[l] = unsafe { self.panel.get(i, l) };
            }
            // SAFETY: the caller's promise.
            row[i] = if self.unit { T::one() } else { unsafe { self.panel.get(i, i) } };
        }
        leaf
    }
}

impl<T: Native> Operand<T> for Tri<T> {
    unsafe fn pack(self, [i, l]: [usize; 2], [m, k]: [usize; 2], step: usize, to: *mut T) {
        let [first, after] = [i, i + m].map(|border| border.clamp(l, l + k));
        let outside = if self.lower { after..l + k } else { l..first };
        // SAFETY: the caller's promise; the panel is read where it is stored.
        unsafe {
            let at = |c: usize| to.add((c - l) * step);
            std::slice::from_raw_parts_mut(at(outside.start), outside.len() * step).fill(T::zero());
            let inside = if self.lower { l..first } else { after..l + k };
            self.panel.pack([i, inside.start], [m, inside.len()], step, at(inside.start));
            for c in first..after {
                let (to, d) = (at(c), c - i);
                to.write_bytes(0, step);
                to.add(d).write(if self.unit { T::one() } else { self.panel.get(c, c) });
                let stored = if self.lower { d + 1..m } else { 0..d };
                stored.for_each(|r| to.add(r).write(self.panel.get(i + r, c)));
            }
        }
    }

    fn filled(&self, [i, l]: [usize; 2], [m, k]: [usize; 2]) -> Range<usize> {
        let border = |i: usize| i.clamp(l, l + k) - l;
        if self.lower { 0..border(i + m) } else { border(i)..k }
    }
}

/// A small triangle, by rows.
pub(super) type Leaf<T> = [[T; LEAF]; LEAF];

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

/// Cuts the columns of B, each of which is a problem of its own, over the threads.
pub(super) fn over_columns<T: Native>(
    threads: usize,
    n: usize,
    columns: usize,
    b: Panel<T>,
    f: impl Fn(usize, Panel<T>) + Sync,
) {
    // Parts end where register tiles end, so that the cut shows in no result.
    let parts = threads::worthwhile(work(n, n, columns) / 2.0, GRAIN, threads).min(columns.div_ceil(16));
    threads::for_each(parts, |p| {
        let r = threads::range(columns, parts, 16, p);
        if !r.is_empty() {
            f(r.len(), b.sub(0, r.start));
        }
    });
}
