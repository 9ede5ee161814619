//! Scalars that are where the pointer mode says, on the host or on the device.

use std::ffi::c_void;

use blas_api::{Location, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::Elem;

use crate::handle::CudaHandle;

/// The place on the device for a result of so many bytes that is to go where the pointer mode says, and whether it must be
/// brought to the host.
pub(super) fn place(h: &CudaHandle, result: *mut c_void, bytes: usize) -> Result<(*mut u8, bool)> {
    match h.base().mode() {
        Some(Location::Device) => Ok((result.cast(), false)),
        _ => Ok((h.scratch(bytes)?, true)),
    }
}

/// A scalar that a routine reads or overwrites.
pub(super) struct Value {
    pub(super) at: *mut c_void,
    pub(super) bytes: usize,
    pub(super) written: bool,
}

/// Lets a kernel work on scalars that are where the pointer mode says: those of the host by way of scratch memory.
pub(super) unsafe fn on_device<const N: usize>(
    h: &CudaHandle,
    values: [Value; N],
    run: impl FnOnce([*mut c_void; N]) -> Result,
) -> Result {
    if h.base().mode() == Some(Location::Device) {
        return run(values.map(|v| v.at));
    }
    let mut places = [std::ptr::null_mut::<c_void>(); N];
    // SAFETY: the caller's promise; each place has the size of its value.
    unsafe {
        for (place, v) in places.iter_mut().zip(&values) {
            *place = h.scratch(v.bytes)?.cast();
            h.store(v.at.cast(), place.cast(), v.bytes)?;
        }
        run(places)?;
        for (place, v) in places.iter().zip(&values).filter(|(_, v)| v.written) {
            h.fetch(place.cast(), v.at.cast(), v.bytes)?;
        }
    }
    Ok(())
}

/// Bytes of a coefficient, aligned for any type.
#[repr(C, align(16))]
pub(super) struct Bytes(pub(super) [u8; 16]);

/// 0 of any type.
pub(super) const ZERO: Bytes = Bytes([0; 16]);

/// 1 of a type, on the host.
pub(super) fn one(elem: Elem) -> Bytes {
    let mut bytes = [0; 16];
    match elem.real() {
        Elem::F32 => bytes[..4].copy_from_slice(&1f32.to_ne_bytes()),
        _ => bytes[..8].copy_from_slice(&1f64.to_ne_bytes()),
    }
    Bytes(bytes)
}
