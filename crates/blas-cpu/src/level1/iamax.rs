//! iamax, iamin.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, those of iterators not always"
)]

use blas_api::*;
use num_traits::Float;

use super::{for_each_vector, short, walk};
use crate::CpuHandle;
use crate::lanes::{Kernel, Lanes, run};
use crate::num::{Acc, Elem};
use crate::operands::{Vect, store, unsupported};

#[inline(always)]
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
    if let Some([x]) = short::<T, 1>(d.batch, d.n, [&d.x]) {
        // SAFETY: the descriptor's promise.
        unsafe {
            let (i, _) = extreme::<_, MAX>(0, std::slice::from_raw_parts(x, d.n));
            store(d.out, 0, i as i64 + 1);
        }
        return Ok(());
    }
    // SAFETY: the caller's promise.
    unsafe { entries::<T, MAX>(h, d) }
}

#[inline(never)]
unsafe fn entries<T: Elem, const MAX: bool>(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, _>(h, d, d.n, |d, i, threads| {
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
fn extreme<C: Acc, const MAX: bool>(start: usize, x: &[C]) -> (usize, C::Real) {
    let (i, value) = run(&Extreme::<C, MAX>(x));
    (start + i, value)
}

/// Index and value of the extreme of numbers, of which there is at least one.
struct Extreme<'a, C, const MAX: bool>(&'a [C]);

impl<C: Acc, const MAX: bool> Kernel<C::Real> for Extreme<'_, C, MAX> {
    type Output = (usize, C::Real);

    /// One pass over a piece finds its extreme, and a second one finds where that is, only if it is a new one.
    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) -> (usize, C::Real) {
        const PIECE: usize = 1024;
        let n = self.0.len();
        let mut best = (0, self.0[0].abs1());
        let mut first = 0;
        while first < n && !best.1.is_nan() {
            let end = n.min(first + PIECE);
            // SAFETY: within the slice.
            unsafe {
                match self.value::<V>(first, end) {
                    None => self.scan(first, end, &mut best),
                    Some(value) if better::<_, MAX>(best.1, value) => {
                        best = (self.find::<V>(first, end, value), value);
                    }
                    Some(_) => {}
                }
            }
            first = end;
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
            let mut nan = best[0].nan();
            let mut at = first;
            while at + U * V::N <= end {
                for u in 0..U {
                    let x = self.load::<V>(at + u * V::N);
                    nan = V::either(nan, x.nan());
                    best[u] = if MAX { best[u].max(x) } else { best[u].min(x) };
                }
                at += U * V::N;
            }
            while at + V::N <= end {
                let x = self.load::<V>(at);
                nan = V::either(nan, x.nan());
                best[0] = if MAX { best[0].max(x) } else { best[0].min(x) };
                at += V::N;
            }
            let [a, b, c, d] = best;
            let all = if MAX { a.max(b).max(c.max(d)) } else { a.min(b).min(c.min(d)) };
            (!V::any(nan)).then(|| if MAX { all.largest() } else { all.smallest() })
        }
    }

    /// Where a value is that is there.
    #[inline(always)]
    unsafe fn find<V: Lanes<Real = C::Real>>(&self, first: usize, end: usize, value: C::Real) -> usize {
        let mut at = first * C::PARTS;
        // SAFETY: within the slice.
        unsafe {
            let wanted = V::splat(value);
            while at + V::N <= end * C::PARTS && !V::any(self.load::<V>(at).same(wanted)) {
                at += V::N;
            }
        }
        let from = at / C::PARTS;
        from + self.0[from..end].iter().position(|x| x.abs1() == value).unwrap_or(0)
    }

    /// Looks at elements one by one.
    fn scan(&self, first: usize, end: usize, best: &mut (usize, C::Real)) {
        for (i, x) in self.0[first..end].iter().enumerate() {
            if better::<_, MAX>(best.1, x.abs1()) {
                *best = (first + i, x.abs1());
            }
        }
    }
}
