//! Device memory, and host memory that the device copies to and from.

use std::ptr::null_mut;

use blas_api::{DeviceId, Error, RawMemory, Result};
use hipblas_abi::hip::{error, flag};

use crate::context::Context;
use crate::library::Library;
use crate::status;

/// Device memory by `hipMalloc`. `hipFree` waits for all work of the device, so that dropping is safe while kernels still
/// use it, and is no cheap thing to do in a loop.
///
/// HIP can allocate and free in the order of a stream too, but no release of ROCm so far does so reliably: `hipMallocAsync` runs
/// out of memory that is there (ROCm 6.3, ROCm/hip issue 3775), and gives out memory whose contents are lost (ROCm 7.2,
/// ROCm/rocm-systems issue 10943) on devices that say they support it.
pub struct HipMemory {
    library: &'static Library,
    device: DeviceId,
    ptr: *mut u8,
    len: usize,
}

// SAFETY: it owns its memory, which any thread may free.
unsafe impl Send for HipMemory {}
// SAFETY: shared access gives only the pointer.
unsafe impl Sync for HipMemory {}

/// Where memory of no bytes is: aligned, never dereferenced.
const NOWHERE: *mut u8 = std::ptr::without_provenance_mut(256);

impl HipMemory {
    /// Memory with any contents. The context's device is current.
    pub(crate) fn new(context: &Context, routine: &'static str, bytes: usize) -> Result<HipMemory> {
        let Context { library, device, .. } = *context;
        if bytes == 0 {
            return Ok(HipMemory { library, device, ptr: NOWHERE, len: 0 });
        }
        let mut ptr = null_mut();
        // SAFETY: writes one pointer.
        match unsafe { library.hip.hipMalloc(routine, &mut ptr, bytes) } {
            Ok(()) => Ok(HipMemory { library, device, ptr: ptr.cast(), len: bytes }),
            Err(e) => Err(explain(context, routine, bytes, e)),
        }
    }
}

impl Drop for HipMemory {
    fn drop(&mut self) {
        if self.len > 0 {
            // What cannot be asked may still copy: then the memory is rather lost than freed too early.
            if !self.library.visitors.wait(self.library, self.device) {
                return;
            }
            // There is nobody to tell of a failure.
            let _ = self.library.set_device("free", self.device);
            // SAFETY: from hipMalloc, not used again; the runtime waits for work of the device that is under way.
            let _ = unsafe { self.library.hip.hipFree("free", self.ptr.cast()) };
        }
    }
}

// SAFETY: valid until dropped; hipMalloc aligns to 256 bytes. Handles give out what they have set to zero.
unsafe impl RawMemory for HipMemory {
    fn ptr(&self) -> *mut u8 {
        self.ptr
    }
    fn len(&self) -> usize {
        self.len
    }
}

/// Pinned host memory: every device can copy to and from it while the host goes on.
pub struct Pinned {
    library: &'static Library,
    device: DeviceId,
    ptr: *mut u8,
    len: usize,
}

// SAFETY: it owns its memory, which any thread may free.
unsafe impl Send for Pinned {}
// SAFETY: shared access gives only the pointer.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// Memory of zeros. The context's device is current.
    pub(crate) fn zeroed(context: &Context, routine: &'static str, bytes: usize) -> Result<Pinned> {
        let Context { library, device, .. } = *context;
        if bytes == 0 {
            return Ok(Pinned { library, device, ptr: NOWHERE, len: 0 });
        }
        let mut ptr = null_mut();
        // SAFETY: writes one pointer.
        unsafe { library.hip.hipHostMalloc(routine, &mut ptr, bytes, flag::HOST_PORTABLE) }
            .map_err(|e| explain(context, routine, bytes, e))?;
        let memory = Pinned { library, device, ptr: ptr.cast(), len: bytes };
        // SAFETY: valid for `bytes`, and host memory.
        unsafe { memory.ptr.write_bytes(0, bytes) };
        Ok(memory)
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.len > 0 {
            // There is nobody to tell of a failure.
            let _ = self.library.set_device("free", self.device);
            // SAFETY: from hipHostMalloc; whoever gave it to a copy has waited for that.
            let _ = unsafe { self.library.hip.hipHostFree("free", self.ptr.cast()) };
        }
    }
}

// SAFETY: valid until dropped; hipHostMalloc aligns to pages, our own runtime to 256 bytes.
unsafe impl RawMemory for Pinned {
    fn ptr(&self) -> *mut u8 {
        self.ptr
    }
    fn len(&self) -> usize {
        self.len
    }
}

/// The answer to an allocation that failed.
fn explain(context: &Context, routine: &'static str, bytes: usize, error: Error) -> Error {
    if !status::is_hip(&error, error::OUT_OF_MEMORY) {
        return error;
    }
    // HIP 7 keeps an error until it is read, where other code in the process would find it.
    // SAFETY: no arguments.
    let _ = unsafe { context.library.hip.hipGetLastError(routine) };
    Error::OutOfMemory { device: context.device, bytes }
}
