//! axpby.

use blas_api::*;
use num_traits::Zero;

use super::{for_each_vector, walk};
use crate::num::Elem;
use crate::operands::{Vect, coef, unsupported};
use crate::{CpuHandle, simd};

pub(crate) unsafe fn axpby(h: &CpuHandle, d: &AxpbyDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in S => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Axpby, d.dtype)))
}

unsafe fn typed<T: Elem>(h: &CpuHandle, d: &AxpbyDesc) -> Result {
    // SAFETY: the descriptor's promise.
    let (alpha, beta) = unsafe { (coef::<T::Coef>(d.alpha), coef::<T::Coef>(d.beta)) };
    let read_y = !beta.is_zero();
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, 2, _>(h, d, d.n, |d, i, threads| {
            let y = Vect::<T>::new(d.y, i, d.n);
            if alpha.is_zero() {
                return if read_y {
                    walk::map(threads, y, |y| simd::scal(beta, y));
                } else {
                    walk::map(threads, y, |y| y.fill(T::Coef::zero()));
                };
            }
            walk::zip(threads, Vect::new(d.x, i, d.n), y, read_y, |x, y| axpby_slices(alpha, x, beta, y));
        })
    }
}

fn axpby_slices<C: crate::num::Acc>(alpha: C, x: &[C], beta: C, y: &mut [C]) {
    simd::wide(
        #[inline(always)]
        || {
            let pairs = y.iter_mut().zip(x);
            if beta.is_zero() {
                pairs.for_each(|(y, x)| *y = alpha * *x);
            } else {
                pairs.for_each(|(y, x)| *y = alpha * *x + beta * *y);
            }
        },
    );
}
