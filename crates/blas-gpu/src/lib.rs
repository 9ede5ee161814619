//! What the GPU backends of anyblas share: the lowering of every routine onto calls of the shape of hipBLAS's, and what a
//! handle does besides routines.
//!
//! A descriptor of `blas-api` can hold more than a function of hipBLAS or cuBLAS takes: any increment and op, coefficients
//! on the host beside ones on the device, batches of any form, matrices of either half type. Each routine's file makes
//! arguments of it that a function does take, `hipblas_abi::calls`. A backend says by [`GpuHandle`] how its library is called with
//! them: `blas-hip` calls the function of that name, `blas-cuda` the one of cuBLAS or cuSOLVER that does the same.
//!
//! [`routine`] has the routines. A backend writes a [`Queue`], its stream with the library's handle, and has policies, scratch
//! memory, copies, events and graphs from [`Base`].

mod base;
pub mod cublas;
mod gpu;
mod graph;
mod level1;
mod level2;
mod level3;
mod lower;
mod open;
mod queue;
mod scratch;
mod solver;

pub use base::Base;
pub use gpu::GpuHandle;
pub use open::{Open, path_of};
pub use queue::{Direction, Queue};

/// The routines. Each does what `blas_api::RawHandle`'s of that name promises, on a GPU's stream.
pub mod routine {
    use blas_api::*;

    use crate::{GpuHandle, level1, level2, level3, solver};

    /// Where each routine is. A routine's function has the routine's name.
    mod file {
        pub(super) use super::{level1::*, level2::*, level3::*, solver::*};
    }

    macro_rules! routines { ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => { $(
        #[doc = concat!("The routine `", stringify!($name), "`.")]
        ///
        /// # Errors
        /// Those of the calls that it makes; [`Error::NotAvailable`] if it needs the host while a graph is captured.
        ///
        /// # Safety
        /// As for the method of that name of [`RawHandle`]; there is something to do ([`Descriptor::is_noop`] is false).
        pub unsafe fn $name(h: &impl GpuHandle, d: &$desc) -> Result {
            // SAFETY: the caller's promise.
            unsafe { file::$name(h, d) }
        }
    )* } }
    for_each_routine!(routines);
}
