//! iamax, iamin.

use blas_api::*;
use num_traits::Float;

use super::{for_each_vector, walk};
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

#[inline(never)]
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

/// The extreme of a chunk whose first element has index `start`.
fn extreme<C: Acc, const MAX: bool>(start: usize, x: &[C]) -> (usize, C::Real) {
    let (i, value) = run(&Extreme::<C, MAX>(x));
    (start + i, value)
}

/// Index and value of the extreme of numbers, of which there is at least one.
struct Extreme<'a, C, const MAX: bool>(&'a [C]);

impl<C: Acc, const MAX: bool> Kernel<C::Real> for Extreme<'_, C, MAX> {
    type Output = (usize, C::Real);

    /// Asks of several registers at once whether there is anything better than the best so far, which soon is rare.
    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) -> (usize, C::Real) {
        const GROUP: usize = 8;
        let parts = self.0.len() * C::PARTS;
        let mut best = (0, self.0[0].abs1());
        let mut at = 0;
        // SAFETY: within the slice.
        unsafe {
            while at + GROUP * V::N <= parts && !best.1.is_nan() {
                let bound = V::splat(best.1);
                let mut any = self.beyond::<V>(at, bound);
                for u in 1..GROUP {
                    any = V::either(any, self.beyond::<V>(at + u * V::N, bound));
                }
                if V::any(any) {
                    for u in 0..GROUP {
                        self.visit::<V>(at + u * V::N, &mut best);
                    }
                }
                at += GROUP * V::N;
            }
            while at + V::N <= parts {
                self.visit::<V>(at, &mut best);
                at += V::N;
            }
        }
        self.scan(at / C::PARTS, self.0.len(), &mut best);
        best
    }
}

impl<C: Acc, const MAX: bool> Extreme<'_, C, MAX> {
    /// Where a register holds something better than `bound`, or NaN.
    #[inline(always)]
    unsafe fn beyond<V: Lanes<Real = C::Real>>(&self, at: usize, bound: V) -> V::Mask {
        // SAFETY: the caller's promise.
        unsafe {
            let mut x = V::load(self.0.as_ptr().cast::<C::Real>().add(at)).abs();
            if C::COMPLEX {
                x = x.add(x.swap());
            }
            if MAX { x.above(bound) } else { x.below(bound) }
        }
    }

    /// Looks at one register.
    #[inline(always)]
    unsafe fn visit<V: Lanes<Real = C::Real>>(&self, at: usize, best: &mut (usize, C::Real)) {
        // SAFETY: the caller's promise.
        if unsafe { V::any(self.beyond::<V>(at, V::splat(best.1))) } {
            self.scan(at / C::PARTS, (at + V::N) / C::PARTS, best);
        }
    }

    /// Looks at elements one by one.
    #[inline(always)]
    fn scan(&self, from: usize, to: usize, best: &mut (usize, C::Real)) {
        for (i, x) in self.0[from..to].iter().enumerate() {
            if better::<_, MAX>(best.1, x.abs1()) {
                *best = (from + i, x.abs1());
            }
        }
    }
}
