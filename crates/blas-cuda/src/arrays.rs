//! What the host knows of a call's operands on the device: arrays of pointers, and coefficients that came from the host.
//!
//! The arrays are on the host until a function asks for them on the device: for a routine that runs one entry after the other
//! nothing is copied.

use std::cell::RefCell;
use std::ffi::c_void;

use blas_api::{Location, Result};
use blas_gpu::GpuHandle;

use crate::handle::CudaHandle;

/// The arrays and coefficients of the running routine.
#[derive(Default)]
pub(crate) struct Arrays {
    arrays: RefCell<Vec<Array>>,
    values: RefCell<Vec<(*const u8, Vec<u8>)>>,
}

/// An array: where it is or will be on the device, and what is in it.
struct Array {
    device: *mut u8,
    host: Vec<*mut u8>,
    uploaded: bool,
}

// SAFETY: the pointers are to device memory, and are only handed on.
unsafe impl Send for Arrays {}

impl Arrays {
    /// Forgets the arrays of the routine before.
    pub(crate) fn reset(&self) {
        self.arrays.borrow_mut().clear();
        self.values.borrow_mut().clear();
    }

    /// An array that will be at this address.
    pub(crate) fn add(&self, device: *mut u8, host: Vec<*mut u8>) {
        self.arrays.borrow_mut().push(Array { device, host, uploaded: false });
    }

    /// An array that is on the device already.
    pub(crate) fn add_fetched(&self, device: *mut u8, host: Vec<*mut u8>) {
        self.arrays.borrow_mut().push(Array { device, host, uploaded: true });
    }

    /// Whether an address is that of one of the arrays, and then pointer `i` in it.
    pub(crate) fn entry(&self, array: *mut c_void, i: usize) -> Option<*mut c_void> {
        let arrays = self.arrays.borrow();
        let array = arrays.iter().find(|a| a.device.cast() == array)?;
        array.host.get(i).map(|p| p.cast())
    }
}

impl CudaHandle {
    /// The bytes of a coefficient of `size` bytes (16 at most) where the pointer mode says that it is, if the host knows them.
    #[inline]
    pub(crate) fn known(&self, ptr: *const c_void, size: usize) -> Option<[u8; 16]> {
        let mut bytes = [0; 16];
        if self.base().mode() == Some(Location::Host) {
            let (from, to) = (ptr.cast::<u8>(), bytes.as_mut_ptr());
            // A length that is known here makes a copy a move between registers.
            // SAFETY: a coefficient of a call.
            unsafe {
                match size {
                    4 => to.copy_from_nonoverlapping(from, 4),
                    8 => to.copy_from_nonoverlapping(from, 8),
                    _ => to.copy_from_nonoverlapping(from, size.min(16)),
                }
            }
            return Some(bytes);
        }
        let values = self.arrays.values.borrow();
        values.iter().find_map(|(start, value)| {
            let at = ptr.addr().checked_sub(start.addr())?;
            let found = value.get(at..at + size)?;
            bytes.get_mut(..size)?.copy_from_slice(found);
            Some(bytes)
        })
    }

    /// Notes what a few bytes of the routine's scratch memory are to contain.
    pub(crate) fn note(&self, device: *const u8, data: &[u8]) {
        /// Two coefficients of the largest type, or the parameters of a modified rotation.
        const MOST: usize = 64;
        if data.len() <= MOST {
            self.arrays.values.borrow_mut().push((device, data.to_vec()));
        }
    }

    /// Copies the arrays of the routine to the device that are not there yet, in stream order.
    pub(crate) fn upload_arrays(&self) -> Result {
        for array in self.arrays.arrays.borrow_mut().iter_mut().filter(|a| !a.uploaded) {
            let bytes: Vec<u8> = array.host.iter().flat_map(|p| p.addr().to_ne_bytes()).collect();
            self.base().put(array.device, &bytes)?;
            array.uploaded = true;
        }
        Ok(())
    }
}
