//! Device memory of the CPU: aligned, zeroed host memory.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use blas_api::{Error, RawMemory, Result};

use crate::DEVICE;

/// A cache line, and the width of an AVX-512 register.
const ALIGN: usize = 64;

/// An owned block of memory.
pub(crate) struct HostBlock {
    ptr: NonNull<u8>,
    layout: Layout,
}

impl HostBlock {
    /// Allocates `bytes` of zeros.
    pub(crate) fn zeroed(bytes: usize) -> Result<Self> {
        let out_of_memory = Error::OutOfMemory { device: DEVICE, bytes };
        let Ok(layout) = Layout::from_size_align(bytes, ALIGN) else { return Err(out_of_memory) };
        if bytes == 0 {
            // Aligned, never dereferenced.
            return Ok(HostBlock { ptr: NonNull::<Aligned>::dangling().cast(), layout });
        }
        // SAFETY: the size is not zero.
        match NonNull::new(unsafe { alloc_zeroed(layout) }) {
            Some(ptr) => Ok(HostBlock { ptr, layout }),
            None => Err(out_of_memory),
        }
    }
}

#[repr(align(64))]
struct Aligned;

impl Drop for HostBlock {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: allocated with this layout by `zeroed`.
            unsafe { dealloc(self.ptr.as_ptr(), self.layout) }
        }
    }
}

// SAFETY: the block owns its memory.
unsafe impl Send for HostBlock {}
// SAFETY: shared access gives only the pointer.
unsafe impl Sync for HostBlock {}

// SAFETY: valid until dropped, aligned to 64 bytes, zeroed.
unsafe impl RawMemory for HostBlock {
    fn ptr(&self) -> *mut u8 {
        self.ptr.as_ptr()
    }
    fn len(&self) -> usize {
        self.layout.size()
    }
}
