//! What the lowering asks of a GPU's handle.

use std::ffi::c_void;

use blas_api::{Location, RawHandle, Result};
use hipblas_abi::{Arguments, Elem, Form};

use crate::{Base, Direction, Queue};

/// A raw handle of a GPU: its [`Base`], and how its library is called.
pub trait GpuHandle: RawHandle {
    /// Its stream.
    type Queue: Queue;

    /// What it has besides routines.
    fn base(&self) -> &Base<Self::Queue>;

    /// Calls the function of a row of the table for the types `(operands, second)` of its name, `None` for Ex functions.
    /// Data types and compute types are given in the numbers of hipBLAS 3. Functions compute in stream order.
    ///
    /// # Errors
    /// [`Error::TooLarge`](blas_api::Error::TooLarge) if no function takes the sizes; [`Error::Load`](blas_api::Error::Load)
    /// if there is none at all; [`Error::Device`](blas_api::Error::Device) for any status but success.
    ///
    /// # Safety
    /// The arguments are valid for the function, and the pointer mode is the one that they are meant for.
    unsafe fn call<A: Arguments>(
        &self,
        routine: &'static str,
        types: Option<(Elem, Elem)>,
        form: Form,
        args: &A,
    ) -> Result;

    /// Device memory with these contents, in stream order and as long as [`scratch`](Self::scratch). Does not wait, unless
    /// the data is large. A graph has the contents once, at its capture: they are to be read only.
    fn upload_async(&self, data: &[u8]) -> Result<*mut u8> {
        let piece = self.scratch(data.len())?;
        self.base().put(piece, data)?;
        Ok(piece)
    }

    /// An array of pointers to device memory, as an operand of a batched call: on the device, as long as
    /// [`scratch`](Self::scratch).
    fn pointers(&self, host: Vec<*mut u8>) -> Result<*mut c_void> {
        let bytes: Vec<u8> = host.iter().flat_map(|p| p.addr().to_ne_bytes()).collect();
        Ok(self.upload_async(&bytes)?.cast())
    }

    /// Whether the library's trmm multiplies in place only, as that of hipBLAS before 2 does.
    fn trmm_in_place(&self) -> bool {
        false
    }

    /// The routine that is running, for errors.
    fn routine(&self) -> &'static str {
        self.base().routine()
    }

    /// Lets the calls that follow find coefficients and scalar results on the host or on the device. To be called before
    /// each call that has any: no call relies on what an earlier one has left.
    fn pointer_mode(&self, on: Location) -> Result {
        self.base().pointer_mode(on)
    }

    /// Device memory of any contents, until the routine returns (and longer for a graph, if one is captured).
    fn scratch(&self, bytes: usize) -> Result<*mut u8> {
        self.base().scratch(bytes)
    }

    /// Sets device memory to a byte, in stream order.
    ///
    /// # Safety
    /// `dst` is valid for `bytes`.
    unsafe fn fill(&self, dst: *mut u8, value: u8, bytes: usize) -> Result {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe { self.base().queue().fill(self.routine(), dst, value, bytes) }
    }

    /// Copies `rows` runs of `width` bytes within the device, in stream order. Pitches are the distances of runs, at least
    /// `width`.
    ///
    /// # Safety
    /// Both are valid for the runs, which do not overlap.
    unsafe fn copy_2d(
        &self,
        dst: *mut u8,
        dst_pitch: usize,
        src: *const u8,
        src_pitch: usize,
        width: usize,
        rows: usize,
    ) -> Result {
        if width == 0 || rows == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe {
            self.base().queue().copy_2d(self.routine(), (dst, dst_pitch), (src, src_pitch), width, rows)
        }
    }

    /// Fails while a graph is captured: for what needs the host.
    fn no_capture(&self, what: &'static str) -> Result {
        self.base().no_capture(what)
    }

    /// Brings device memory to the host for the running routine, which waits.
    ///
    /// # Safety
    /// Both are valid for `bytes`.
    unsafe fn fetch(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
        self.no_capture("a copy to the host while a graph is captured")?;
        // SAFETY: the caller's promise.
        unsafe { self.base().copy_and_wait(Direction::DeviceToHost, src, dst, bytes) }
    }

    /// Brings host memory to the device for the running routine, which waits.
    ///
    /// # Safety
    /// Both are valid for `bytes`.
    unsafe fn store(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
        self.no_capture("a copy from the host while a graph is captured")?;
        // SAFETY: the caller's promise.
        unsafe { self.base().copy_and_wait(Direction::HostToDevice, src, dst, bytes) }
    }
}
