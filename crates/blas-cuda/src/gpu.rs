//! What the lowering of `blas-gpu` asks of a handle.

use std::ffi::c_void;

use blas_api::*;
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Form};

use crate::call::NameTypes;
use crate::cublas::pointer_mode;
use crate::driver::{MEMORY_DEVICE, Memcpy2D};
use crate::handle::CudaHandle;
use crate::{Cuda, composed};

impl GpuHandle for CudaHandle {
    unsafe fn call<A: Arguments>(
        &self,
        routine: &'static str,
        types: NameTypes,
        form: Form,
        args: &A,
    ) -> Result {
        // SAFETY: the caller's promise, here and below.
        match unsafe { composed::call(self, routine, types, form, args) } {
            Some(done) => done,
            // SAFETY: as above.
            None => unsafe { self.native(routine, types, form, args) },
        }
    }

    fn routine(&self) -> &'static str {
        self.routine.get()
    }

    fn pointer_mode(&self, on: Location) -> Result {
        if self.mode.get() == Some(on) {
            return Ok(());
        }
        let value = match on {
            Location::Host => pointer_mode::HOST,
            Location::Device => pointer_mode::DEVICE,
        };
        // Unknown, should the call fail.
        self.mode.set(None);
        // SAFETY: the handle lives.
        unsafe { self.library().cublas.cublasSetPointerMode_v2(self.routine(), self.cublas(), value) }?;
        self.mode.set(Some(on));
        Ok(())
    }

    fn scratch(&self, bytes: usize) -> Result<*mut u8> {
        self.scratch.take(self.context(), self.routine(), bytes)
    }

    fn upload_async(&self, data: &[u8]) -> Result<*mut u8> {
        let piece = self.scratch(data.len())?;
        self.put(piece, data)?;
        self.note(piece, data);
        Ok(piece)
    }

    /// It is there once `upload_arrays` has been called.
    fn pointers(&self, host: Vec<*mut u8>) -> Result<*mut c_void> {
        let device = self.scratch(size_of_val(host.as_slice()))?;
        self.arrays.add(device, host);
        Ok(device.cast())
    }

    unsafe fn fill(&self, dst: *mut u8, value: u8, bytes: usize) -> Result {
        if bytes == 0 {
            return Ok(());
        }
        let driver = &self.library().driver;
        // SAFETY: the caller's promise.
        unsafe { driver.cuMemsetD8Async(self.routine(), dst.cast(), value, bytes, self.stream()) }
    }

    unsafe fn copy_2d(
        &self,
        dst: *mut u8,
        dst_pitch: usize,
        src: *const u8,
        src_pitch: usize,
        width: usize,
        rows: usize,
    ) -> Result {
        /// The largest pitch of every device so far.
        const MAX_PITCH: usize = i32::MAX as usize;
        if width == 0 || rows == 0 {
            return Ok(());
        }
        let (driver, routine, stream) = (&self.library().driver, self.routine(), self.stream());
        let (dst, src) = (dst.cast::<c_void>(), src.cast_mut().cast::<c_void>());
        if dst_pitch.max(src_pitch) > MAX_PITCH || rows == 1 {
            for i in 0..rows {
                let (to, from) = (dst.wrapping_byte_add(i * dst_pitch), src.wrapping_byte_add(i * src_pitch));
                // SAFETY: the caller's promise.
                unsafe { driver.cuMemcpyDtoDAsync_v2(routine, to, from, width, stream) }?;
            }
            return Ok(());
        }
        let copy = Memcpy2D {
            src_x: 0,
            src_y: 0,
            src_type: MEMORY_DEVICE,
            src_host: std::ptr::null(),
            src_device: src,
            src_array: std::ptr::null_mut(),
            src_pitch,
            dst_x: 0,
            dst_y: 0,
            dst_type: MEMORY_DEVICE,
            dst_host: std::ptr::null_mut(),
            dst_device: dst,
            dst_array: std::ptr::null_mut(),
            dst_pitch,
            width,
            height: rows,
        };
        // SAFETY: the caller's promise.
        unsafe { driver.cuMemcpy2DAsync_v2(routine, &copy, stream) }
    }

    fn no_capture(&self, what: &'static str) -> Result {
        if self.capturing.get() {
            return Err(Error::NotAvailable { what, backend: Cuda::NAME });
        }
        Ok(())
    }
}

impl CudaHandle {
    /// Puts contents into a piece of [`scratch`](Self::scratch).
    pub(crate) fn put(&self, piece: *mut u8, data: &[u8]) -> Result {
        self.scratch.put(self.context(), self.routine(), piece, data)
    }

    /// Sets `rows` runs of `width` bytes to a byte, in stream order. The pitch is the distance of runs.
    ///
    /// # Safety
    /// `dst` is valid for the runs.
    pub(crate) unsafe fn fill_2d(
        &self,
        dst: *mut u8,
        pitch: usize,
        value: u8,
        width: usize,
        rows: usize,
    ) -> Result {
        if width == 0 || rows == 0 {
            return Ok(());
        }
        let (driver, dst) = (&self.library().driver, dst.cast());
        // SAFETY: the caller's promise.
        unsafe { driver.cuMemsetD2D8Async(self.routine(), dst, pitch, value, width, rows, self.stream()) }
    }
}
