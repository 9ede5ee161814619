//! Memory pools: there is one, which holds nothing back.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use hipblas_abi::hip::{MemPool, Stream, error};

use super::error::Result;
use super::{backend, device, memory, put, stream};

/// The device's pool.
const POOL: MemPool = std::ptr::without_provenance_mut(0x10);

/// `hipMemPoolAttr`: from 1 the three ways to reuse memory, which are ints, then sizes: what is kept before memory is given
/// back, and how much is and was reserved and used.
const RELEASE_THRESHOLD: c_int = 4;

/// Attributes 1 to 4. Memory is never kept, so that they change nothing.
static SETTINGS: [AtomicU64; 4] =
    [AtomicU64::new(1), AtomicU64::new(1), AtomicU64::new(1), AtomicU64::new(0)];

fn check(pool: MemPool) -> Result {
    if pool == POOL { Ok(()) } else { Err(error::INVALID_VALUE) }
}

fn setting(attribute: c_int) -> Option<&'static AtomicU64> {
    SETTINGS.get(usize::try_from(attribute).ok()?.checked_sub(1)?)
}

pub(super) unsafe fn hipDeviceGetDefaultMemPool(pool: *mut *mut c_void, device: c_int) -> Result {
    device::check_number(device)?;
    // SAFETY: the caller's promise.
    unsafe { put(pool, POOL) }
}

pub(super) unsafe fn hipDeviceGetMemPool(pool: *mut *mut c_void, device: c_int) -> Result {
    // SAFETY: the caller's promise.
    unsafe { hipDeviceGetDefaultMemPool(pool, device) }
}

pub(super) unsafe fn hipMemPoolTrimTo(pool: *mut c_void, _: usize) -> Result {
    check(pool)
}

pub(super) unsafe fn hipMemPoolSetAttribute(
    pool: *mut c_void,
    attribute: c_int,
    value: *mut c_void,
) -> Result {
    check(pool)?;
    let setting = setting(attribute).ok_or(error::INVALID_VALUE)?;
    if value.is_null() {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise: a value of the attribute's type.
    let value = unsafe {
        if attribute < RELEASE_THRESHOLD {
            value.cast::<c_int>().read() as u64
        } else {
            value.cast::<u64>().read()
        }
    };
    setting.store(value, Ordering::Relaxed);
    Ok(())
}

pub(super) unsafe fn hipMemPoolGetAttribute(
    pool: *mut c_void,
    attribute: c_int,
    value: *mut c_void,
) -> Result {
    check(pool)?;
    // SAFETY: the caller's promise: room for a value of the attribute's type.
    unsafe {
        match (attribute, setting(attribute)) {
            (RELEASE_THRESHOLD, Some(s)) => put(value.cast::<u64>(), s.load(Ordering::Relaxed)),
            (_, Some(s)) => put(value.cast::<c_int>(), s.load(Ordering::Relaxed) as c_int),
            (5..=8, None) => put(value.cast::<u64>(), backend::device()?.used_memory() as u64),
            _ => Err(error::INVALID_VALUE),
        }
    }
}

pub(super) unsafe fn hipMallocFromPoolAsync(
    ptr: *mut *mut c_void,
    bytes: usize,
    pool: *mut c_void,
    stream: Stream,
) -> Result {
    check(pool)?;
    stream::check(stream)?;
    // SAFETY: the caller's promise.
    unsafe { memory::hipMallocAsync(ptr, bytes, stream) }
}
