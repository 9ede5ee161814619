//! Operands that are asked for before they are needed.

use super::Panel;

/// A cache line.
const LINE: usize = 64;

/// Asks for the cache lines of `bytes`, which need not be there.
#[inline(always)]
fn ask_bytes(p: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for byte in (0..bytes).step_by(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(byte).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (p, bytes);
}

/// Asks for the cache lines of `n` elements, which need not be there.
#[inline(always)]
pub(super) fn ask<T>(p: *const T, n: usize) {
    ask_bytes(p.cast(), n * size_of::<T>());
}

/// A matrix that is asked for piece by piece: more requests at once than a processor can have under way would hold up
/// what it reads meanwhile.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    next: *const u8,
    /// Bytes of a piece, and from one to the next: a column, or a cache line where columns follow one another.
    bytes: usize,
    step: isize,
    /// Pieces that are left.
    left: usize,
    /// Pieces that are asked for at once.
    share: usize,
}

impl Ahead {
    /// An m x n matrix, columns or rows of which are contiguous, asked for in `times` times.
    #[inline(always)]
    pub(super) fn new<T>(x: Panel<T>, [m, n]: [usize; 2], times: usize) -> Self {
        let (m, n, step) = if x.rs == 1 { (m, n, x.cs) } else { (n, m, x.rs) };
        let (bytes, step, left) = if step == m as isize {
            (LINE, LINE as isize, (m * n * size_of::<T>()).div_ceil(LINE))
        } else {
            (m * size_of::<T>(), step * size_of::<T>() as isize, n)
        };
        Ahead { next: x.ptr.cast_const().cast(), bytes, step, left, share: left.div_ceil(times) }
    }

    /// Asks for some more of it.
    #[inline(always)]
    pub(super) fn ask(&mut self) {
        let pieces = self.share.min(self.left);
        for _ in 0..pieces {
            ask_bytes(self.next, self.bytes);
            self.next = self.next.wrapping_offset(self.step);
        }
        self.left -= pieces;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_matrix_is_asked_for() {
        let mut numbers = vec![0.0f64; 1000];
        let first = numbers.as_ptr() as usize;
        for (m, n, ld) in [(5, 7, 5), (5, 7, 9), (30, 30, 33), (1, 1, 1)] {
            let x = Panel::columns(numbers.as_mut_ptr(), ld);
            for (x, size) in [(x, [m, n]), (x.t(), [n, m])] {
                for times in [1, 3, 100] {
                    let mut ahead = Ahead::new(x, size, times);
                    (0..times).for_each(|_| ahead.ask());
                    assert_eq!(ahead.left, 0);
                    assert!(ahead.next as usize >= first + if m == ld { 8 * m * n } else { 8 * ld * n });
                }
            }
        }
    }
}
