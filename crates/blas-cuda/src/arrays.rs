//! Arrays of pointers, one an operand of a batched call.
//!
//! They are on the host until a function asks for them on the device: for a routine that runs one entry after the other
//! nothing is copied.

use std::cell::RefCell;
use std::ffi::c_void;

use blas_api::Result;

use crate::handle::CudaHandle;

/// The arrays of the running routine.
#[derive(Default)]
pub(crate) struct Arrays(RefCell<Vec<Array>>);

/// An array: where it is or will be on the device, and what is in it.
struct Array {
    device: *mut u8,
    host: Vec<*mut u8>,
    uploaded: bool,
}

// SAFETY: the pointers are to device memory, and are only handed on.
unsafe impl Send for Array {}

impl Arrays {
    /// Forgets the arrays of the routine before.
    pub(crate) fn reset(&self) {
        self.0.borrow_mut().clear();
    }

    /// Whether an address is that of one of the arrays, and then pointer `i` in it.
    pub(crate) fn entry(&self, array: *mut c_void, i: usize) -> Option<*mut c_void> {
        let arrays = self.0.borrow();
        let array = arrays.iter().find(|a| a.device.cast() == array)?;
        array.host.get(i).map(|p| p.cast())
    }
}

impl CudaHandle {
    /// An array of pointers to device memory, as an operand of a batched call. It has the address that the array has on the
    /// device once [`upload_arrays`](Self::upload_arrays) has been called.
    pub(crate) fn pointers(&self, host: Vec<*mut u8>) -> Result<*mut c_void> {
        let device = self.scratch(size_of_val(host.as_slice()))?;
        self.arrays.0.borrow_mut().push(Array { device, host, uploaded: false });
        Ok(device.cast())
    }

    /// Copies the arrays of the routine to the device that are not there yet, in stream order.
    pub(crate) fn upload_arrays(&self) -> Result {
        for array in self.arrays.0.borrow_mut().iter_mut().filter(|a| !a.uploaded) {
            let bytes: Vec<u8> = array.host.iter().flat_map(|p| p.addr().to_ne_bytes()).collect();
            self.put(array.device, &bytes)?;
            array.uploaded = true;
        }
        Ok(())
    }
}
