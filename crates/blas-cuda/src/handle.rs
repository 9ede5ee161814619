//! The raw handle: routines by the lowering of `blas-gpu`, everything else by its base.

use std::ffi::c_void;

use blas_api::*;
use blas_gpu::{Base, GpuHandle};
use hipblas_abi::{Arguments, Form};

use crate::arrays::Arrays;
use crate::branches::Branches;
use crate::call::NameTypes;
use crate::context::Context;
use crate::direct::Direct;
use crate::driver::MAX_PITCH;
use crate::library::Library;
use crate::{Cuda, routines, status, support};

/// An NVIDIA GPU's raw handle: a stream, a cuBLAS handle, and scratch memory.
///
/// A new handle has [`Determinism::Required`]: cuBLAS's atomics are off, as they are by default; with
/// [`Determinism::Allowed`] they are on. [`Precision::Exact`] keeps TF32 off, and sums of half-precision products in f32.
/// [`Workspace::Fixed`] gives that many bytes to the handle's own scratch memory, and as many again to cuBLAS; while there are
/// graphs, up to seven times more to products that run side by side, 256 MiB at most.
///
/// Calls leave the handle's device the current one of the calling thread.
pub struct CudaHandle {
    base: Base<Context>,
    /// What the host knows of the running routine's operands.
    pub(crate) arrays: Arrays,
    pub(crate) direct: Direct,
    pub(crate) branches: Branches,
}

impl CudaHandle {
    /// Opens device number `index` of a library, with a stream of its own.
    pub fn new(library: &'static Library, index: usize) -> Result<Self> {
        Ok(Self::on(Context::new(library.gpu(index)?)?))
    }

    /// Opens device number `index` of a library on a stream that exists, a `CUstream` or `cudaStream_t`. The stream is not destroyed with the
    /// handle.
    ///
    /// # Safety
    /// The stream is one of this device's primary context, which is that of the CUDA runtime, and stays until the handle, its
    /// graphs and its events are gone. It is not being captured.
    pub unsafe fn with_stream(library: &'static Library, index: usize, stream: *mut c_void) -> Result<Self> {
        let gpu = library.gpu(index)?;
        // SAFETY: the caller's promise.
        Ok(Self::on(unsafe { Context::adopt(gpu, stream) }?))
    }

    fn on(context: Context) -> Self {
        let mut policy = Policy::default();
        policy.determinism = Determinism::Required;
        let direct = Direct::new(&context);
        CudaHandle {
            base: Base::new(context, policy),
            arrays: Arrays::default(),
            direct,
            branches: Branches::default(),
        }
    }

    /// The library that the handle calls.
    pub fn library(&self) -> &'static Library {
        self.context().library
    }

    /// The stream, a `CUstream` or `cudaStream_t`. It is destroyed with the handle (unless it was adopted).
    pub fn stream(&self) -> *mut c_void {
        self.context().stream
    }

    /// The `cublasHandle_t`. Whoever changes its modes, stream or workspace must put them back before the next call of this
    /// handle.
    pub fn cublas(&self) -> *mut c_void {
        self.context().blas
    }

    /// Lets this handle's GPU reach the memory of device number `peer` directly, over NVLink or PCIe: copies between their buffers
    /// then pass the host by, and kernels that the program launches itself on this handle's stream may use the other's buffers: once
    /// dropped, those are freed when the stream has passed. The first copy from a device does this by itself where it can.
    ///
    /// # Errors
    /// [`Error::NotAvailable`] if the two have no such way (copies still work), [`Error::NoDevice`] if there is no such device.
    pub fn enable_peer(&self, peer: usize) -> Result {
        self.context().enable_peer(self.library().gpu(peer)?)
    }

    pub(crate) fn context(&self) -> &Context {
        self.base.queue()
    }

    /// Starts a function that is no routine: makes the device current.
    pub(crate) fn enter(&self, name: &'static str) -> Result {
        self.base.enter(name)
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
        let (driver, routine, stream) = (&self.library().driver, self.routine(), self.stream());
        if pitch > MAX_PITCH {
            return (0..rows).try_for_each(|i| {
                let row = dst.wrapping_add(i * pitch).cast();
                // SAFETY: the caller's promise.
                unsafe { driver.cuMemsetD8Async(routine, row, value, width, stream) }
            });
        }
        // SAFETY: the caller's promise.
        unsafe { driver.cuMemsetD2D8Async(routine, dst.cast(), pitch, value, width, rows, stream) }
    }

    /// A status that means that the library lacks the routine, as the error that says so.
    #[cold]
    fn explain(&self, error: Error, call: Call<'_>) -> Error {
        if !status::is_cublas_status(&error, status::cublas::NOT_SUPPORTED) {
            return error;
        }
        let why = "cuBLAS answered CUBLAS_STATUS_NOT_SUPPORTED";
        Error::Unsupported { routine: call.routine().name(), types: call.types(), backend: Cuda::NAME, why }
    }
}

impl GpuHandle for CudaHandle {
    type Queue = Context;

    fn base(&self) -> &Base<Context> {
        &self.base
    }

    unsafe fn call<A: Arguments>(
        &self,
        routine: &'static str,
        types: NameTypes,
        form: Form,
        args: &A,
    ) -> Result {
        // SAFETY: the caller's promise, here and below.
        match unsafe { routines::call(self, routine, types, form, args) } {
            Some(done) => done,
            // SAFETY: as above.
            None => unsafe { self.native(routine, types, form, args) },
        }
    }

    fn upload_async(&self, data: &[u8]) -> Result<*mut u8> {
        let piece = self.scratch(data.len())?;
        self.base.put(piece, data)?;
        self.note(piece, data);
        Ok(piece)
    }

    /// It is there once `upload_arrays` has been called.
    fn pointers(&self, host: Vec<*mut u8>) -> Result<*mut c_void> {
        let device = self.scratch(size_of_val(host.as_slice()))?;
        self.arrays.add(device, host);
        Ok(device.cast())
    }
}

/// The routines: those of `blas-gpu`, products on branches of the graph that is captured.
mod routine {
    use blas_api::{GemmDesc, Result};
    pub(super) use blas_gpu::routine::*;

    use super::CudaHandle;

    pub(super) unsafe fn gemm(h: &CudaHandle, d: &GemmDesc) -> Result {
        // SAFETY: the caller's promise.
        unsafe { h.branch(d, || blas_gpu::routine::gemm(h, d)) }
    }

    pub(super) unsafe fn gemm_ex(h: &CudaHandle, d: &GemmDesc) -> Result {
        // SAFETY: the caller's promise.
        unsafe { h.branch(d, || blas_gpu::routine::gemm_ex(h, d)) }
    }
}

/// The shorter way of some calls of each routine: those of `direct`, and of most routines none.
mod short {
    pub(super) use none::*;

    pub(super) use crate::direct::{axpy, gemm, gemv};

    mod none {
        use blas_api::*;

        use crate::handle::CudaHandle;

        macro_rules! none {
            ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {$(
                #[inline(always)]
                #[allow(dead_code, reason = "some have a shorter way")]
                pub(in super::super) unsafe fn $name(_: &CudaHandle, _: &$desc) -> Option<Result> {
                    None
                }
            )*};
        }
        for_each_routine!(none);
    }
}

/// The way of all others.
mod long {
    use blas_api::*;
    use blas_gpu::GpuHandle;

    use super::{CudaHandle, routine};

    macro_rules! long {
        ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {$(
            #[inline(never)]
            pub(super) unsafe fn $name(h: &CudaHandle, d: &$desc) -> Result {
                h.base().start(stringify!($name))?;
                h.arrays.reset();
                // SAFETY: the caller's promise.
                unsafe { routine::$name(h, d) }.map_err(|e| h.explain(e, Call::$variant(d)))
            }
        )*};
    }
    for_each_routine!(long);
}

macro_rules! raw_handle {
    ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
        // SAFETY: each routine's function does what its descriptor states, on the handle's stream; host memory is copied before
        // a call returns, or when the event says so; memory is of the handle's device.
        unsafe impl RawHandle for CudaHandle {
            fn supports(&self, routine: Routine, types: Types) -> Support {
                support::supports(routine, types)
            }
            fn deviations(&self) -> &'static [Deviation] {
                blas_gpu::cublas::DEVIATIONS
            }
            blas_gpu::raw_handle_base!();
            fn begin_capture(&self) -> Result {
                self.begin_branches()
            }
            fn end_capture(&self) -> Result<Box<dyn RawGraph>> {
                self.end_branches()
            }
            // (Always: the shorter way folds where the caller knows the types, and touches less code.)
            $(#[inline(always)]
            unsafe fn $name(&self, d: &$desc) -> Result {
                if d.is_noop() {
                    return Ok(());
                }
                // SAFETY: the caller's promise.
                match unsafe { short::$name(self, d) } {
                    Some(done) => done.map_err(|e| self.explain(e, Call::$variant(&{ *d }))),
                    // SAFETY: the caller's promise. (Of a copy, so that the descriptor need be in memory for the longer way alone.)
                    None => unsafe { long::$name(self, &{ *d }) },
                }
            })*
        }
    };
}
for_each_routine!(raw_handle);
