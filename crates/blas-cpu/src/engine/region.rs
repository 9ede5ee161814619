//! What of a product is computed and written: all of it, or one triangle.

use super::{Native, Panel, scale, times};

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

    /// C = sums + beta * C for what belongs to it of the m x n block at (i, j).
    ///
    /// # Safety
    /// The elements are there and not in use elsewhere.
    pub(super) unsafe fn add<T: Native>(
        self,
        [i, j]: [usize; 2],
        [m, n]: [usize; 2],
        sums: &[T],
        beta: T,
        c: Panel<T>,
    ) {
        for (jj, column) in sums.chunks_exact(m).enumerate().take(n) {
            for (ii, &sum) in column.iter().enumerate() {
                if self.is_outside([i + ii, j + jj], [1, 1]) {
                    continue;
                }
                // SAFETY: the caller's promise.
                unsafe {
                    let mut x = sum;
                    if !beta.is_zero() {
                        x += times(beta, c.get(ii, jj));
                    }
                    let real = i + ii == j + jj && self.is_hermitian();
                    c.set(ii, jj, if real { x.real() } else { x });
                }
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
        let zeros = vec![T::zero(); m];
        for j in 0..n {
            // SAFETY: the caller's promise.
            unsafe { self.add([0, j], [m, 1], &zeros, beta, c.sub(0, j)) };
        }
    }

    fn is_hermitian(self) -> bool {
        matches!(self, Region::Triangle { herm: true, .. })
    }
}
