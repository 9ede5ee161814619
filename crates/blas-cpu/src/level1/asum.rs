//! asum.

use blas_api::*;
use num_traits::Zero;

use super::{Short, done_or, for_each_vector, short, walk};
use crate::num::{Elem, Part};
use crate::operands::{Vect, store, unsupported};
use crate::{CpuHandle, simd};

#[inline(always)]
pub(crate) unsafe fn asum(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { done_or(with_dtype!(d.dtype, T in X => quick::<T>(d), else false), any_asum, h, d) }
}

/// Whether it is a short call, which then is done.
#[inline(always)]
unsafe fn quick<T: Short>(d: &ReduceDesc) -> bool {
    let Some([x]) = short::<T, 1>(d.batch, d.n, walk::BLOCK, [&d.x]) else { return false };
    // SAFETY: the descriptor's promise.
    unsafe { store(d.out, 0, T::asum(d.n, x)) };
    true
}

unsafe fn any_asum(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Asum, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, 1, _>(h, d, d.n, |d, i, threads| {
            let x = Vect::<T>::new(d.x, i, d.n);
            let total = walk::fold(threads, x, |_, x| simd::asum(x), |a, b| a + b);
            store(d.out, i, T::Real::from_coef(total.unwrap_or_else(Part::<T>::zero)));
        })
    }
}
