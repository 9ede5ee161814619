//! rotm.

use blas_api::*;

use super::{for_each_vector, walk};
use crate::num::{Acc, Elem};
use crate::operands::{Vect, entry, unsupported};
use crate::{CpuHandle, simd};

pub(crate) unsafe fn rotm(h: &CpuHandle, d: &RotmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in R => unsafe { typed::<T>(h, d) }, else Err(unsupported(Routine::Rotm, d.dtype)))
}

unsafe fn typed<T: Elem<Coef = T> + Acc>(h: &CpuHandle, d: &RotmDesc) -> Result {
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        for_each_vector::<T, 2, _>(h, d, d.n, |d, i, threads| {
            let Some([h11, h21, h12, h22]) = matrix(param::<T>(d.param, i)) else { return };
            walk::zip_both(threads, Vect::<T>::new(d.x, i, d.n), Vect::new(d.y, i, d.n), |x, y| {
                simd::wide(
                    #[inline(always)]
                    || {
                        for (x, y) in x.iter_mut().zip(y) {
                            (*x, *y) = (h11 * *x + h12 * *y, h21 * *x + h22 * *y);
                        }
                    },
                );
            });
        })
    }
}

/// The five parameters of entry `i`.
unsafe fn param<T: Scalar>(param: RawParam, i: usize) -> [T; 5] {
    match param {
        RawParam::Host(p) => p.map(|v| T::from_parts([v, 0.0])),
        // SAFETY: the descriptor's promise.
        RawParam::Device(a) => unsafe { entry::<T>(a, i).cast::<[T; 5]>().read() },
    }
}

/// h11, h21, h12, h22 as the flag says; None for the identity.
fn matrix<T: Scalar>([flag, h11, h21, h12, h22]: [T; 5]) -> Option<[T; 4]> {
    let one = T::one();
    if flag == -(one + one) {
        None
    } else if flag.is_zero() {
        Some([one, h21, h12, one])
    } else if flag == one {
        Some([h11, -one, one, h22])
    } else {
        Some([h11, h21, h12, h22])
    }
}
