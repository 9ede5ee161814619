//! Triangular systems of an order that a cache holds: the leaves of trsm.
//!
//! Right-hand sides are in the lanes of vectors, so that equations follow one another in registers: a few at a time are
//! freed of the unknowns that are known by the loop of [`tile`](super::tile), and then solved among themselves.

use super::kernels::Native;
use super::operand::{Operand as _, unpack};
use super::tile::Step;
use super::{Panel, blocked::each, scratch, times};

/// The largest order.
pub(crate) const ORDER: usize = 192;

/// Solves A * X = alpha * B in place of B, n x columns, where A is the lower or the upper triangle of `a`. Returns
/// whether there are kernels to do it; if not, nothing was done.
///
/// # Safety
/// All elements are there, those of B are not in use elsewhere, and n <= ORDER.
pub(crate) unsafe fn solve<T: Native>(
    [n, columns]: [usize; 2],
    alpha: T,
    a: Panel<T>,
    [lower, unit]: [bool; 2],
    b: Panel<T>,
) -> bool {
    let kernels = T::kernels();
    if !kernels.is_own() {
        return false;
    }
    let [mr, nr] = kernels.tile();
    // Incomplete groups of equations are filled up with ones that say that an unknown is zero.
    let filled = n.next_multiple_of(nr);
    let lens = [filled * filled, filled * nr, filled * mr];
    scratch::with(lens, |[known, squares, x]: [*mut T; 3]| {
        // SAFETY: the caller's promise; there is room.
        unsafe {
            each(n, nr, |i, m| {
                let l = if lower { 0..i } else { i + m..n };
                a.pack([i, l.start], [m, l.len()], nr, known.add(i * filled));
                square(a.sub(i, i), m, nr, [lower, unit], squares.add(i * nr));
            });
            each(columns, mr, |j, width| {
                let (b, step) = (b.sub(0, j).t(), kernels.padded(width));
                b.pack([0, 0], [width, n], step, x);
                let rows = std::slice::from_raw_parts_mut(x, filled * step);
                rows[n * step..].fill(T::zero());
                if !alpha.is_one() {
                    rows.iter_mut().for_each(|x| *x = times(alpha, *x));
                }
                let kernel = kernels.solve(width, lower);
                let group = |i: usize| {
                    let l = if lower { 0..i } else { (i + nr).min(n)..n };
                    kernel(&Step {
                        k: l.len(),
                        known: x.add(l.start * step),
                        coefs: known.add(i * filled),
                        square: squares.add(i * nr),
                        unit,
                        x: x.add(i * step),
                    });
                };
                if lower {
                    (0..filled).step_by(nr).for_each(group);
                } else {
                    (0..filled).step_by(nr).rev().for_each(group);
                }
                unpack(x, step, [width, n], b);
            });
        }
    });
    true
}

/// Copies a triangle of order m row by row, filled up to order nr.
unsafe fn square<T: Native>(a: Panel<T>, m: usize, nr: usize, [lower, unit]: [bool; 2], to: *mut T) {
    for i in 0..nr {
        for l in 0..nr {
            let stored = i < m && l < m && if lower { l < i } else { l > i };
            let x = match i == l {
                true if i >= m || unit => T::one(),
                // SAFETY: the caller's promise.
                true => unsafe { a.get(i, i) },
                // SAFETY: as above.
                false if stored => unsafe { a.get(i, l) },
                false => T::zero(),
            };
            // SAFETY: as above.
            unsafe { to.add(i * nr + l).write(x) };
        }
    }
}
