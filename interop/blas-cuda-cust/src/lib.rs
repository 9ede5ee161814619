//! The NVIDIA backend of anyblas in programs that use `cust`: on their context, on their streams, and on their device
//! buffers.
//!
//! A handle on a stream of the program comes from [`with_stream`], views of its device memory from [`slice()`] and
//! [`slice_mut`], and [`stream`] gives out the stream of any handle. Nothing is copied. Work of both sides runs in the order of the
//! stream, so neither waits for the other:
//!
//! ```no_run
//! use blas_api::{Layout, Level3};
//! use blas_cuda_cust::{slice, slice_mut, with_stream};
//! use cust::memory::{CopyDestination, DeviceBuffer};
//! use cust::stream::{Stream, StreamFlags};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let _context = cust::quick_init()?;
//!     let stream = Stream::new(StreamFlags::DEFAULT, None)?;
//!     let n = 64;
//!     let a = DeviceBuffer::from_slice(&vec![1.0f32; n * n])?;
//!     let mut c = DeviceBuffer::<f32>::zeroed(n * n)?;
//!
//!     // SAFETY: the stream and the buffers outlive the handle, and only its stream uses the buffers meanwhile.
//!     unsafe {
//!         let blas = with_stream(&stream)?;
//!         let a = slice(&blas, &a)?.mat(n, n, Layout::Row)?;
//!         blas.gemm(1.0, a, a.t(), 0.0, slice_mut(&blas, &mut c)?.mat(n, n, Layout::Row)?)?;
//!     }
//!     stream.synchronize()?;
//!     let mut host = vec![0.0; n * n];
//!     c.copy_to(&mut host)?;
//!     assert!(host.iter().all(|&v| v == 64.0));
//!     Ok(())
//! }
//! ```
//!
//! Handles work in a device's primary context, which is that of [`cust::context::Context`] and of the CUDA runtime. A context of its
//! own, as `cust::context::legacy` makes them, is an error. Calls leave the primary context of the handle's device the current
//! one of the thread.

use std::ffi::c_int;

use blas_api::{Backend, DeviceId, Element, Error, Handle, Result, SliceMut, SliceRef};
use blas_cuda::Cuda;
use cust::memory::{DeviceCopy, DeviceSlice};
use cust::stream::Stream;
use cust::sys::{
    self, CUcontext, CUpointer_attribute_enum as Attribute, CUresult, CUstream, cudaError_enum as Code,
};

pub use cust;

/// Opens the device of a stream on that stream, which is not destroyed with the handle.
///
/// # Errors
/// As for [`Driver::open`](blas_api::Driver::open); [`Error::NotAvailable`] if the stream is not one of a device's primary context.
///
/// # Safety
/// The stream stays until the handle and the graphs made with it are gone. It is not being captured.
pub unsafe fn with_stream(stream: &Stream) -> Result<Handle<Cuda>> {
    let index = device_of(stream)?;
    // SAFETY: the caller's promise; the stream is one of the device's primary context.
    unsafe { Cuda::with_stream(index, stream.as_inner().cast()) }
}

/// The stream of a handle, for calls of `cust::sys`.
pub fn stream(blas: &Handle<Cuda>) -> CUstream {
    blas.raw().stream().cast()
}

/// The elements of a buffer or of a part of it, to be read.
///
/// # Errors
/// [`Error::WrongDevice`] if they are on another device than the handle.
///
/// # Safety
/// Until the calls that the view is used in are done, nothing writes to the elements but the handle's stream, and they are
/// not freed. (That the buffer is dropped is no danger: that waits for the device. `DeviceBuffer::drop_async` does not.)
pub unsafe fn slice<'a, T: Element + DeviceCopy>(
    blas: &Handle<Cuda>,
    buffer: &'a DeviceSlice<T>,
) -> Result<SliceRef<'a, T, Cuda>> {
    let ptr = place("slice", blas, buffer)?;
    // SAFETY: the elements of the slice, and the caller's promise.
    Ok(unsafe { SliceRef::from_raw(ptr, buffer.len(), blas.device()) })
}

/// The elements of a buffer or of a part of it, to be written.
///
/// # Errors
/// As for [`slice()`].
///
/// # Safety
/// As for [`slice()`], and nothing but the handle's stream reads them either.
pub unsafe fn slice_mut<'a, T: Element + DeviceCopy>(
    blas: &Handle<Cuda>,
    buffer: &'a mut DeviceSlice<T>,
) -> Result<SliceMut<'a, T, Cuda>> {
    let ptr = place("slice_mut", blas, buffer)?;
    // SAFETY: the elements of the slice, which is borrowed exclusively, and the caller's promise.
    Ok(unsafe { SliceMut::from_raw(ptr, buffer.len(), blas.device()) })
}

/// Address of a slice, after a check that it is on the handle's device.
fn place<T: DeviceCopy>(
    routine: &'static str,
    blas: &Handle<Cuda>,
    slice: &DeviceSlice<T>,
) -> Result<*mut T> {
    let address = slice.as_device_ptr().as_raw();
    if !slice.is_empty() {
        let mut index: c_int = -1;
        let attribute = Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
        // SAFETY: writes one int; any address may be asked for.
        let answer = unsafe { sys::cuPointerGetAttribute((&raw mut index).cast(), attribute, address) };
        result(routine, "cuPointerGetAttribute", answer)?;
        let found = DeviceId { backend: Cuda::NAME, index: usize::try_from(index).unwrap_or(usize::MAX) };
        if found != blas.device() {
            return Err(Error::WrongDevice { routine, operand: "buffer", expected: blas.device(), found });
        }
    }
    // A device address has 64 bits, as an address of the host has where there is CUDA.
    Ok(std::ptr::with_exposed_provenance_mut(address as usize))
}

/// The device whose primary context a stream is of.
fn device_of(stream: &Stream) -> Result<usize> {
    let call = "with_stream";
    let (mut context, mut count): (CUcontext, c_int) = (std::ptr::null_mut(), 0);
    // SAFETY: each writes what its type says, of a stream that lives.
    unsafe {
        result(call, "cuStreamGetCtx", sys::cuStreamGetCtx(stream.as_inner(), &mut context))?;
        result(call, "cuDeviceGetCount", sys::cuDeviceGetCount(&mut count))?;
    }
    for index in 0..count {
        let (mut device, mut flags, mut active) = (0, 0, 0);
        // SAFETY: each writes what its type says.
        unsafe {
            result(call, "cuDeviceGet", sys::cuDeviceGet(&mut device, index))?;
            let state = sys::cuDevicePrimaryCtxGetState(device, &mut flags, &mut active);
            result(call, "cuDevicePrimaryCtxGetState", state)?;
        }
        if active == 0 {
            continue;
        }
        let mut primary: CUcontext = std::ptr::null_mut();
        // SAFETY: writes one context, which is active without this reference, too.
        unsafe {
            let retained = sys::cuDevicePrimaryCtxRetain(&mut primary, device);
            result(call, "cuDevicePrimaryCtxRetain", retained)?;
            result(call, "cuDevicePrimaryCtxRelease", sys::cuDevicePrimaryCtxRelease_v2(device))?;
        }
        if primary == context {
            return Ok(usize::try_from(index).unwrap_or_default());
        }
    }
    Err(Error::NotAvailable {
        what: "a stream of another context than a device's primary one",
        backend: Cuda::NAME,
    })
}

fn result(routine: &'static str, call: &'static str, answer: CUresult) -> Result {
    match answer {
        Code::CUDA_SUCCESS => Ok(()),
        other => Err(Error::Device { routine, call, status: format!("{other:?}"), code: other as i64 }),
    }
}
