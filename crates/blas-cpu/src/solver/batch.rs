//! What the routines share: the loop over the batch, and operands that are not matrices.

use std::sync::{Mutex, PoisonError};

use blas_api::{Address, Descriptor, Error, RawHandle, Result, Threads};

use crate::CpuHandle;
use crate::engine::GRAIN;
use crate::threads::for_each_entry;

/// Calls `f` for each entry of the batch, with a handle for the threads that the entry may use.
///
/// # Safety
/// As for the raw call: `f` does to entry `i` what the descriptor states, and no two entries write the same memory.
pub(super) unsafe fn each<D: Descriptor>(
    h: &CpuHandle,
    d: &D,
    f: unsafe fn(&CpuHandle, &D, usize) -> Result,
) -> Result {
    let (policy, failure) = (h.policy(), Mutex::new(Ok(())));
    // SAFETY: the caller's promise.
    unsafe {
        for_each_entry(h, d, d.ops().muls, GRAIN, |d, i, threads| {
            let (h, mut policy) = (CpuHandle::new(), policy);
            policy.threads = Threads::Max(threads);
            if let Err(error) = h.set_policy(policy).and_then(|()| f(&h, d, i)) {
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
            }
        });
    }
    failure.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The `len` contiguous elements of entry `i`.
///
/// # Safety
/// `data` leads to as many elements of `T`; during `'a`, nothing else writes them, and nothing else reads them if the
/// slice is written.
pub(super) unsafe fn entry_slice<'a, T>(data: Address, i: usize, len: usize) -> &'a mut [T] {
    if len == 0 {
        return &mut [];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(data.entry(i, size_of::<T>()).cast(), len) }
}

/// The pivots of entry `i` for a matrix of order `n`.
///
/// # Safety
/// As for [`entry_slice`], to be read.
pub(super) unsafe fn pivots<'a>(data: Option<Address>, i: usize, n: usize) -> Option<&'a [i32]> {
    // SAFETY: the caller's promise.
    data.map(|data| &*unsafe { entry_slice(data, i, n) })
}

/// That all pivots of a batch are rows of matrices of order `n`. They come from the user's memory, and are used as indices;
/// an error must be found before the first entry is written.
///
/// # Safety
/// As for [`pivots`], of each of the `batch` entries.
pub(super) unsafe fn check_pivots(
    routine: &'static str,
    data: Option<Address>,
    batch: usize,
    n: usize,
) -> Result {
    for i in 0..batch {
        // SAFETY: the caller's promise.
        let pivots = unsafe { pivots(data, i, n) };
        if let Some(&p) = pivots.unwrap_or_default().iter().find(|&&p| p < 1 || p as usize > n) {
            let (what, bound) = ("pivot", "a row of A, counted from 1");
            return Err(Error::Argument { routine, what, value: p.into(), bound });
        }
    }
    Ok(())
}
