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
mod short;
mod swap;
mod walk;

pub(crate) use asum::asum;
pub(crate) use axpby::axpby;
pub(crate) use axpy::axpy;
pub(crate) use copy::copy;
pub(crate) use dot::{dot, dotc, dsdot};
pub(crate) use iamax::{extreme, iamax, iamin};
pub(crate) use nrm2::nrm2;
pub(crate) use rot::rot;
pub(crate) use rotg::rotg;
pub(crate) use rotm::rotm;
pub(crate) use rotmg::rotmg;
pub(crate) use scal::scal;
pub(crate) use swap::swap;

use blas_api::Descriptor;

use crate::CpuHandle;
use crate::threads::for_each_entry;
use short::{Short, done_or, short};

/// Bytes of vectors that are worth a thread which is awake: a core takes half a microsecond or more for them, and to hand them
/// out takes some 0.3.
const GRAIN: f64 = 65536.0;

/// So few elements of `K` vectors are not worth two threads.
const fn few<T, const K: usize>() -> usize {
    2 * GRAIN as usize / (K * size_of::<T>())
}

/// Bytes of `n` elements of each of `K` vectors.
fn bytes_of<T, const K: usize>(n: usize) -> f64 {
    n as f64 * (K * size_of::<T>()) as f64
}

/// [`for_each_entry`] for work on `n` elements of type `T` of each of `K` vectors an entry.
///
/// # Safety
/// As for [`for_each_entry`].
#[inline]
unsafe fn for_each_vector<T, const K: usize, D: Descriptor>(
    h: &CpuHandle,
    d: &D,
    n: usize,
    f: impl Fn(&D, usize, usize) + Sync,
) -> blas_api::Result {
    // SAFETY: the caller's promise.
    unsafe { for_each_entry(h, d, bytes_of::<T, K>(n), GRAIN, f) };
    Ok(())
}
