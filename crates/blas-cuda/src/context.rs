//! What a handle owns on its device, and graphs keep alive: a stream, and the libraries' handles that work on it.

use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use blas_api::Result;
use blas_gpu::Queue;
use hipblas_abi::Handle;
use once_cell::sync::OnceCell;

use crate::cublas::{atomics, math};
use crate::device::Gpu;
use crate::driver::{STREAM_NON_BLOCKING, Stream};
use crate::library::Library;

/// A stream of a device with the libraries' handles.
pub struct Context {
    pub(crate) library: &'static Library,
    pub(crate) gpu: &'static Gpu,
    pub(crate) stream: Stream,
    owns_stream: bool,
    /// The devices whose memory the stream may use.
    visited: Mutex<Vec<&'static Gpu>>,
    pub(crate) blas: Handle,
    /// cuSOLVER's handle, once it has been needed.
    solver: OnceCell<Handle>,
}

// SAFETY: streams may be used by any thread, and by several at once; the libraries' handles are used by the one owner of the
// `CudaHandle` alone.
unsafe impl Send for Context {}
// SAFETY: as above; what is shared uses the stream only.
unsafe impl Sync for Context {}

impl Context {
    /// On a stream of its own, which does not wait for the null stream, nor that for it.
    pub(crate) fn new(gpu: &'static Gpu) -> Result<Context> {
        gpu.make_current("open")?;
        let mut stream = null_mut();
        // SAFETY: writes one stream.
        unsafe { gpu.library.driver.cuStreamCreate("open", &mut stream, STREAM_NON_BLOCKING) }?;
        Context::on(gpu, stream, true).with_blas()
    }

    /// On a stream that someone else made and will destroy.
    ///
    /// # Safety
    /// The stream is one of the device's primary context, and outlives the context.
    pub(crate) unsafe fn adopt(gpu: &'static Gpu, stream: Stream) -> Result<Context> {
        gpu.make_current("open")?;
        Context::on(gpu, stream, false).with_blas()
    }

    fn on(gpu: &'static Gpu, stream: Stream, owns_stream: bool) -> Context {
        gpu.join(gpu, stream);
        Context {
            library: gpu.library,
            gpu,
            stream,
            owns_stream,
            visited: Mutex::default(),
            blas: null_mut(),
            solver: OnceCell::new(),
        }
    }

    /// Makes the cuBLAS handle.
    fn with_blas(mut self) -> Result<Context> {
        let cublas = &self.library.cublas;
        // SAFETY: writes one handle, and the stream is of the current device.
        unsafe {
            cublas.cublasCreate_v2("open", &mut self.blas)?;
            cublas.cublasSetStream_v2("open", self.blas, self.stream)?;
            cublas.cublasSetAtomicsMode("open", self.blas, atomics::NOT_ALLOWED)?;
            cublas.cublasSetMathMode("open", self.blas, math::DEFAULT | math::FULL_SUMS)?;
        }
        Ok(self)
    }

    /// cuSOLVER's handle.
    pub(crate) fn solver(&self) -> Result<Handle> {
        let make = || {
            let (cusolver, mut handle) = (&self.library.cusolver()?.handles, null_mut());
            // SAFETY: writes one handle; the stream is of the current device. What fails is not used again.
            unsafe {
                cusolver.cusolverDnCreate("open", &mut handle)?;
                let set = cusolver.cusolverDnSetStream("open", handle, self.stream);
                set.map(|()| handle).inspect_err(|_| {
                    let _ = cusolver.cusolverDnDestroy("open", handle);
                })
            }
        };
        self.solver.get_or_try_init(make).copied()
    }

    /// Lets the device reach the memory of another one, and that be freed only when this stream has passed.
    ///
    /// # Errors
    /// As for [`Gpu::enable_peer`].
    pub(crate) fn enable_peer(&self, peer: &'static Gpu) -> Result {
        self.gpu.enable_peer(peer)?;
        if !std::ptr::eq(self.gpu, peer) {
            self.visit(peer);
        }
        Ok(())
    }

    /// Lets memory of another device be freed only when this stream has passed. Whether it was free to be before.
    pub(crate) fn visit(&self, peer: &'static Gpu) -> bool {
        let mut visited = self.visited.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = !visited.iter().any(|gpu| std::ptr::eq(*gpu, peer));
        if is_first {
            peer.join(self.gpu, self.stream);
            visited.push(peer);
        }
        is_first
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // There is nobody to tell of a failure, and nothing that could be done about it.
        let _ = self.gpu.make_current("drop");
        let _ = self.sync("drop");
        self.gpu.leave(self.gpu, self.stream);
        let visited = self.visited.get_mut().unwrap_or_else(PoisonError::into_inner);
        visited.iter().for_each(|peer| peer.leave(self.gpu, self.stream));
        // SAFETY: none is used again.
        unsafe {
            if let (Some(solver), Ok(cusolver)) = (self.solver.get(), self.library.cusolver()) {
                let _ = cusolver.handles.cusolverDnDestroy("drop", *solver);
            }
            if !self.blas.is_null() {
                let _ = self.library.cublas.cublasDestroy_v2("drop", self.blas);
            }
            if self.owns_stream {
                let _ = self.library.driver.cuStreamDestroy_v2("drop", self.stream);
            }
        }
    }
}
