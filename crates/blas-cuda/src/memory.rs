//! Device memory.

use blas_api::{RawMemory, Result};

use crate::context::Context;
use crate::device::Gpu;

/// Device memory from the device's pool. It goes back there when all streams have passed the point where it is dropped.
pub(crate) struct CudaMemory {
    gpu: &'static Gpu,
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
        Ok(CudaMemory { gpu, ptr, len: bytes })
    }

    /// Memory of zeros, from the next call of the context's stream on.
    pub(crate) fn zeroed(context: &Context, bytes: usize) -> Result<CudaMemory> {
        let memory = CudaMemory::new(context, "alloc", bytes)?;
        if bytes > 0 {
            let driver = &context.library.driver;
            // SAFETY: valid for `bytes`.
            unsafe { driver.cuMemsetD8Async("alloc", memory.ptr.cast(), 0, bytes, context.stream) }?;
        }
        Ok(memory)
    }
}

impl Drop for CudaMemory {
    fn drop(&mut self) {
        if self.len > 0 {
            // There is nobody to tell of a failure.
            // SAFETY: from the same device, not used again.
            let _ = unsafe { self.gpu.free(self.ptr.cast()) };
        }
    }
}

// SAFETY: valid until dropped; the driver aligns to 256 bytes. `zeroed` is what handles give out.
unsafe impl RawMemory for CudaMemory {
    fn ptr(&self) -> *mut u8 {
        self.ptr
    }
    fn len(&self) -> usize {
        self.len
    }
}
