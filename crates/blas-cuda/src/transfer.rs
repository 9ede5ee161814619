//! Copies and fills of rows, for programs and runtimes that lay memory out by themselves.

use std::ffi::c_void;
use std::ptr::null_mut;

use blas_api::{Backend, Error, Location, Result};
use blas_gpu::{GpuHandle, Queue};

use crate::Cuda;
use crate::driver::{MAX_PITCH, MEMORY_DEVICE, MEMORY_HOST, Memcpy2D};
use crate::handle::CudaHandle;

/// Rows of bytes, one pitch apart.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// Start of the first row.
    pub ptr: *mut u8,
    /// Distance of rows, at least their width.
    pub pitch: usize,
    /// Whose memory it is. Memory of both may be called either.
    pub on: Location,
}

impl Rows {
    /// Start of row `i`.
    pub fn row(&self, i: usize) -> *mut u8 {
        self.ptr.wrapping_add(i * self.pitch)
    }
}

impl CudaHandle {
    /// Copies `rows` rows of `width` bytes in stream order, and waits for a copy that has a side on the host.
    ///
    /// # Safety
    /// Both sides are valid for the rows, which do not overlap.
    pub unsafe fn copy_rows(&self, src: Rows, dst: Rows, width: usize, rows: usize) -> Result {
        self.enter("copy_rows")?;
        if width == 0 || rows == 0 {
            return Ok(());
        }
        if src.pitch.max(dst.pitch) > MAX_PITCH && rows > 1 {
            for i in 0..rows {
                let row = |r: Rows| Rows { ptr: r.row(i), pitch: width, ..r };
                // SAFETY: the caller's promise.
                unsafe { self.copy_rows(row(src), row(dst), width, 1) }?;
            }
            return Ok(());
        }
        let on_host = (src.on == Location::Host, dst.on == Location::Host);
        if on_host != (false, false) {
            self.no_capture("a copy from or to the host while a graph is captured")?;
        }
        let (driver, stream) = (&self.library().driver, self.stream());
        let (from, to) = (src.ptr.cast::<c_void>(), dst.ptr.cast::<c_void>());
        // SAFETY: the caller's promise; the host's memory is not used after the wait.
        unsafe {
            match (rows, on_host) {
                // Of one row, which may be longer than a pitch.
                (1, (true, false)) => driver.cuMemcpyHtoDAsync_v2("copy_rows", to, from, width, stream),
                (1, (false, true)) => driver.cuMemcpyDtoHAsync_v2("copy_rows", to, from, width, stream),
                (1, (false, false)) => driver.cuMemcpyDtoDAsync_v2("copy_rows", to, from, width, stream),
                _ => driver.cuMemcpy2DAsync_v2("copy_rows", &plane(src, dst, width, rows), stream),
            }?;
        }
        if on_host == (false, false) { Ok(()) } else { self.context().sync("copy_rows") }
    }

    /// Fills `rows` rows of `width` bytes with a value of 1, 2 or 4 bytes, in stream order.
    ///
    /// # Errors
    /// [`Error::NotAvailable`] for a value of another size.
    ///
    /// # Safety
    /// `dst` is valid for the rows, and start, pitch and width are multiples of the value's size.
    pub unsafe fn fill_rows(
        &self,
        dst: *mut u8,
        pitch: usize,
        value: &[u8],
        width: usize,
        rows: usize,
    ) -> Result {
        self.enter("fill_rows")?;
        let (driver, stream) = (&self.library().driver, self.stream());
        let row = |i: usize| dst.wrapping_add(i * pitch).cast::<c_void>();
        for i in (0..rows).take_while(|_| width > 0) {
            // SAFETY: the caller's promise.
            unsafe {
                match *value {
                    [v] => driver.cuMemsetD8Async("fill_rows", row(i), v, width, stream),
                    [a, b] => {
                        let v = u16::from_ne_bytes([a, b]);
                        driver.cuMemsetD16Async("fill_rows", row(i), v, width / 2, stream)
                    }
                    [a, b, c, d] => {
                        let v = u32::from_ne_bytes([a, b, c, d]);
                        driver.cuMemsetD32Async("fill_rows", row(i), v, width / 4, stream)
                    }
                    _ => Err(Error::NotAvailable {
                        what: "a fill with a value that has not 1, 2 or 4 bytes",
                        backend: Cuda::NAME,
                    }),
                }?;
            }
        }
        Ok(())
    }

    /// Free and total memory of the device, in bytes.
    pub fn memory(&self) -> Result<(usize, usize)> {
        self.enter("memory")?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: writes two numbers.
        unsafe { self.library().driver.cuMemGetInfo_v2("memory", &mut free, &mut total) }?;
        Ok((free, total))
    }
}

fn plane(src: Rows, dst: Rows, width: usize, height: usize) -> Memcpy2D {
    let side = |r: Rows| match r.on {
        Location::Host => (MEMORY_HOST, r.ptr.cast::<c_void>(), null_mut()),
        Location::Device => (MEMORY_DEVICE, null_mut(), r.ptr.cast::<c_void>()),
    };
    let (src_type, src_host, src_device) = side(src);
    let (dst_type, dst_host, dst_device) = side(dst);
    Memcpy2D {
        src_x: 0,
        src_y: 0,
        src_type,
        src_host,
        src_device,
        src_array: null_mut(),
        src_pitch: src.pitch,
        dst_x: 0,
        dst_y: 0,
        dst_type,
        dst_host,
        dst_device,
        dst_array: null_mut(),
        dst_pitch: dst.pitch,
        width,
        height,
    }
}
