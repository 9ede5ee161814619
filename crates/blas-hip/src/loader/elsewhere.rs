//! Systems on which nothing is looked for.

use std::ffi::c_void;
use std::path::PathBuf;

use blas_api::{Error, Result};

/// Nothing is ever found.
pub(crate) struct Found {
    /// Each place tried.
    pub(crate) tried: Vec<String>,
}

impl Found {
    pub(crate) fn lookup(&self, _: &str) -> *const c_void {
        std::ptr::null()
    }
}

pub(crate) fn load() -> Result<Found> {
    let tried =
        vec![format!("nothing: this backend looks for ROCm on Linux only, not on {}", std::env::consts::OS)];
    Err(Error::Load { what: "libhipblas".to_owned(), tried })
}

pub(crate) fn path_of(_: *const c_void) -> Option<PathBuf> {
    None
}
