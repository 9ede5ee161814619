//! iamax, iamin.

use blas_api::*;
use num_traits::Float;

use super::{for_each_vector, walk};
use crate::num::{Acc, Elem, Part};
use crate::operands::{Vect, store, unsupported};
use crate::{CpuHandle, simd};

pub(crate) unsafe fn iamax(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T, true>(h, d) },
        else Err(unsupported(Routine::Iamax, d.dtype)))
}

pub(crate) unsafe fn iamin(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T, false>(h, d) },
        else Err(unsupported(Routine::Iamin, d.dtype)))
}

unsafe fn typed<T: Elem, const MAX: bool>(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector(h, d, d.n, |d, i, threads| {
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

/// Elements looked at together: one pass finds the extreme, a second one finds where only if it is a new one.
const GROUP: usize = 256;

/// The extreme of a chunk whose first element has index `start`.
fn extreme<C: Acc, const MAX: bool>(start: usize, x: &[C]) -> (usize, Part<C>) {
    let mut best = (start, x[0].abs1());
    for (g, group) in x.chunks(GROUP).enumerate() {
        let value = simd::wide(
            #[inline(always)]
            || group_extreme::<C, MAX>(group),
        );
        if better::<_, MAX>(best.1, value) {
            let same = |x: &C| x.abs1() == value || (value.is_nan() && x.abs1().is_nan());
            let at = group.iter().position(same).unwrap_or(0);
            best = (start + g * GROUP + at, value);
        }
    }
    best
}

/// The extreme value of a group, NaN if there is one.
#[inline(always)]
fn group_extreme<C: Acc, const MAX: bool>(x: &[C]) -> C::Real {
    const LANES: usize = 16;
    let take = |lane: &mut C::Real, nan: &mut C::Real, x: C| {
        let v = x.abs1();
        // Sums of zeros and NaN: v - v would be NaN for infinity too.
        *nan += if v.is_nan() { v } else { C::Real::default() };
        *lane = if (MAX && v > *lane) || (!MAX && v < *lane) { v } else { *lane };
    };
    let first = if MAX { C::Real::neg_infinity() } else { C::Real::infinity() };
    let (mut lanes, mut nans) = ([first; LANES], [C::Real::default(); LANES]);
    let (whole, rest) = x.split_at(x.len() - x.len() % LANES);
    for x in whole.chunks_exact(LANES) {
        for l in 0..LANES {
            take(&mut lanes[l], &mut nans[l], x[l]);
        }
    }
    for (l, x) in rest.iter().enumerate() {
        take(&mut lanes[l], &mut nans[l], *x);
    }
    let nan = nans.into_iter().fold(C::Real::default(), |a, b| a + b);
    let best = lanes.into_iter().fold(first, |a, b| if (MAX && b > a) || (!MAX && b < a) { b } else { a });
    if nan.is_nan() { nan } else { best }
}
