//! The raw handle: policies, memory, events, graphs, and one line that sends every routine to its file.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::sync::Arc;

use blas_api::*;
use blas_gpu::GpuHandle;
use hipblas_abi::hip::memcpy;
use hipblas_abi::{atomics, math, status as code};

use crate::context::Context;
use crate::event::HipEvent;
use crate::graph::{self, HipGraph};
use crate::library::Library;
use crate::memory::{HipMemory, Pinned};
use crate::scratch::{self, Scratch};
use crate::{Hip, status, support};

/// An AMD GPU's raw handle: a stream, a hipBLAS handle, and scratch memory.
///
/// A new handle has [`Determinism::Required`]: hipBLAS's atomics are off, as they are by default from 3.0 on; with
/// [`Determinism::Allowed`] they are on. [`Workspace::Fixed`] gives that many bytes to the handle's own scratch memory, and as
/// many again to hipBLAS where it takes a workspace (3.0 and later).
///
/// Calls leave the handle's device the current one of the calling thread.
pub struct HipHandle {
    context: Arc<Context>,
    policy: Cell<Policy>,
    /// The routine that runs or ran last.
    pub(crate) routine: Cell<&'static str>,
    /// Where hipBLAS looks for scalars. `None` if not known.
    pub(crate) mode: Cell<Option<Location>>,
    pub(crate) scratch: Scratch,
    /// hipBLAS's workspace, if one was set.
    workspace: RefCell<Option<Arc<HipMemory>>>,
    pub(crate) capturing: Cell<bool>,
}

impl HipHandle {
    /// Opens device number `index` of a library, with a stream of its own.
    pub fn new(library: &'static Library, index: usize) -> Result<Self> {
        Ok(Self::on(Context::new(library, library.device_id(index)?)?))
    }

    /// Opens device number `index` of a library on a stream that exists, a `hipStream_t`. The stream is not destroyed with the
    /// handle.
    ///
    /// # Safety
    /// The stream is one of this device, made by the library's HIP runtime, and stays until the handle, its graphs and its
    /// events are gone. It is not being captured.
    pub unsafe fn with_stream(library: &'static Library, index: usize, stream: *mut c_void) -> Result<Self> {
        let device = library.device_id(index)?;
        // SAFETY: the caller's promise.
        Ok(Self::on(unsafe { Context::adopt(library, device, stream) }?))
    }

    fn on(context: Context) -> Self {
        let mut policy = Policy::default();
        policy.determinism = Determinism::Required;
        HipHandle {
            context: Arc::new(context),
            policy: Cell::new(policy),
            routine: Cell::new("open"),
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

    /// The stream, a `hipStream_t`. It is destroyed with the handle (unless it was adopted).
    pub fn stream(&self) -> *mut c_void {
        self.context.stream
    }

    /// The `hipblasHandle_t`. Whoever changes its modes, stream or workspace must put them back before the next call of this
    /// handle.
    pub fn hipblas(&self) -> *mut c_void {
        self.context.blas
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The workspace policy.
    pub(crate) fn workspace(&self) -> Workspace {
        self.policy.get().workspace
    }

    /// Makes the device current for what follows.
    fn enter(&self, routine: &'static str) -> Result {
        self.routine.set(routine);
        self.context.library.set_device(routine, self.context.device)
    }

    /// Copies in stream order, and marks where the copy is done.
    ///
    /// # Safety
    /// Both are valid for `bytes` until then.
    unsafe fn start_copy(
        &self,
        routine: &'static str,
        src: *const u8,
        dst: *mut u8,
        bytes: usize,
        kind: c_int,
    ) -> Result<Box<dyn RawEvent>> {
        self.enter(routine)?;
        if bytes == 0 {
            return Ok(Box::new(Passed));
        }
        let (hip, stream) = (&self.library().hip, self.stream());
        // SAFETY: the caller's promise.
        let copy = || unsafe { hip.hipMemcpyAsync(routine, dst.cast(), src.cast(), bytes, kind, stream) };
        Ok(Box::new(HipEvent::after(&self.context, routine, copy)?))
    }

    /// A status that means that the library lacks the routine, as the error that says so.
    fn explain(&self, error: Error, call: Call<'_>) -> Error {
        if !status::is_hipblas(&error, code::NOT_SUPPORTED) {
            return error;
        }
        let why = match call.routine().level() {
            Level::Solver => "the library answered HIPBLAS_STATUS_NOT_SUPPORTED: it may lack rocSOLVER",
            _ => "the library answered HIPBLAS_STATUS_NOT_SUPPORTED",
        };
        Error::Unsupported { routine: call.routine().name(), types: call.types(), backend: Hip::NAME, why }
    }

    fn apply(&self, policy: Policy) -> Result {
        let old = self.policy.get();
        if policy.determinism != old.determinism {
            let mode = match policy.determinism {
                Determinism::Required => atomics::NOT_ALLOWED,
                _ => atomics::ALLOWED,
            };
            self.context.set_mode("set_policy", "SetAtomicsMode", mode)?;
        }
        if policy.precision != old.precision {
            self.set_precision(policy.precision)?;
        }
        if policy.workspace != old.workspace {
            self.set_workspace(policy.workspace)?;
        }
        self.policy.set(policy);
        Ok(())
    }

    /// XF32 is AMD's TF32. Libraries before 2.1 and most GPUs have none: then f32 stays f32, which every policy allows.
    fn set_precision(&self, precision: Precision) -> Result {
        let mode = match precision {
            Precision::Exact => math::DEFAULT_MATH,
            _ => math::XF32_XDL_MATH,
        };
        match self.context.set_mode("set_policy", "SetMathMode", mode) {
            Err(Error::Load { .. }) => Ok(()),
            Err(e) if status::is_hipblas(&e, code::NOT_SUPPORTED) => Ok(()),
            other => other,
        }
    }

    fn set_workspace(&self, workspace: Workspace) -> Result {
        self.no_capture("a change of the workspace while a graph is captured")?;
        let bytes = match workspace {
            Workspace::Fixed(bytes) => Some(bytes),
            _ => None,
        };
        let block = || bytes.map(|b| HipMemory::new(&self.context, "set_policy", b)).transpose();
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

impl Drop for HipHandle {
    fn drop(&mut self) {
        // Scratch memory is freed before the stream, which may still use it. There is nobody to tell of a failure.
        let _ = self.context.library.set_device("drop", self.context.device);
        let _ = self.context.sync("drop");
    }
}

macro_rules! raw_handle { ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
    // SAFETY: each routine's function does what its descriptor states, on the handle's stream; host memory is copied before
    // a call returns; memory is of the handle's device.
    unsafe impl RawHandle for HipHandle {
        fn device(&self) -> DeviceId { self.context.device }
        fn sync(&self) -> Result {
            self.no_capture("sync while a graph is captured")?;
            self.enter("sync")?;
            self.context.sync("sync")
        }
        fn policy(&self) -> Policy { self.policy.get() }
        fn set_policy(&self, policy: Policy) -> Result {
            self.enter("set_policy")?;
            self.apply(policy)
        }
        fn supports(&self, routine: Routine, types: Types) -> Support {
            support::supports(Some(self.library()), routine, types)
        }
        fn deviations(&self) -> &'static [Deviation] { support::deviations(self.library()) }
        fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
            self.no_capture("an allocation while a graph is captured")?;
            self.enter("alloc")?;
            Ok(Box::new(HipMemory::zeroed(&self.context, bytes)?))
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
            let (hip, kind) = (&self.library().hip, memcpy::DEVICE_TO_HOST);
            // SAFETY: the caller's promise; `dst` is complete after the wait.
            unsafe { hip.hipMemcpyAsync("download", dst.cast(), src.cast(), bytes, kind, self.stream()) }?;
            self.context.sync("download")
        }
        unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            self.enter("copy_device")?;
            if bytes == 0 {
                return Ok(());
            }
            let (hip, kind) = (&self.library().hip, memcpy::DEVICE_TO_DEVICE);
            // SAFETY: the caller's promise.
            unsafe { hip.hipMemcpyAsync("copy_device", dst.cast(), src.cast(), bytes, kind, self.stream()) }
        }
        fn alloc_host(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
            self.enter("host_buffer")?;
            Ok(Box::new(Pinned::zeroed(&self.context, "host_buffer", bytes)?))
        }
        unsafe fn start_upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
            self.no_capture("upload_async while a graph is captured")?;
            // SAFETY: the caller's promise.
            unsafe { self.start_copy("upload_async", src, dst, bytes, memcpy::HOST_TO_DEVICE) }
        }
        unsafe fn start_download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
            self.no_capture("download_async while a graph is captured")?;
            // SAFETY: the caller's promise.
            unsafe { self.start_copy("download_async", src, dst, bytes, memcpy::DEVICE_TO_HOST) }
        }
        fn record(&self) -> Result<Box<dyn RawEvent>> {
            self.no_capture("record while a graph is captured")?;
            self.enter("record")?;
            Ok(Box::new(HipEvent::record(&self.context)?))
        }
        fn wait(&self, event: &dyn RawEvent) -> Result {
            self.no_capture("wait while a graph is captured")?;
            self.enter("wait")?;
            if let Some(event) = event.as_any().downcast_ref::<HipEvent>()
                && event.wait_in(&self.context)?
            {
                return Ok(());
            }
            event.sync()
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
            Ok(Box::new(HipGraph::new(&recorded?, &self.context, scratch, workspace)?))
        }
        $(unsafe fn $name(&self, d: &$desc) -> Result {
            if d.is_noop() {
                return Ok(());
            }
            self.enter(stringify!($name))?;
            self.scratch.reset();
            // SAFETY: the caller's promise.
            unsafe { blas_gpu::routine::$name(self, d) }.map_err(|e| self.explain(e, Call::$variant(d)))
        })*
    }
}}
for_each_routine!(raw_handle);
