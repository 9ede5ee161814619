//! What of a product is computed and written: all of it, or one triangle.

use std::ops::Range;

use super::{Native, Panel, scale};

/// A part of a matrix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    /// Everything.
    All,
    /// One triangle with the diagonal.
    Triangle {
        /// The one below the diagonal.
        lower: bool,
        /// The diagonal is real.
        herm: bool,
    },
}

impl Region {
    /// The transposed part.
    pub(crate) fn t(self) -> Self {
        match self {
            Region::All => self,
            Region::Triangle { lower, herm } => Region::Triangle { lower: !lower, herm },
        }
    }

    /// Whether nothing of the m x n block at (i, j) belongs to it.
    #[inline(always)]
    pub(super) fn is_outside(self, [i, j]: [usize; 2], [m, n]: [usize; 2]) -> bool {
        match self {
            Region::All => false,
            Region::Triangle { lower: true, .. } => i + m <= j,
            Region::Triangle { lower: false, .. } => j + n <= i,
        }
    }

    /// Whether all of the m x n block at (i, j) belongs to it, and is written as it was computed.
    #[inline(always)]
    pub(super) fn is_inside(self, [i, j]: [usize; 2], [m, n]: [usize; 2]) -> bool {
        match self {
            Region::All => true,
            Region::Triangle { lower: true, .. } => i >= j + n,
            Region::Triangle { lower: false, .. } => j >= i + m,
        }
    }

    /// The rows that belong to it of column j, of those from `i` to `i + m`; counted from `i`.
    fn rows(self, [i, j]: [usize; 2], m: usize) -> Range<usize> {
        match self {
            Region::All => 0..m,
            Region::Triangle { lower: true, .. } => j.saturating_sub(i).min(m)..m,
            Region::Triangle { lower: false, .. } => 0..(j + 1).saturating_sub(i).min(m),
        }
    }

    /// Copies what belongs to it of the m x n block at (i, j).
    ///
    /// # Safety
    /// The elements are there; those of `to` are not in use elsewhere.
    pub(super) unsafe fn copy<T: Native>(
        self,
        [i, j]: [usize; 2],
        [m, n]: [usize; 2],
        from: Panel<T>,
        to: Panel<T>,
    ) {
        for c in 0..n {
            // SAFETY: the caller's promise.
            self.rows([i, j + c], m).for_each(|r| unsafe { to.set(r, c, from.get(r, c)) });
        }
    }

    /// Clears the imaginary parts of the diagonal of a Hermitian matrix, in the m x n block at (i, j).
    ///
    /// # Safety
    /// The elements are there and not in use elsewhere.
    pub(super) unsafe fn make_real<T: Native>(self, [i, j]: [usize; 2], [m, n]: [usize; 2], c: Panel<T>) {
        if matches!(self, Region::Triangle { herm: true, .. }) {
            for d in i.max(j)..(i + m).min(j + n) {
                // SAFETY: the caller's promise.
                unsafe { c.set(d - i, d - j, c.get(d - i, d - j).real()) };
            }
        }
    }

    /// C = beta * C for what belongs to it of an m x n matrix. With beta = 0, C is not read; with beta = 1 nothing is
    /// done.
    ///
    /// # Safety
    /// The elements are there and not in use elsewhere.
    pub(super) unsafe fn scale<T: Native>(self, m: usize, n: usize, beta: T, c: Panel<T>) {
        if self == Region::All {
            // SAFETY: the caller's promise.
            return unsafe { scale(m, n, beta, c) };
        }
        if beta.is_one() {
            return;
        }
        for j in 0..n {
            let rows = self.rows([0, j], m);
            // SAFETY: the caller's promise.
            unsafe { scale(rows.len(), 1, beta, c.sub(rows.start, j)) };
        }
        // SAFETY: as above.
        unsafe { self.make_real([0, 0], [m, n], c) };
    }
}
