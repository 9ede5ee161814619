//! Owned device memory.

use std::fmt;
use std::marker::PhantomData;

use crate::view::Place;
use crate::{
    Any, Backend, DeviceId, Element, Error, Handle, HostBuffer, HostMemory, Layout, MatMut, MatRef,
    RawHandle, RawMemory, Result, SliceMut, SliceRef, VecMut, VecRef,
};

/// Elements in device memory. Views borrow from it; it is freed when dropped, after the work that uses it.
pub struct Buffer<T, B> {
    memory: Box<dyn RawMemory>,
    len: usize,
    dev: DeviceId,
    marker: PhantomData<(T, fn() -> B)>,
}

/// The size of some elements, as the size of an object may be.
pub(crate) fn bytes<T>(routine: &'static str, len: usize) -> Result<usize> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|&b| isize::try_from(b).is_ok());
    bytes.ok_or(Error::Overflow { routine, operand: "buffer", factors: [len, size_of::<T>()] })
}

impl<T: Element, B> fmt::Debug for Buffer<T, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Elements would have to be fetched from the device.
        write!(f, "Buffer({} x {} on {})", self.len, T::DTYPE.name(), self.dev)
    }
}

impl<T: Element, B> Buffer<T, B> {
    pub(crate) fn new(memory: Box<dyn RawMemory>, len: usize, dev: DeviceId) -> Self {
        Buffer { memory, len, dev, marker: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device.
    pub fn device(&self) -> DeviceId {
        self.dev
    }

    fn ptr(&self) -> *mut T {
        self.memory.ptr().cast()
    }

    fn place(&self) -> Place {
        Place { dev: self.dev, before: 0, after: self.len }
    }

    /// All elements, to make views of.
    pub fn slice(&self) -> SliceRef<'_, T, B> {
        SliceRef::new(self.ptr(), self.place(), crate::shape::Slice { len: self.len })
    }

    /// All elements, to make views of that are written.
    pub fn slice_mut(&mut self) -> SliceMut<'_, T, B> {
        SliceMut::new(self.ptr(), self.place(), crate::shape::Slice { len: self.len })
    }

    /// All elements as a vector.
    pub fn vec(&self) -> VecRef<'_, T, B> {
        self.slice().reshape(crate::shape::Vector { len: self.len, inc: 1 })
    }

    /// All elements as a vector that is written.
    pub fn vec_mut(&mut self) -> VecMut<'_, T, B> {
        let len = self.len;
        self.slice_mut().reshape(crate::shape::Vector { len, inc: 1 })
    }

    /// The first `rows * cols` elements as a matrix without padding.
    pub fn mat(&self, rows: usize, cols: usize, layout: Layout) -> Result<MatRef<'_, T, B>> {
        self.slice().mat(rows, cols, layout)
    }

    /// The first `rows * cols` elements as a matrix without padding that is written.
    pub fn mat_mut(&mut self, rows: usize, cols: usize, layout: Layout) -> Result<MatMut<'_, T, B>> {
        self.slice_mut().mat(rows, cols, layout)
    }

    /// The buffer for a handle whose backend is chosen at run time.
    pub fn erase(self) -> Buffer<T, Any> {
        Buffer { memory: self.memory, len: self.len, dev: self.dev, marker: PhantomData }
    }
}

impl<T: Element, B: Backend> Buffer<T, B> {
    fn check(&self, blas: &Handle<B>, routine: &'static str, have: usize) -> Result<usize> {
        if self.dev != blas.device() {
            return Err(Error::WrongDevice {
                routine,
                operand: "buffer",
                expected: blas.device(),
                found: self.dev,
            });
        }
        if have != self.len {
            return Err(Error::Shape {
                routine,
                what: "length of the host slice",
                value: have,
                expected: self.len,
            });
        }
        Ok(self.len * size_of::<T>())
    }

    /// Copies a host slice of the buffer's length into it, in stream order; the slice may be reused on return.
    pub fn upload(&mut self, blas: &Handle<B>, src: &[T]) -> Result {
        let bytes = self.check(blas, "upload", src.len())?;
        // SAFETY: both are valid for `bytes`, and the buffer is borrowed exclusively.
        unsafe { blas.raw().upload(src.as_ptr().cast(), self.memory.ptr(), bytes) }
    }

    /// Copies the buffer into a host slice of its length, in stream order, and waits.
    pub fn download(&self, blas: &Handle<B>, dst: &mut [T]) -> Result {
        let bytes = self.check(blas, "download", dst.len())?;
        // SAFETY: both are valid for `bytes`; every bit pattern that a backend writes is a valid element.
        unsafe { blas.raw().download(self.memory.ptr(), dst.as_mut_ptr().cast(), bytes) }
    }

    /// Copies a host buffer of the same length into it, in stream order, and returns at once where the backend can.
    ///
    /// # Errors
    /// As for [`upload`](Self::upload); while a graph is captured there is no such copy.
    pub fn upload_async(&mut self, blas: &Handle<B>, src: &HostBuffer<T>) -> Result {
        self.check(blas, "upload_async", src.len())?;
        // SAFETY: of the same length, and the buffer is borrowed exclusively.
        unsafe { src.copy_out(blas.raw(), self.memory.ptr()) }
    }

    /// Copies it into a host buffer of the same length, in stream order, and returns at once where the backend can.
    ///
    /// # Errors
    /// As for [`download`](Self::download); while a graph is captured there is no such copy.
    pub fn download_async(&self, blas: &Handle<B>, dst: &mut HostBuffer<T>) -> Result {
        self.check(blas, "download_async", dst.len())?;
        // SAFETY: of the same length.
        unsafe { dst.copy_in(blas.raw(), self.memory.ptr()) }
    }

    /// The elements on the host, in stream order.
    pub fn to_vec(&self, blas: &Handle<B>) -> Result<Vec<T>> {
        let mut out = vec![T::default(); self.len];
        let bytes = self.check(blas, "to_vec", out.len())?;
        // SAFETY: as in `download`.
        unsafe { blas.raw().download(self.memory.ptr(), out.as_mut_ptr().cast(), bytes) }?;
        Ok(out)
    }

    /// Copies another buffer of the same length, in stream order. It may be on another device of the same backend where that
    /// can copy between them; what other handles have still to write to it is waited for by an event, as ever.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::WrongDevice`], and [`Error::NotAvailable`] between devices of a backend that cannot.
    pub fn copy_from(&mut self, blas: &Handle<B>, src: &Buffer<T, B>) -> Result {
        let bytes = self.check(blas, "copy_from", src.len())?;
        let (from, to) = (src.memory.ptr(), self.memory.ptr());
        if src.dev != self.dev && src.dev.backend == self.dev.backend {
            // SAFETY: both are valid for `bytes`, each on its device.
            return unsafe { blas.raw().copy_peer(from, src.dev, to, bytes) };
        }
        src.check(blas, "copy_from", src.len())?;
        // SAFETY: both are valid for `bytes` and distinct, since one is borrowed exclusively.
        unsafe { blas.raw().copy_device(from, to, bytes) }
    }
}

impl<T: Element, B: HostMemory> Buffer<T, B> {
    /// The elements in place: this device's memory is the host's.
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: valid for `len` elements, initialised (zeroed at first), and borrowed.
        unsafe { std::slice::from_raw_parts(self.ptr(), self.len) }
    }

    /// The elements in place, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.ptr(), self.len) }
    }
}
