//! iamax, iamin.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, those of iterators not always"
)]

use std::ops::Range;

use blas_api::*;
use num_traits::Float;

use super::{Short, done_or, for_each_vector, short, walk};
use crate::CpuHandle;
use crate::lanes::{Kernel, Lanes, run};
use crate::num::{Acc, Elem};
use crate::operands::{Vect, store, unsupported};

#[inline(always)]
pub(crate) unsafe fn iamax(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in X => quick::<T>(true, d), else false), any_iamax, h, d) }
}

#[inline(always)]
pub(crate) unsafe fn iamin(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in X => quick::<T>(false, d), else false), any_iamin, h, d) }
}

/// Whether it is a short call, which then is done.
#[inline(always)]
unsafe fn quick<T: Short>(largest: bool, d: &ReduceDesc) -> bool {
    let Some([x]) = short::<T, 1>(d.batch, d.n, walk::BLOCK, [&d.x]) else { return false };
    // SAFETY: the descriptor's promise.
    unsafe { store(d.out, 0, T::extreme(largest, d.n, x) as i64 + 1) };
    true
}

unsafe fn any_iamax(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T, true>(h, d) },
        else Err(unsupported(Routine::Iamax, d.dtype)))
}

unsafe fn any_iamin(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T, false>(h, d) },
        else Err(unsupported(Routine::Iamin, d.dtype)))
}

unsafe fn typed<T: Elem, const MAX: bool>(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, 1, _>(h, d, d.n, |d, i, threads| {
            let x = Vect::<T>::new(d.x, i, d.n);
            let best = walk::fold(threads, x, extreme::<_, MAX>, first_better::<_, MAX>);
            // From 1; the answer for an empty vector is 0.
            store(d.out, i, best.map_or(0, |(i, _)| i as i64 + 1));
        })
    }
}

/// Whether `b` replaces an earlier `a`: a NaN replaces all but a NaN.
#[inline(always)]
fn better<R: Float, const MAX: bool>(a: R, b: R) -> bool {
    if a.is_nan() {
        false
    } else if MAX {
        b > a || b.is_nan()
    } else {
        b < a || b.is_nan()
    }
}

fn first_better<R: Float, const MAX: bool>(a: (usize, R), b: (usize, R)) -> (usize, R) {
    if better::<R, MAX>(a.1, b.1) { b } else { a }
}

/// The extreme of a chunk whose first element has index `start`.
#[inline]
pub(crate) fn extreme<C: Acc, const MAX: bool>(start: usize, x: &[C]) -> (usize, C::Real) {
    let (i, value) = run(&Extreme::<C, MAX>(x));
    (start + i, value)
}

/// Index and value of the extreme of numbers, of which there is at least one.
struct Extreme<'a, C, const MAX: bool>(&'a [C]);

impl<C: Acc, const MAX: bool> Kernel<C::Real> for Extreme<'_, C, MAX> {
    type Output = (usize, C::Real);

    /// One pass finds the extreme and the piece that it is in, and a second one over that piece its place.
    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) -> (usize, C::Real) {
        const PIECE: usize = 1024;
        let n = self.0.len();
        let mut best = (0, self.0[0].abs1());
        // Where it is to be looked for.
        let mut piece = 0..0;
        let mut first = 0;
        while first < n && !best.1.is_nan() {
            let end = n.min(first + PIECE);
            // SAFETY: within the slice.
            match unsafe { self.value::<V>(first, end) } {
                None => {
                    for i in first..end {
                        let value = self.0[i].abs1();
                        if better::<_, MAX>(best.1, value) {
                            (best, piece) = ((i, value), 0..0);
                        }
                    }
                }
                Some(value) if better::<_, MAX>(best.1, value) => (best.1, piece) = (value, first..end),
                Some(_) => {}
            }
            first = end;
        }
        if !piece.is_empty() {
            // SAFETY: as above.
            best.0 = unsafe { self.find::<V>(piece, best.1) };
        }
        best
    }
}

impl<C: Acc, const MAX: bool> Extreme<'_, C, MAX> {
    /// What is compared of the numbers in a register; twice in complex ones.
    #[inline(always)]
    unsafe fn load<V: Lanes<Real = C::Real>>(&self, at: usize) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let x = V::load(self.0.as_ptr().cast::<C::Real>().add(at)).abs();
            if C::COMPLEX { x.add(x.swap()) } else { x }
        }
    }

    /// What is compared of as many numbers as a register has places, in some order.
    #[inline(always)]
    unsafe fn load_all<V: Lanes<Real = C::Real>>(&self, at: usize) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let x = self.0.as_ptr().cast::<C::Real>().add(at);
            let first = V::load(x).abs();
            if C::COMPLEX { first.pair_sums(V::load(x.add(V::N)).abs()) } else { first }
        }
    }

    /// The extreme of a piece; None if there are NaN, or too few elements for a register.
    #[inline(always)]
    unsafe fn value<V: Lanes<Real = C::Real>>(&self, first: usize, end: usize) -> Option<C::Real> {
        const U: usize = 4;
        let (first, end) = (first * C::PARTS, end * C::PARTS);
        if end - first < V::N {
            return None;
        }
        // SAFETY: within the slice. The last register may hold numbers once more.
        unsafe {
            let mut best = [self.load::<V>(end - V::N); U];
            let mut nan = best[0].nan(best[0]);
            let mut at = first;
            while at + U * C::PARTS * V::N <= end {
                for u in 0..U {
                    let x = self.load_all::<V>(at + u * C::PARTS * V::N);
                    best[u] = Self::extreme(best[u], x, &mut nan);
                }
                at += U * C::PARTS * V::N;
            }
            while at + V::N <= end {
                best[0] = Self::extreme(best[0], self.load::<V>(at), &mut nan);
                at += V::N;
            }
            let [a, b, c, d] = best;
            if MAX {
                let all = a.top(b).top(c.top(d));
                (V::bits(all.nan(all)) == 0).then(|| all.largest())
            } else {
                let all = a.min(b).min(c.min(d));
                (V::bits(nan) == 0).then(|| all.smallest())
            }
        }
    }

    /// Of each two numbers the one in favour. NaN is the largest, or is found in `nan`.
    #[inline(always)]
    unsafe fn extreme<V: Lanes<Real = C::Real>>(best: V, x: V, nan: &mut V::Mask) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            if MAX {
                return x.top(best);
            }
            *nan = V::either(*nan, x.nan(x));
            best.min(x)
        }
    }

    /// Where a value is first, in a piece that it is in.
    #[inline(always)]
    unsafe fn find<V: Lanes<Real = C::Real>>(&self, piece: Range<usize>, value: C::Real) -> usize {
        let (mut at, last) = (piece.start * C::PARTS, piece.end * C::PARTS - V::N);
        // SAFETY: within the slice. The last register may hold numbers once more, of which none is the value.
        unsafe {
            let wanted = V::splat(value);
            loop {
                let found = V::bits(self.load::<V>(at).same(wanted));
                if found != 0 || at == last {
                    return (at + found.trailing_zeros() as usize) / C::PARTS;
                }
                at = last.min(at + V::N);
            }
        }
    }
}
