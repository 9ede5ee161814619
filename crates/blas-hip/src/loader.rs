//! Where the libraries are: the search for libhipblas and the HIP runtime.
//!
//! Names with a version come before those without, since installations from Python wheels have no others; hipBLAS comes
//! first, and the HIP runtime is the one that it brought in, since two of them in a process do not know each other's streams.

mod places;
mod search;

use blas_api::Error;

pub(crate) use search::load;

/// An error with what was tried before it.
pub(crate) fn with_tried(error: Error, before: &[String]) -> Error {
    match error {
        Error::Load { what, tried } => Error::Load { what, tried: [before, &tried].concat() },
        other => other,
    }
}
