//! Host memory: what copies go to and come from while the host goes on, and what backends that compute on the host allocate.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::any::Any as StdAny;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use crate::{DeviceId, Element, Error, Handle, RawEvent, RawHandle, RawMemory, Result};

/// Elements in host memory for [`Buffer::upload_async`](crate::Buffer::upload_async) and
/// [`Buffer::download_async`](crate::Buffer::download_async): pinned where the backend copies faster so, and used by any handle.
/// Made by [`Handle::host_buffer`].
///
/// It keeps count of the copies that are under way, and waits for them where that is needed: for copies into it before it is
/// read, for all copies before it is written or freed. The device itself waits where a copy into it meets other copies.
///
/// ```
/// # use blas_api::*;
/// # use blas_cpu::Cpu;
/// let blas = Cpu::handle();
/// let mut host = blas.host_buffer::<f32>(3)?;
/// host.as_mut_slice()?.copy_from_slice(&[1.0, 2.0, 3.0]);
///
/// let mut x = blas.alloc::<f32>(3)?;
/// x.upload_async(&blas, &host)?;
/// blas.scal(2.0, x.vec_mut())?;
/// x.download_async(&blas, &mut host)?;
/// // The host is free for other work until it asks for the values.
/// assert_eq!(host.as_slice()?, [2.0, 4.0, 6.0]);
/// # Ok::<(), Error>(())
/// ```
pub struct HostBuffer<T> {
    memory: ManuallyDrop<Box<dyn RawMemory>>,
    len: usize,
    /// Copies out of it that may be under way.
    reads: Mutex<Vec<Box<dyn RawEvent>>>,
    /// The last copy into it, which comes after all copies before.
    write: Option<Box<dyn RawEvent>>,
    marker: PhantomData<T>,
}

impl<T: Element> HostBuffer<T> {
    pub(crate) fn new(memory: Box<dyn RawMemory>, len: usize) -> Self {
        let memory = ManuallyDrop::new(memory);
        HostBuffer { memory, len, reads: Mutex::default(), write: None, marker: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements, after the last copy into them.
    ///
    /// # Errors
    /// What the device answers to the copy.
    pub fn as_slice(&self) -> Result<&[T]> {
        self.write.iter().try_for_each(|e| e.sync())?;
        // SAFETY: valid for `len` elements, initialised (zeroed at first, and every bit pattern that a backend writes is
        // an element), and no copy into them is under way.
        Ok(unsafe { std::slice::from_raw_parts(self.memory.ptr().cast(), self.len) })
    }

    /// The elements, to be written after all copies out of them and into them.
    ///
    /// # Errors
    /// What the device answers to a copy.
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        self.settle()?;
        // SAFETY: as above, borrowed exclusively, and no copy is under way.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.memory.ptr().cast(), self.len) })
    }

    /// Lets a handle copy out of it, after the last copy into it.
    ///
    /// # Safety
    /// `dst` is device memory of the handle, valid for the buffer's elements.
    pub(crate) unsafe fn copy_out<R: RawHandle>(&self, raw: &R, dst: *mut u8) -> Result {
        self.write.iter().try_for_each(|e| raw.wait(&**e))?;
        // SAFETY: the memory stays until the event, for which `settle` waits.
        let event = unsafe { raw.start_upload(self.memory.ptr(), dst, self.len * size_of::<T>()) }?;
        let mut reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        reads.retain(|e| !matches!(e.is_done(), Ok(true)));
        reads.push(event);
        Ok(())
    }

    /// Lets a handle copy into it, after all copies out of it and into it.
    ///
    /// # Safety
    /// `src` is device memory of the handle, valid for the buffer's elements.
    pub(crate) unsafe fn copy_in<R: RawHandle>(&mut self, raw: &R, src: *const u8) -> Result {
        let reads = self.reads.get_mut().unwrap_or_else(PoisonError::into_inner);
        reads.iter().chain(&self.write).try_for_each(|e| raw.wait(&**e))?;
        // SAFETY: the memory stays until the event, for which `settle` waits, and is borrowed exclusively.
        let event = unsafe { raw.start_download(src, self.memory.ptr(), self.len * size_of::<T>()) }?;
        reads.clear();
        self.write = Some(event);
        Ok(())
    }
}

impl<T> HostBuffer<T> {
    /// Waits for all copies.
    fn settle(&mut self) -> Result {
        let reads = self.reads.get_mut().unwrap_or_else(PoisonError::into_inner);
        reads.iter().chain(&self.write).try_for_each(|e| e.sync())?;
        reads.clear();
        self.write = None;
        Ok(())
    }
}

impl<T> Drop for HostBuffer<T> {
    fn drop(&mut self) {
        // Memory that a device may still copy to or from is better lost than given to others.
        if self.settle().is_ok() {
            // SAFETY: not used again.
            unsafe { ManuallyDrop::drop(&mut self.memory) }
        }
    }
}

impl<T> fmt::Debug for HostBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostBuffer").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<B: crate::Backend> Handle<B> {
    /// Allocates `len` elements in host memory, all zero, for copies that the host does not wait for.
    ///
    /// # Errors
    /// [`Error::Overflow`] if so many bytes have no number, [`Error::OutOfMemory`] if there are not so many.
    pub fn host_buffer<T: Element>(&self, len: usize) -> Result<HostBuffer<T>> {
        Ok(HostBuffer::new(self.raw().alloc_host(crate::buffer::bytes::<T>("host_buffer", len)?)?, len))
    }
}

/// An event that has passed when it is made: of a backend whose calls are complete when they return.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passed;

impl RawEvent for Passed {
    fn sync(&self) -> Result {
        Ok(())
    }
    fn is_done(&self) -> Result<bool> {
        Ok(true)
    }
    fn as_any(&self) -> &dyn StdAny {
        self
    }
}

/// A cache line, and the width of an AVX-512 register.
const ALIGN: usize = 64;

/// A block of zeroed host memory: the device memory of a backend that computes on the host, and what
/// [`RawHandle::alloc_host`] gives where nothing is gained by other memory.
#[derive(Debug)]
pub struct HostBlock {
    ptr: NonNull<u8>,
    layout: Layout,
}

impl HostBlock {
    /// Allocates `bytes` of zeros, in the name of a device.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] of that device.
    pub fn zeroed(device: DeviceId, bytes: usize) -> Result<Self> {
        let out_of_memory = Error::OutOfMemory { device, bytes };
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
