//! An NVIDIA GPU.

use std::ffi::{CString, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use blas_api::{Backend, Error, RawHandle, RawMemory};
use blas_cuda::{Cuda, CudaHandle, Library};

use super::{Arch, Block, Device, Facts, Queue, Rows, hip_error};
use crate::hip::check;
use crate::hip::error::Result;
use crate::hip::memory::Kind;

/// A GPU.
pub(super) struct CudaDevice {
    index: usize,
    library: &'static Library,
    facts: Facts,
    /// What memory is allocated with.
    allocator: Mutex<CudaHandle>,
}

impl CudaDevice {
    pub(super) fn open(index: usize) -> blas_api::Result<Self> {
        let library = Library::get()?;
        let allocator = Mutex::new(CudaHandle::new(library, index)?);
        Ok(CudaDevice { index, library, facts: facts(library, index)?, allocator })
    }

    fn allocator(&self) -> MutexGuard<'_, CudaHandle> {
        self.allocator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn memory(&self, bytes: usize, kind: Kind) -> blas_api::Result<Box<dyn RawMemory>> {
        let handle = self.allocator();
        let memory = match kind {
            Kind::Managed => handle.alloc_managed(bytes)?,
            Kind::Host | Kind::Registered => handle.alloc_host(bytes)?,
            Kind::Device => handle.alloc(bytes)?,
        };
        if check::is_on() && kind == Kind::Device {
            // All bits set is NaN in every type: what was never written shows in results.
            // SAFETY: one row of the new memory.
            unsafe { handle.fill_rows(memory.ptr(), bytes, &[0xff], bytes, 1)? };
        }
        // Other queues do not wait for this one.
        handle.sync()?;
        Ok(memory)
    }
}

/// What the driver says of a GPU.
fn facts(library: &'static Library, index: usize) -> blas_api::Result<Facts> {
    /// Numbers of `CUdevice_attribute`.
    mod attribute {
        pub(super) const SHARED_PER_BLOCK: u32 = 8;
        pub(super) const WARP_SIZE: u32 = 10;
        pub(super) const CLOCK_RATE: u32 = 13;
        pub(super) const MULTIPROCESSORS: u32 = 16;
        pub(super) const MEMORY_CLOCK_RATE: u32 = 36;
        pub(super) const BUS_WIDTH: u32 = 37;
        pub(super) const L2_SIZE: u32 = 38;
        pub(super) const THREADS_PER_MULTIPROCESSOR: u32 = 39;
        pub(super) const MAJOR: u32 = 75;
        pub(super) const MINOR: u32 = 76;
        pub(super) const SHARED_PER_MULTIPROCESSOR: u32 = 81;
        pub(super) const REGISTERS_PER_MULTIPROCESSOR: u32 = 82;
        pub(super) const SINGLE_TO_DOUBLE: u32 = 87;
        pub(super) const SHARED_OPTIN: u32 = 97;
        pub(super) const BLOCKS_PER_MULTIPROCESSOR: u32 = 106;
    }
    let device = library.devices()?.into_iter().nth(index).ok_or_else(|| Error::NoDevice {
        name: format!("{}:{index}", Cuda::NAME),
        why: "there is no device of this number".to_owned(),
    })?;
    let text = |s: String| CString::new(s).unwrap_or_default();
    let number = |attribute| library.device_attribute(index, attribute);
    // A driver may lack an attribute that another release has or had. Nothing is computed from them.
    let any = |attribute| number(attribute).unwrap_or(0);
    let bytes = |attribute| usize::try_from(any(attribute)).unwrap_or(0);
    let (major, minor) = (number(attribute::MAJOR)?, number(attribute::MINOR)?);
    let arch = Arch {
        // Not `sm_90`: programs for AMD skip three letters, those of `gfx90a`, and would find that GPU's family.
        name: text(format!("compute_{major}{minor}")),
        number: 0,
        major,
        minor,
        warp: number(attribute::WARP_SIZE)?,
    };
    Ok(Facts {
        name: text(device.name),
        arch: [arch.clone(), arch],
        bus_id: text(library.device_bus_id(index)?),
        uuid: library.device_uuid(index)?,
        memory: device.memory.and_then(|n| usize::try_from(n).ok()).unwrap_or(0),
        multiprocessors: number(attribute::MULTIPROCESSORS)?,
        threads: any(attribute::THREADS_PER_MULTIPROCESSOR),
        blocks: any(attribute::BLOCKS_PER_MULTIPROCESSOR),
        registers: any(attribute::REGISTERS_PER_MULTIPROCESSOR),
        shared: [
            bytes(attribute::SHARED_PER_BLOCK),
            bytes(attribute::SHARED_OPTIN),
            bytes(attribute::SHARED_PER_MULTIPROCESSOR),
        ],
        clock: any(attribute::CLOCK_RATE),
        memory_clock: any(attribute::MEMORY_CLOCK_RATE),
        bus_width: any(attribute::BUS_WIDTH),
        l2: any(attribute::L2_SIZE),
        single_to_double: any(attribute::SINGLE_TO_DOUBLE),
    })
}

impl Device for CudaDevice {
    fn open(&self) -> blas_api::Result<Box<dyn Queue>> {
        Ok(Box::new(CudaHandle::new(self.library, self.index)?))
    }

    fn allocate(&self, bytes: usize, kind: Kind) -> Result<Box<dyn Block>> {
        let memory = self.memory(bytes, kind).map_err(|e| hip_error(&e))?;
        Ok(Box::new(CudaBlock { address: memory.ptr().addr(), memory: Some(memory) }))
    }

    unsafe fn register(&self, ptr: *mut c_void, bytes: usize) -> Result<Option<Box<dyn Block>>> {
        // SAFETY: the caller's promise.
        let pinned = unsafe { self.allocator().register(ptr, bytes) };
        let pinned = pinned.map_err(|e| hip_error(&e))?;
        Ok(Some(Box::new(CudaBlock { address: ptr.addr(), memory: Some(pinned) })))
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    /// From Ampere on.
    fn has_tf32(&self) -> bool {
        let [arch, _] = &self.facts.arch;
        arch.major >= 8
    }

    fn free_memory(&self) -> usize {
        self.allocator().memory().map_or(0, |(free, _)| free)
    }

    fn used_memory(&self) -> usize {
        self.allocator().memory().map_or(0, |(free, total)| total - free)
    }
}

impl Queue for CudaHandle {
    unsafe fn copy_rows(&self, src: Rows, dst: Rows, width: usize, rows: usize) -> blas_api::Result {
        // SAFETY: the caller's promise.
        unsafe { CudaHandle::copy_rows(self, src, dst, width, rows) }
    }

    unsafe fn fill_rows(&self, dst: Rows, value: &[u8], width: usize, rows: usize) -> blas_api::Result {
        // SAFETY: the caller's promise.
        unsafe { CudaHandle::fill_rows(self, dst.ptr, dst.pitch, value, width, rows) }
    }
}

/// Memory from the driver, or memory of the program that is known to it.
struct CudaBlock<T> {
    address: usize,
    memory: Option<T>,
}

impl<T: Send> Block for CudaBlock<T> {
    fn address(&self) -> usize {
        self.address
    }

    fn retire(&mut self) -> bool {
        self.memory = None;
        true
    }
}

#[cfg(test)]
mod tests {
    /// Whether there is a driver or not: an answer, and no panic.
    #[test]
    fn a_gpu_that_is_not_there_is_an_error() {
        let Err(why) = super::CudaDevice::open(1000) else { panic!("device 1000 is there") };
        assert!(!why.to_string().is_empty());
    }
}
