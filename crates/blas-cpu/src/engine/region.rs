//! What of a product is computed and written: all of it, or one triangle.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::null;

use super::tile::{Slant, Tile};
use super::{Native, Panel, scale, scratch};

/// Elements of the largest tile of our own kernels, which has room on the stack.
const OWN: usize = 48 * 8;

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

    /// Computes what belongs to it of a tile at (i, j) that its border crosses.
    ///
    /// # Safety
    /// As for a [`Kernel`](super::tile::Kernel), but what is outside of the region may be in use elsewhere.
    pub(super) unsafe fn compute<T: Native>(self, [i, j]: [usize; 2], tile: &Tile<T>) {
        let kernels = T::kernels();
        let (m, n) = (tile.m, tile.n);
        let Region::Triangle { lower, .. } = self else {
            // SAFETY: the caller's promise.
            return unsafe { kernels.strided(m, n)(tile) };
        };
        // Rows that are outside altogether need not be computed.
        let rows = if lower {
            j.saturating_sub(i) / kernels.lanes() * kernels.lanes()..m
        } else {
            0..m.min(j + n - i)
        };
        let (i, m, c) = (i + rows.start, rows.len(), tile.c.wrapping_add(rows.start));
        let c = Panel { ptr: c, rs: 1, cs: tile.c_step, conj: false };
        // SAFETY: the caller's promise; there is room for m x n elements.
        let compute = |room: *mut T| unsafe {
            let copy = Panel::columns(room, m);
            let more = tile.more.as_ref().map(|more| Tile { a: more.a.add(rows.start), ..*more });
            kernels.strided(m, n)(&Tile {
                m,
                a: tile.a.add(rows.start),
                beta: T::zero(),
                c: copy.ptr,
                c_step: copy.cs,
                more: more.as_ref().map_or(null(), |more| more),
                ..*tile
            });
            kernels.add()(&Slant {
                m,
                n,
                x: copy.ptr,
                beta: tile.beta,
                c: c.ptr,
                c_step: c.cs,
                first: j as isize - i as isize,
                lower,
            });
            self.make_real([i, j], [m, n], c);
        };
        if m * n <= OWN {
            let mut room = MaybeUninit::<[T; OWN]>::uninit();
            compute(room.as_mut_ptr().cast());
        } else {
            scratch::with([m * n], |[room]| compute(room));
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
