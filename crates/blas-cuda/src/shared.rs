//! Host memory that the device uses too, at the same address.

use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;

use blas_api::{Backend, Error, RawMemory, Result};
use blas_gpu::GpuHandle;

use crate::Cuda;
use crate::device::Gpu;
use crate::driver::attribute;
use crate::handle::CudaHandle;

/// `CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP`: for every device, and in its address space.
const FOR_ALL: c_uint = 3;
/// `CU_MEM_ATTACH_GLOBAL`
const ATTACH_GLOBAL: c_uint = 1;

impl CudaHandle {
    /// Managed memory of zeros, which goes to whoever uses it: the host or the device.
    pub fn alloc_managed(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
        self.no_capture("an allocation while a graph is captured")?;
        self.enter("alloc")?;
        let gpu = self.context().gpu;
        let mut ptr = null_mut();
        if bytes > 0 {
            let driver = &self.library().driver;
            // SAFETY: writes one pointer, to as many bytes that the host can write.
            unsafe {
                driver
                    .cuMemAllocManaged("alloc", &mut ptr, bytes, ATTACH_GLOBAL)
                    .map_err(|e| gpu.out_of_memory(e, bytes))?;
                ptr.cast::<u8>().write_bytes(0, bytes);
            }
        }
        Ok(Box::new(Shared { gpu, ptr, len: bytes, is_ours: true }))
    }

    /// Pins host memory of the program, so that the device can use it where it lies, until the value is dropped.
    ///
    /// # Errors
    /// [`Error::NotAvailable`] if the device needs another address for it; [`Error::Device`] if it is pinned already, or
    /// may not be.
    ///
    /// # Safety
    /// The memory is there until the value is dropped.
    pub unsafe fn register(&self, ptr: *mut c_void, bytes: usize) -> Result<Registered> {
        self.enter("register")?;
        let (gpu, library) = (self.context().gpu, self.library());
        if library.device_attribute(gpu.id.index, attribute::HOST_POINTERS_OF_REGISTERED)? == 0 {
            let what = "registered host memory at its own address";
            return Err(Error::NotAvailable { what, backend: Cuda::NAME });
        }
        // SAFETY: the caller's promise.
        unsafe { library.driver.cuMemHostRegister_v2("register", ptr, bytes, FOR_ALL) }?;
        Ok(Registered(Shared { gpu, ptr, len: bytes, is_ours: false }))
    }
}

/// Host memory of the program that is pinned as long as this lives.
pub struct Registered(#[expect(dead_code, reason = "ends it when dropped")] Shared);

/// Memory of both. Dropping it waits for the device.
struct Shared {
    gpu: &'static Gpu,
    ptr: *mut c_void,
    len: usize,
    /// Whether it was allocated here.
    is_ours: bool,
}

// SAFETY: it owns its memory, which any thread may free.
unsafe impl Send for Shared {}
// SAFETY: shared access gives only the pointer.
unsafe impl Sync for Shared {}

impl Drop for Shared {
    fn drop(&mut self) {
        if self.len == 0 {
            return;
        }
        let driver = &self.gpu.library.driver;
        // There is nobody to tell of a failure.
        let _ = self.gpu.make_current("drop");
        // SAFETY: from the functions that belong to these, and nothing uses it any more once the device is done.
        unsafe {
            let _ = driver.cuCtxSynchronize("drop");
            let _ = match self.is_ours {
                true => driver.cuMemFree_v2("drop", self.ptr),
                false => driver.cuMemHostUnregister("drop", self.ptr),
            };
        }
    }
}

// SAFETY: valid until dropped, aligned by the driver to 256 bytes, and zeroed; registered memory is not given out as such.
unsafe impl RawMemory for Shared {
    fn ptr(&self) -> *mut u8 {
        // Aligned, never dereferenced, where there are no bytes.
        if self.len == 0 { std::ptr::without_provenance_mut(256) } else { self.ptr.cast() }
    }
    fn len(&self) -> usize {
        self.len
    }
}
