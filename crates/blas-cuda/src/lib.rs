//! The NVIDIA backend of anyblas: cuBLAS on the CUDA driver, both found at run time.
//!
//! Nothing is linked and no toolkit is needed to build: a program with this backend builds and starts anywhere, and [`Cuda`]'s
//! functions answer with an error that lists every place tried where there is no driver or no cuBLAS. One build works with
//! CUDA 12 and 13.
//!
//! The driver is the system's. cuBLAS, cuSOLVER and NVRTC are looked for in the folders of `ANYBLAS_CUDA_PATH` if it is set, and
//! then nowhere else; else where the system's loader looks, under `CUDA_PATH` and `CUDA_HOME`, among the Python packages
//! of the active environment and of the interpreters on `PATH`, and in `/usr/local/cuda*`. If the process has them already,
//! those are taken. They are never unloaded. cuSOLVER is loaded for the solver routines only, NVRTC for the
//! few routines that cuBLAS does not have.
//!
//! # Working beside other CUDA code
//!
//! Handles work in the device's primary context, which is that of the CUDA runtime. [`Cuda::with_stream`] opens a handle on a
//! stream of the program's own; [`CudaHandle::stream`] and [`CudaHandle::cublas`] give the stream and the cuBLAS handle
//! out. Device pointers become views by [`SliceRef::from_raw`](blas_api::SliceRef::from_raw).
//!
//! ```
//! use blas_api::{Driver, Error};
//! use blas_cuda::Cuda;
//!
//! match Cuda::open(0) {
//!     Ok(blas) => println!("opened {}", blas.device()),
//!     Err(Error::Load { tried, .. }) => println!("no CUDA: {}", tried.join("\n")),
//!     Err(why) => println!("{why}"),
//! }
//! ```

mod arrays;
mod branches;
mod call;
mod context;
mod cublas;
mod cusolver;
mod device;
mod diagnose;
mod direct;
mod driver;
mod event;
mod functions;
mod handle;
mod kernels;
mod library;
mod loader;
mod memory;
mod nvrtc;
mod queue;
mod routines;
mod shared;
mod status;
mod support;
mod transfer;

use std::ffi::c_void;

use blas_api::{Backend, Device, Diagnosis, Driver, Handle, Result, Routine, Support, Types};

pub use handle::CudaHandle;
pub use library::Library;
pub use shared::Registered;
pub use transfer::Rows;

/// NVIDIA GPUs as a backend.
pub struct Cuda;

impl Backend for Cuda {
    type Raw = CudaHandle;
    const NAME: &'static str = "cuda";
}

impl Driver for Cuda {
    fn devices() -> Result<Vec<Device>> {
        Library::get()?.devices()
    }

    fn open(index: usize) -> Result<Handle<Self>> {
        Ok(Handle::from_raw(CudaHandle::new(Library::get()?, index)?))
    }

    fn supports(routine: Routine, types: Types) -> Support {
        support::supports(routine, types)
    }

    fn diagnose() -> Diagnosis {
        diagnose::diagnose()
    }
}

impl Cuda {
    /// Opens device number `index` on a stream that exists, a `CUstream` or `cudaStream_t`.
    ///
    /// # Errors
    /// As for [`Driver::open`].
    ///
    /// # Safety
    /// As for [`CudaHandle::with_stream`].
    pub unsafe fn with_stream(index: usize, stream: *mut c_void) -> Result<Handle<Cuda>> {
        // SAFETY: the caller's promise.
        Ok(Handle::from_raw(unsafe { CudaHandle::with_stream(Library::get()?, index, stream) }?))
    }
}
