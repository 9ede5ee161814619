//! Device memory, and host memory that the device copies to and from.

use blas_api::{Error, RawMemory, Result};

use crate::context::Context;
use crate::device::Gpu;
use crate::driver::{HOST_PORTABLE, Stream};
use crate::status;

/// Device memory from the device's pool. It goes back there when all streams have passed the point where it is dropped.
pub struct CudaMemory {
    gpu: &'static Gpu,
    /// The stream that it was allocated for, which may be gone.
    stream: Stream,
    ptr: *mut u8,
    len: usize,
}

// SAFETY: it owns its memory, which any thread may free.
unsafe impl Send for CudaMemory {}
// SAFETY: shared access gives only the pointer.
unsafe impl Sync for CudaMemory {}

/// Where memory of no bytes is: aligned, never dereferenced.
const NOWHERE: *mut u8 = std::ptr::without_provenance_mut(256);

impl CudaMemory {
    /// Memory with any contents, from the next call of the context's stream on. The context is current.
    pub(crate) fn new(context: &Context, routine: &'static str, bytes: usize) -> Result<CudaMemory> {
        let gpu = context.gpu;
        let ptr = if bytes == 0 { NOWHERE } else { gpu.alloc(routine, bytes, context.stream)?.cast() };
        Ok(CudaMemory { gpu, stream: context.stream, ptr, len: bytes })
    }
}

impl Drop for CudaMemory {
    fn drop(&mut self) {
        if self.len > 0 {
            // There is nobody to tell of a failure.
            // SAFETY: from the same device and for this stream, not used again.
            let _ = unsafe { self.gpu.free(self.ptr.cast(), self.len, self.stream) };
        }
    }
}

// SAFETY: valid until dropped; the driver aligns to 256 bytes. Handles give out what they have set to zero.
unsafe impl RawMemory for CudaMemory {
    fn ptr(&self) -> *mut u8 {
        self.ptr
    }
    fn len(&self) -> usize {
        self.len
    }
}

/// Pinned host memory: every device can copy to and from it while the host goes on.
pub struct Pinned {
    gpu: &'static Gpu,
    ptr: *mut u8,
    len: usize,
}

// SAFETY: it owns its memory, which any thread may free.
unsafe impl Send for Pinned {}
// SAFETY: shared access gives only the pointer.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// Memory of zeros. The context is current.
    pub(crate) fn zeroed(context: &Context, routine: &'static str, bytes: usize) -> Result<Pinned> {
        let gpu = context.gpu;
        if bytes == 0 {
            return Ok(Pinned { gpu, ptr: NOWHERE, len: 0 });
        }
        let mut ptr = std::ptr::null_mut();
        // SAFETY: writes one pointer.
        match unsafe { gpu.library.driver.cuMemHostAlloc(routine, &mut ptr, bytes, HOST_PORTABLE) } {
            Err(e) if status::is_driver(&e, status::driver::OUT_OF_MEMORY) => {
                return Err(Error::OutOfMemory { device: gpu.id, bytes });
            }
            other => other?,
        }
        let memory = Pinned { gpu, ptr: ptr.cast(), len: bytes };
        // SAFETY: valid for `bytes`, and host memory.
        unsafe { memory.ptr.write_bytes(0, bytes) };
        Ok(memory)
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.len > 0 {
            // There is nobody to tell of a failure.
            let _ = self.gpu.make_current("free");
            // SAFETY: from cuMemHostAlloc; whoever gave it to a copy has waited for that.
            let _ = unsafe { self.gpu.library.driver.cuMemFreeHost("free", self.ptr.cast()) };
        }
    }
}

// SAFETY: valid until dropped; the driver aligns to pages.
unsafe impl RawMemory for Pinned {
    fn ptr(&self) -> *mut u8 {
        self.ptr
    }
    fn len(&self) -> usize {
        self.len
    }
}
