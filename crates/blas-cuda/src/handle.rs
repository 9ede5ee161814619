//! The raw handle: policies, memory, events, graphs, and one line that sends every routine to its file.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::sync::Arc;

use blas_api::*;
use blas_gpu::GpuHandle;

use crate::arrays::Arrays;
use crate::context::Context;
use crate::cublas::{atomics, math};
use crate::event::CudaEvent;
use crate::graph::{self, CudaGraph};
use crate::library::Library;
use crate::memory::{CudaMemory, Pinned};
use crate::scratch::{self, Scratch};
use crate::{Cuda, status, support};

/// An NVIDIA GPU's raw handle: a stream, a cuBLAS handle, and scratch memory.
///
/// A new handle has [`Determinism::Required`]: cuBLAS's atomics are off, as they are by default; with
/// [`Determinism::Allowed`] they are on. [`Precision::Exact`] keeps TF32 off, and sums of half-precision products in f32.
/// [`Workspace::Fixed`] gives that many bytes to the handle's own scratch memory, and as many again to cuBLAS.
///
/// Calls leave the handle's device the current one of the calling thread.
pub struct CudaHandle {
    context: Arc<Context>,
    policy: Cell<Policy>,
    /// The routine that runs or ran last.
    pub(crate) routine: Cell<&'static str>,
    /// What the host knows of its operands.
    pub(crate) arrays: Arrays,
    /// Where cuBLAS looks for scalars. `None` if not known.
    pub(crate) mode: Cell<Option<Location>>,
    pub(crate) scratch: Scratch,
    /// cuBLAS's workspace, if one was set.
    workspace: RefCell<Option<Arc<CudaMemory>>>,
    pub(crate) capturing: Cell<bool>,
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
        CudaHandle {
            context: Arc::new(context),
            policy: Cell::new(policy),
            routine: Cell::new("open"),
            arrays: Arrays::default(),
            mode: Cell::new(None),
            scratch: Scratch::default(),
            workspace: RefCell::new(None),
            capturing: Cell::new(false),
        }
    }

    /// The library that the handle calls.
    pub fn library(&self) -> &'static Library {
        self.context.library
    }

    /// The stream, a `CUstream` or `cudaStream_t`. It is destroyed with the handle (unless it was adopted).
    pub fn stream(&self) -> *mut c_void {
        self.context.stream
    }

    /// The `cublasHandle_t`. Whoever changes its modes, stream or workspace must put them back before the next call of this
    /// handle.
    pub fn cublas(&self) -> *mut c_void {
        self.context.blas
    }

    /// Lets this handle's GPU reach the memory of device number `peer` directly, over NVLink or PCIe: copies between their buffers
    /// then pass the host by, and kernels of this GPU that the program launches itself may use the other's buffers. The
    /// first copy from a device does this by itself where it can.
    ///
    /// # Errors
    /// [`Error::NotAvailable`] if the two have no such way (copies still work), [`Error::NoDevice`] if there is no such device.
    pub fn enable_peer(&self, peer: usize) -> Result {
        self.context.gpu.enable_peer(self.library().gpu(peer)?)
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The workspace policy.
    pub(crate) fn workspace(&self) -> Workspace {
        self.policy.get().workspace
    }

    /// Makes the device current for what follows.
    pub(crate) fn enter(&self, routine: &'static str) -> Result {
        self.routine.set(routine);
        self.context.gpu.make_current(routine)
    }

    /// Copies in stream order, and marks where the copy is done.
    fn start_copy(
        &self,
        routine: &'static str,
        bytes: usize,
        copy: impl FnOnce() -> Result,
    ) -> Result<Box<dyn RawEvent>> {
        self.enter(routine)?;
        if bytes == 0 {
            return Ok(Box::new(Passed));
        }
        Ok(Box::new(CudaEvent::after(&self.context, routine, copy)?))
    }

    /// A status that means that the library lacks the routine, as the error that says so.
    fn explain(&self, error: Error, call: Call<'_>) -> Error {
        if !status::is_cublas_status(&error, status::cublas::NOT_SUPPORTED) {
            return error;
        }
        let why = "cuBLAS answered CUBLAS_STATUS_NOT_SUPPORTED";
        Error::Unsupported { routine: call.routine().name(), types: call.types(), backend: Cuda::NAME, why }
    }

    fn apply(&self, policy: Policy) -> Result {
        let old = self.policy.get();
        let (cublas, handle) = (&self.library().cublas, self.cublas());
        if policy.determinism != old.determinism {
            let mode = match policy.determinism {
                Determinism::Required => atomics::NOT_ALLOWED,
                _ => atomics::ALLOWED,
            };
            // SAFETY: the handle lives.
            unsafe { cublas.cublasSetAtomicsMode("set_policy", handle, mode) }?;
        }
        if policy.precision != old.precision {
            let mode = match policy.precision {
                Precision::Exact => math::DEFAULT | math::FULL_SUMS,
                Precision::AllowTf32 => math::TF32 | math::FULL_SUMS,
                _ => math::TF32,
            };
            // SAFETY: the handle lives.
            unsafe { cublas.cublasSetMathMode("set_policy", handle, mode) }?;
        }
        if policy.workspace != old.workspace {
            self.set_workspace(policy.workspace)?;
        }
        self.policy.set(policy);
        Ok(())
    }

    fn set_workspace(&self, workspace: Workspace) -> Result {
        self.no_capture("a change of the workspace while a graph is captured")?;
        let bytes = match workspace {
            Workspace::Fixed(bytes) => Some(bytes),
            _ => None,
        };
        let block = || bytes.map(|b| CudaMemory::new(&self.context, "set_policy", b)).transpose();
        let (scratch, memory) = (block()?, block()?);
        // Work under way uses what is replaced.
        self.context.sync("set_policy")?;
        let (ptr, len) = memory.as_ref().map_or((std::ptr::null_mut(), 0), |m| (m.ptr(), m.len()));
        // SAFETY: the memory is kept beside the context until it is replaced.
        unsafe { self.context.set_workspace(ptr, len) }?;
        *self.workspace.borrow_mut() = memory.map(Arc::new);
        self.scratch.replace(scratch);
        Ok(())
    }
}

impl Drop for CudaHandle {
    fn drop(&mut self) {
        // Scratch memory is freed before the stream, which may still use it. There is nobody to tell of a failure.
        let _ = self.context.gpu.make_current("drop");
        let _ = self.context.sync("drop");
    }
}

macro_rules! raw_handle {
    ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
        // SAFETY: each routine's function does what its descriptor states, on the handle's stream; host memory is copied before
        // a call returns; memory is of the handle's device.
        unsafe impl RawHandle for CudaHandle {
            fn device(&self) -> DeviceId {
                self.context.device
            }
            fn sync(&self) -> Result {
                self.no_capture("sync while a graph is captured")?;
                self.enter("sync")?;
                self.context.sync("sync")
            }
            fn policy(&self) -> Policy {
                self.policy.get()
            }
            fn set_policy(&self, policy: Policy) -> Result {
                self.enter("set_policy")?;
                self.apply(policy)
            }
            fn supports(&self, routine: Routine, types: Types) -> Support {
                support::supports(routine, types)
            }
            fn deviations(&self) -> &'static [Deviation] {
                support::DEVIATIONS
            }
            fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
                self.no_capture("an allocation while a graph is captured")?;
                self.enter("alloc")?;
                Ok(Box::new(CudaMemory::zeroed(&self.context, bytes)?))
            }
            unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
                self.no_capture("upload while a graph is captured")?;
                self.enter("upload")?;
                // SAFETY: the caller's promise.
                unsafe { scratch::upload(&self.context, "upload", src, dst, bytes) }
            }
            unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
                self.no_capture("download while a graph is captured")?;
                self.enter("download")?;
                if bytes == 0 {
                    return Ok(());
                }
                let (driver, src) = (&self.library().driver, src.cast_mut().cast());
                // SAFETY: the caller's promise; `dst` is complete after the wait.
                unsafe { driver.cuMemcpyDtoHAsync_v2("download", dst.cast(), src, bytes, self.stream()) }?;
                self.context.sync("download")
            }
            unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
                self.enter("copy_device")?;
                if bytes == 0 {
                    return Ok(());
                }
                let (driver, src) = (&self.library().driver, src.cast_mut().cast());
                // SAFETY: the caller's promise.
                unsafe { driver.cuMemcpyDtoDAsync_v2("copy_device", dst.cast(), src, bytes, self.stream()) }
            }
            unsafe fn copy_peer(&self, src: *const u8, from: DeviceId, dst: *mut u8, bytes: usize) -> Result {
                self.no_capture("a copy between devices while a graph is captured")?;
                let peer = self.library().gpu(from.index)?;
                self.enter("copy_from")?;
                if bytes == 0 {
                    return Ok(());
                }
                // SAFETY: the caller's promise.
                unsafe { self.context.copy_peer("copy_from", peer, src, dst, bytes) }
            }
            fn alloc_host(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
                self.enter("host_buffer")?;
                Ok(Box::new(Pinned::zeroed(&self.context, "host_buffer", bytes)?))
            }
            unsafe fn start_upload(
                &self,
                src: *const u8,
                dst: *mut u8,
                bytes: usize,
            ) -> Result<Box<dyn RawEvent>> {
                self.no_capture("upload_async while a graph is captured")?;
                let (driver, stream, name) = (&self.library().driver, self.stream(), "upload_async");
                // SAFETY: the caller's promise.
                self.start_copy(name, bytes, || unsafe {
                    driver.cuMemcpyHtoDAsync_v2(name, dst.cast(), src.cast(), bytes, stream)
                })
            }
            unsafe fn start_download(
                &self,
                src: *const u8,
                dst: *mut u8,
                bytes: usize,
            ) -> Result<Box<dyn RawEvent>> {
                self.no_capture("download_async while a graph is captured")?;
                let (driver, stream, name) = (&self.library().driver, self.stream(), "download_async");
                // SAFETY: the caller's promise.
                self.start_copy(name, bytes, || unsafe {
                    driver.cuMemcpyDtoHAsync_v2(name, dst.cast(), src.cast_mut().cast(), bytes, stream)
                })
            }
            fn record(&self) -> Result<Box<dyn RawEvent>> {
                self.no_capture("record while a graph is captured")?;
                self.enter("record")?;
                Ok(Box::new(CudaEvent::record(&self.context)?))
            }
            fn wait(&self, event: &dyn RawEvent) -> Result {
                self.no_capture("wait while a graph is captured")?;
                self.enter("wait")?;
                match event.as_any().downcast_ref::<CudaEvent>() {
                    Some(event) => event.wait_in(&self.context),
                    None => event.sync(),
                }
            }
            fn begin_capture(&self) -> Result {
                self.no_capture("a graph within a graph")?;
                self.enter("capture")?;
                // A graph's scratch memory is filled when it has been captured, and no other work may use it then.
                self.context.sync("capture")?;
                graph::begin(&self.context)?;
                self.scratch.begin_capture();
                self.capturing.set(true);
                Ok(())
            }
            fn end_capture(&self) -> Result<Box<dyn RawGraph>> {
                self.enter("capture")?;
                self.capturing.set(false);
                let recorded = graph::end(&self.context);
                let scratch = self.scratch.end_capture(&self.context)?;
                let workspace = self.workspace.borrow().clone();
                Ok(Box::new(CudaGraph::new(&recorded?, &self.context, scratch, workspace)?))
            }
            $(unsafe fn $name(&self, d: &$desc) -> Result {
                if d.is_noop() {
                    return Ok(());
                }
                self.enter(stringify!($name))?;
                self.scratch.reset();
                self.arrays.reset();
                // SAFETY: the caller's promise.
                unsafe { blas_gpu::routine::$name(self, d) }.map_err(|e| self.explain(e, Call::$variant(d)))
            })*
        }
    };
}
for_each_routine!(raw_handle);
