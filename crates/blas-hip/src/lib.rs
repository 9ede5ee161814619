//! The AMD backend of anyblas: hipBLAS on the HIP runtime, both found at run time.
//!
//! Nothing is linked: a program with this backend builds and starts anywhere, and [`Hip`]'s functions answer with an error
//! that lists every place tried where there is no ROCm. One build works with every hipBLAS from ROCm 5.0 on: the differences
//! of their C interfaces are in the crate `hipblas-abi`.
//!
//! The libraries are looked for in the folders of `ANYBLAS_HIP_PATH` if it is set, and then nowhere else; else where the
//! system's loader looks, under `ROCM_PATH` and `HIP_PATH`, and in `/opt/rocm*` and `/opt/dtk*`. If the process has them
//! already, those are taken. They are never unloaded.
//!
//! # What is proven, and how
//!
//! No AMD GPU was available to the development of this crate. The C interface is checked against AMD's headers and libraries of
//! three releases; the libraries themselves are loaded up to the answer that there is no device; and every routine is tested
//! through the anyblas library of the same interface, which computes on the CPU.
//!
//! # Working beside other HIP code
//!
//! [`Hip::with_stream`] opens a handle on a stream of the program's own; [`HipHandle::stream`] and [`HipHandle::hipblas`]
//! give the stream and the hipBLAS handle out. Device pointers become views by
//! [`SliceRef::from_raw`](blas_api::SliceRef::from_raw).
//!
//! ```
//! use blas_api::{Driver, Error};
//! use blas_hip::Hip;
//!
//! match Hip::open(0) {
//!     Ok(blas) => println!("opened {}", blas.device()),
//!     Err(Error::Load { tried, .. }) => println!("no ROCm: {}", tried.join("\n")),
//!     Err(why) => println!("{why}"),
//! }
//! ```

mod call;
mod context;
mod device;
mod diagnose;
mod event;
mod handle;
mod library;
mod loader;
mod memory;
mod peer;
mod queue;
mod runtime;
mod status;
mod support;
mod tensile;

use std::ffi::c_void;

use blas_api::{Backend, Device, Diagnosis, Driver, Handle, Result, Routine, Support, Types};

pub use handle::HipHandle;
pub use library::Library;

/// AMD GPUs as a backend.
pub struct Hip;

impl Backend for Hip {
    type Raw = HipHandle;
    const NAME: &'static str = "hip";
}

impl Driver for Hip {
    fn devices() -> Result<Vec<Device>> {
        Library::get()?.devices()
    }

    fn open(index: usize) -> Result<Handle<Self>> {
        Ok(Handle::from_raw(HipHandle::new(Library::get()?, index)?))
    }

    fn supports(routine: Routine, types: Types) -> Support {
        support::supports(None, routine, types)
    }

    fn diagnose() -> Diagnosis {
        diagnose::diagnose()
    }
}

impl Hip {
    /// Opens device number `index` on a stream that exists, a `hipStream_t`.
    ///
    /// # Errors
    /// As for [`Driver::open`].
    ///
    /// # Safety
    /// As for [`HipHandle::with_stream`]. The HIP runtime that made the stream is the one that the process had loaded before
    /// the first call of this backend.
    pub unsafe fn with_stream(index: usize, stream: *mut c_void) -> Result<Handle<Hip>> {
        // SAFETY: the caller's promise.
        Ok(Handle::from_raw(unsafe { HipHandle::with_stream(Library::get()?, index, stream) }?))
    }
}
