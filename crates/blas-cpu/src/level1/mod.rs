//! Level 1, one file a routine (a Hermitian routine is with its symmetric twin).

mod asum;
mod axpby;
mod axpy;
mod copy;
mod dot;
mod iamax;
mod nrm2;
mod rot;
mod rotg;
mod rotm;
mod rotmg;
mod scal;
mod swap;
mod walk;

pub(crate) use asum::asum;
pub(crate) use axpby::axpby;
pub(crate) use axpy::axpy;
pub(crate) use copy::copy;
pub(crate) use dot::{dot, dotc, dsdot};
pub(crate) use iamax::{iamax, iamin};
pub(crate) use nrm2::nrm2;
pub(crate) use rot::rot;
pub(crate) use rotg::rotg;
pub(crate) use rotm::rotm;
pub(crate) use rotmg::rotmg;
pub(crate) use scal::scal;
pub(crate) use swap::swap;

use blas_api::{Address, Descriptor, Vector};

use crate::CpuHandle;
use crate::num::Elem;
use crate::threads::{STREAM_GRAIN, for_each_entry};

/// Pointers to the elements of `vectors`, if the call has one entry, and they lie one after the other and are few enough
/// for one thread and one partial result. Most calls are such, and short ones must cost next to nothing: nothing else
/// stands between them and their kernel.
#[inline(always)]
fn short<T: Elem, const K: usize>(
    batch: usize,
    n: usize,
    vectors: [&Vector; K],
) -> Option<[*mut T::Coef; K]> {
    if !T::DIRECT || batch != 1 || !(1..=walk::BLOCK).contains(&n) {
        return None;
    }
    let mut all = [std::ptr::null_mut(); K];
    for (p, v) in all.iter_mut().zip(vectors) {
        match *v {
            Vector { data: Address::Strided { ptr, .. }, inc: 1 } => *p = ptr.cast(),
            _ => return None,
        }
    }
    Some(all)
}

/// [`for_each_entry`] for work on `n` elements of type `T` an entry.
///
/// # Safety
/// As for [`for_each_entry`].
#[inline]
unsafe fn for_each_vector<T, D: Descriptor>(
    h: &CpuHandle,
    d: &D,
    n: usize,
    f: impl Fn(&D, usize, usize) + Sync,
) -> blas_api::Result {
    // SAFETY: the caller's promise.
    unsafe { for_each_entry(h, d, n as f64 * size_of::<T>() as f64, STREAM_GRAIN, f) };
    Ok(())
}
