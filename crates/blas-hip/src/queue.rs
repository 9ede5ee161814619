//! A stream as `blas-gpu` uses it.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use blas_api::{Backend, Determinism, DeviceId, Error, Location, Precision, Result};
use blas_gpu::{Direction, Queue};
use hipblas_abi::hip::{GraphExec, flag, memcpy};
use hipblas_abi::{Handle, atomics, math, pointer_mode, status as code};

use crate::context::Context;
use crate::device::ordinal;
use crate::event::HipEvent;
use crate::memory::{HipMemory, Pinned};
use crate::{Hip, status};

/// A graph that can be launched, by one thread at a time.
pub struct Exec(GraphExec);

// SAFETY: any thread may use it.
unsafe impl Send for Exec {}

impl Queue for Context {
    const NAME: &'static str = Hip::NAME;
    type Memory = HipMemory;
    type Host = Pinned;
    type Event = HipEvent;
    type Exec = Exec;

    fn device(&self) -> DeviceId {
        self.device
    }

    fn make_current(&self, routine: &'static str) -> Result {
        self.library.set_device(routine, self.device)
    }

    fn sync(&self, routine: &'static str) -> Result {
        // SAFETY: the stream lives as long as `self`.
        unsafe { self.library.hip.hipStreamSynchronize(routine, self.stream) }
    }

    fn alloc(&self, routine: &'static str, bytes: usize) -> Result<HipMemory> {
        HipMemory::new(self, routine, bytes)
    }

    fn alloc_host(&self, routine: &'static str, bytes: usize) -> Result<Pinned> {
        Pinned::zeroed(self, routine, bytes)
    }

    unsafe fn copy(
        &self,
        routine: &'static str,
        direction: Direction,
        src: *const u8,
        dst: *mut u8,
        bytes: usize,
    ) -> Result {
        let kind = match direction {
            Direction::HostToDevice => memcpy::HOST_TO_DEVICE,
            Direction::DeviceToHost => memcpy::DEVICE_TO_HOST,
            Direction::DeviceToDevice => memcpy::DEVICE_TO_DEVICE,
        };
        let (hip, stream) = (&self.library.hip, self.stream);
        // SAFETY: the caller's promise.
        unsafe { hip.hipMemcpyAsync(routine, dst.cast(), src.cast(), bytes, kind, stream) }
    }

    unsafe fn copy_peer(
        &self,
        routine: &'static str,
        src: *const u8,
        from: DeviceId,
        dst: *mut u8,
        bytes: usize,
    ) -> Result {
        self.visit(routine, from);
        let (to, from, hip) = (ordinal(self.device), ordinal(from), &self.library.hip);
        // SAFETY: the caller's promise.
        unsafe { hip.hipMemcpyPeerAsync(routine, dst.cast(), to, src.cast(), from, bytes, self.stream) }
    }

    unsafe fn fill(&self, routine: &'static str, dst: *mut u8, value: u8, bytes: usize) -> Result {
        let (hip, value) = (&self.library.hip, c_int::from(value));
        // SAFETY: the caller's promise.
        unsafe { hip.hipMemsetAsync(routine, dst.cast(), value, bytes, self.stream) }
    }

    unsafe fn copy_2d(
        &self,
        routine: &'static str,
        (dst, dst_pitch): (*mut u8, usize),
        (src, src_pitch): (*const u8, usize),
        width: usize,
        rows: usize,
    ) -> Result {
        let (hip, kind, stream) = (&self.library.hip, memcpy::DEVICE_TO_DEVICE, self.stream);
        let (dst, src) = (dst.cast::<c_void>(), src.cast::<c_void>());
        // SAFETY: the caller's promise.
        unsafe { hip.hipMemcpy2DAsync(routine, dst, dst_pitch, src, src_pitch, width, rows, kind, stream) }
    }

    fn event(&self, routine: &'static str) -> Result<HipEvent> {
        HipEvent::new(self, routine)
    }

    fn mark(&self, routine: &'static str, event: &HipEvent) -> Result {
        event.mark(self, routine)
    }

    fn wait(&self, event: &HipEvent) -> Result<bool> {
        event.wait_in(self)
    }

    fn begin_capture(&self) -> Result {
        // Memory that is freed meanwhile must not wait for it.
        let _visitors = self.library.visitors.lock();
        // SAFETY: the stream lives.
        unsafe { self.library.hip.hipStreamBeginCapture("capture", self.stream, flag::CAPTURE_RELAXED) }
    }

    fn end_capture(&self) -> Result<Exec> {
        let (hip, mut graph, mut exec) = (&self.library.hip, null_mut(), null_mut());
        // SAFETY: the stream lives; writes one graph, and one that can be launched, after which the first is not used. No
        // log is asked for.
        unsafe {
            hip.hipStreamEndCapture("capture", self.stream, &mut graph)?;
            let made = hip.hipGraphInstantiate("capture", &mut exec, graph, null_mut(), null_mut(), 0);
            let _ = hip.hipGraphDestroy("capture", graph);
            made.map(|()| Exec(exec))
        }
    }

    unsafe fn launch(&self, exec: &Exec) -> Result {
        // SAFETY: both live; the caller answers for the memory.
        unsafe { self.library.hip.hipGraphLaunch("launch", exec.0, self.stream) }
    }

    fn destroy(&self, exec: &Exec) {
        // There is nobody to tell of a failure.
        // SAFETY: from `end_capture`, not used again.
        let _ = unsafe { self.library.hip.hipGraphExecDestroy("drop", exec.0) };
    }

    fn set_pointer_mode(&self, routine: &'static str, on: Location) -> Result {
        let value = match on {
            Location::Host => pointer_mode::HOST,
            Location::Device => pointer_mode::DEVICE,
        };
        self.set_mode(routine, "SetPointerMode", value)
    }

    fn set_determinism(&self, determinism: Determinism) -> Result {
        let mode = match determinism {
            Determinism::Required => atomics::NOT_ALLOWED,
            _ => atomics::ALLOWED,
        };
        self.set_mode("set_policy", "SetAtomicsMode", mode)
    }

    /// XF32 is AMD's TF32. Libraries before 2.1 and most GPUs have none: then f32 stays f32, which every policy allows.
    fn set_precision(&self, precision: Precision) -> Result {
        let mode = match precision {
            Precision::Exact => math::DEFAULT_MATH,
            _ => math::XF32_XDL_MATH,
        };
        match self.set_mode("set_policy", "SetMathMode", mode) {
            Err(Error::Load { .. }) => Ok(()),
            Err(e) if status::is_hipblas(&e, code::NOT_SUPPORTED) => Ok(()),
            other => other,
        }
    }

    /// Nothing where the library has no such function.
    unsafe fn set_workspace(&self, ptr: *mut u8, bytes: usize) -> Result {
        let Ok((call, set)) = self.library.auxiliary("SetWorkspace") else { return Ok(()) };
        // SAFETY: `hipblasStatus_t hipblasSetWorkspace(hipblasHandle_t, void*, size_t)`, and the caller's promise.
        let code = unsafe {
            let set: unsafe extern "C" fn(Handle, *mut c_void, usize) -> c_int = std::mem::transmute(set);
            set(self.blas, ptr.cast(), bytes)
        };
        status::of_hipblas("set_policy", call, code)
    }
}
