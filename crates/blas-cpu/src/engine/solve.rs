//! Triangular systems of an order that a cache holds: the leaves of trsm.
//!
//! Right-hand sides are in the lanes of vectors, so that equations follow one another in registers: a few at a time are
//! freed of the unknowns that are known by the loop of [`tile`](super::tile), and then solved among themselves.

use super::kernels::Native;
use super::operand::{Operand as _, unpack};
use super::split::{each, even};
use super::tile::{Step, reciprocal};
use super::{Panel, scratch, times};

/// The largest order.
pub(crate) const ORDER: usize = 256;

/// Groups of right-hand sides that are solved at once: kernels take two.
const SIDES: usize = 2;

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
    let lens = [filled * filled, filled * (nr + 1), filled * SIDES * mr];
    scratch::with(lens, |[known, squares, x]: [*mut T; 3]| {
        // SAFETY: the caller's promise; there is room.
        unsafe {
            each(n, nr, |i, m| {
                let l = if lower { 0..i } else { i + m..n };
                a.pack([i, l.start], [m, l.len()], nr, known.add(i * filled));
                square(a.sub(i, i), m, nr, [lower, unit], squares.add(i * (nr + 1)));
            });
            each(columns, even(columns, SIDES * mr, kernels.lanes()), |j, width| {
                let sides = b.sub(0, j).t();
                // Groups of the same size are solved at once.
                let part = even(width, mr, kernels.lanes());
                each(width, part, |r, width| {
                    let (x, step) = (x.add(r * filled), kernels.padded(width));
                    sides.pack([r, 0], [width, n], step, x);
                    x.add(n * step).write_bytes(0, (filled - n) * step);
                    if !alpha.is_one() {
                        let rows = std::slice::from_raw_parts_mut(x, n * step);
                        rows.iter_mut().for_each(|x| *x = times(alpha, *x));
                    }
                });
                let group = |i: usize| {
                    let l = if lower { 0..i } else { (i + nr).min(n)..n };
                    let step = |first: usize, second: usize, width: usize| {
                        let starts = [x.add(first * filled), x.add(second * filled)];
                        let step = kernels.padded(width);
                        kernels.solve(width, lower)(&Step {
                            k: l.len(),
                            known: starts.map(|x| x.add(l.start * step).cast_const()),
                            coefs: known.add(i * filled),
                            square: squares.add(i * (nr + 1)),
                            unit,
                            x: starts.map(|x| x.add(i * step)),
                        });
                    };
                    let second = width - part;
                    if kernels.padded(second) == kernels.padded(part) {
                        step(0, part, part);
                    } else {
                        step(0, 0, part);
                        if second > 0 {
                            step(part, part, second);
                        }
                    }
                };
                if lower {
                    (0..filled).step_by(nr).for_each(group);
                } else {
                    (0..filled).step_by(nr).rev().for_each(group);
                }
                each(width, part, |r, width| {
                    unpack(x.add(r * filled), kernels.padded(width), [width, n], sides.sub(r, 0));
                });
            });
        }
    });
    true
}

/// Copies a triangle of order m row by row, filled up to order nr, with the reciprocals of its pivots after it.
unsafe fn square<T: Native>(a: Panel<T>, m: usize, nr: usize, [lower, unit]: [bool; 2], to: *mut T) {
    // SAFETY: the caller's promise.
    unsafe {
        if m < nr {
            to.write_bytes(0, nr * nr);
        }
        for i in 0..m {
            let (row, from) = (to.add(i * nr), a.at(i, 0));
            for l in if lower { 0..i } else { i + 1..m } {
                let x = *from.wrapping_offset(l as isize * a.cs);
                row.add(l).write(if a.conj { x.conj() } else { x });
            }
        }
        for i in 0..nr {
            let pivot = if i >= m || unit { T::one() } else { a.get(i, i) };
            to.add(i * nr + i).write(pivot);
            to.add(nr * nr + i).write(reciprocal(pivot));
        }
    }
}
