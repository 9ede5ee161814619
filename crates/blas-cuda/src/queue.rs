//! A stream as `blas-gpu` uses it.

use std::ffi::c_void;
use std::ptr::null_mut;

use blas_api::{Backend, Determinism, DeviceId, Location, Precision, Result};
use blas_gpu::{Direction, Queue};

use crate::Cuda;
use crate::context::Context;
use crate::cublas::{atomics, math, pointer_mode};
use crate::driver::{GraphExec, MAX_PITCH, MEMORY_DEVICE, Memcpy2D};
use crate::event::CudaEvent;
use crate::memory::{CudaMemory, Pinned};

/// A graph that can be launched, by one thread at a time.
pub struct Exec(GraphExec);

// SAFETY: any thread may use it.
unsafe impl Send for Exec {}

impl Queue for Context {
    const NAME: &'static str = Cuda::NAME;
    type Memory = CudaMemory;
    type Host = Pinned;
    type Event = CudaEvent;
    type Exec = Exec;

    fn device(&self) -> DeviceId {
        self.gpu.id
    }

    fn make_current(&self, routine: &'static str) -> Result {
        self.gpu.make_current(routine)
    }

    fn sync(&self, routine: &'static str) -> Result {
        // SAFETY: the stream lives as long as `self`.
        unsafe { self.library.driver.cuStreamSynchronize(routine, self.stream) }
    }

    fn alloc(&self, routine: &'static str, bytes: usize) -> Result<CudaMemory> {
        CudaMemory::new(self, routine, bytes)
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
        let (driver, stream) = (&self.library.driver, self.stream);
        let (from, to) = (src.cast_mut().cast::<c_void>(), dst.cast::<c_void>());
        // SAFETY: the caller's promise.
        unsafe {
            match direction {
                Direction::HostToDevice => driver.cuMemcpyHtoDAsync_v2(routine, to, from, bytes, stream),
                Direction::DeviceToHost => driver.cuMemcpyDtoHAsync_v2(routine, to, from, bytes, stream),
                Direction::DeviceToDevice => driver.cuMemcpyDtoDAsync_v2(routine, to, from, bytes, stream),
            }
        }
    }

    unsafe fn copy_peer(
        &self,
        routine: &'static str,
        src: *const u8,
        from: DeviceId,
        dst: *mut u8,
        bytes: usize,
    ) -> Result {
        let (gpu, peer) = (self.gpu, self.library.gpu(from.index)?);
        if self.visit(peer) {
            // Without a way from one to the other the driver copies through the host.
            let _ = gpu.enable_peer(peer);
        }
        let (driver, from, to) = (&self.library.driver, src.cast_mut().cast(), dst.cast());
        // SAFETY: the caller's promise.
        unsafe { driver.cuMemcpyPeerAsync(routine, to, gpu.context, from, peer.context, bytes, self.stream) }
    }

    unsafe fn fill(&self, routine: &'static str, dst: *mut u8, value: u8, bytes: usize) -> Result {
        // SAFETY: the caller's promise.
        unsafe { self.library.driver.cuMemsetD8Async(routine, dst.cast(), value, bytes, self.stream) }
    }

    unsafe fn copy_2d(
        &self,
        routine: &'static str,
        (dst, dst_pitch): (*mut u8, usize),
        (src, src_pitch): (*const u8, usize),
        width: usize,
        rows: usize,
    ) -> Result {
        let (driver, stream) = (&self.library.driver, self.stream);
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
            src_array: null_mut(),
            src_pitch,
            dst_x: 0,
            dst_y: 0,
            dst_type: MEMORY_DEVICE,
            dst_host: null_mut(),
            dst_device: dst,
            dst_array: null_mut(),
            dst_pitch,
            width,
            height: rows,
        };
        // SAFETY: the caller's promise.
        unsafe { driver.cuMemcpy2DAsync_v2(routine, &copy, stream) }
    }

    fn event(&self, routine: &'static str) -> Result<CudaEvent> {
        CudaEvent::new(self, routine)
    }

    fn mark(&self, routine: &'static str, event: &CudaEvent) -> Result {
        event.mark(self, routine)
    }

    fn wait(&self, event: &CudaEvent) -> Result<bool> {
        event.wait_in(self)?;
        Ok(true)
    }

    fn begin_capture(&self) -> Result {
        self.gpu.begin_capture(self.stream)
    }

    fn end_capture(&self) -> Result<Exec> {
        let (driver, mut graph, mut exec) = (&self.library.driver, null_mut(), null_mut());
        // SAFETY: the stream lives; writes one graph, and one that can be launched, after which the first is not used.
        unsafe {
            driver.cuStreamEndCapture("capture", self.stream, &mut graph)?;
            let made = driver.cuGraphInstantiateWithFlags("capture", &mut exec, graph, 0);
            let _ = driver.cuGraphDestroy("capture", graph);
            made.map(|()| Exec(exec))
        }
    }

    unsafe fn launch(&self, exec: &Exec) -> Result {
        // SAFETY: both live; the caller answers for the memory.
        unsafe { self.library.driver.cuGraphLaunch("launch", exec.0, self.stream) }
    }

    fn destroy(&self, exec: &Exec) {
        // There is nobody to tell of a failure.
        // SAFETY: from `end_capture`, not used again.
        let _ = unsafe { self.library.driver.cuGraphExecDestroy("drop", exec.0) };
    }

    fn set_pointer_mode(&self, routine: &'static str, on: Location) -> Result {
        let value = match on {
            Location::Host => pointer_mode::HOST,
            Location::Device => pointer_mode::DEVICE,
        };
        // SAFETY: the handle lives.
        unsafe { self.library.cublas.cublasSetPointerMode_v2(routine, self.blas, value) }
    }

    fn set_determinism(&self, determinism: Determinism) -> Result {
        let mode = match determinism {
            Determinism::Required => atomics::NOT_ALLOWED,
            _ => atomics::ALLOWED,
        };
        // SAFETY: the handle lives.
        unsafe { self.library.cublas.cublasSetAtomicsMode("set_policy", self.blas, mode) }
    }

    fn set_precision(&self, precision: Precision) -> Result {
        let mode = match precision {
            Precision::Exact => math::DEFAULT | math::FULL_SUMS,
            Precision::AllowTf32 => math::TF32 | math::FULL_SUMS,
            _ => math::TF32,
        };
        // SAFETY: the handle lives.
        unsafe { self.library.cublas.cublasSetMathMode("set_policy", self.blas, mode) }
    }

    unsafe fn set_workspace(&self, ptr: *mut u8, bytes: usize) -> Result {
        let cublas = &self.library.cublas;
        // SAFETY: the caller's promise. Setting the stream puts cuBLAS's own workspace back.
        unsafe {
            if bytes == 0 {
                return cublas.cublasSetStream_v2("set_policy", self.blas, self.stream);
            }
            cublas.cublasSetWorkspace_v2("set_policy", self.blas, ptr.cast::<c_void>(), bytes)
        }
    }
}
