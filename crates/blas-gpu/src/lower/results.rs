//! Scalar results.

use std::ffi::c_void;

use blas_api::{Location, RawOut, Result};

use crate::GpuHandle;

/// Where a function may write results for the caller, with the handle's pointer mode set to that side. Results on the
/// host are waited for, which cannot be captured.
pub(crate) fn results(h: &impl GpuHandle, out: RawOut) -> Result<*mut c_void> {
    match out {
        RawOut::Host(p) => {
            h.no_capture("a result on the host while a graph is captured")?;
            h.pointer_mode(Location::Host)?;
            Ok(p.cast())
        }
        RawOut::Device(p) => {
            h.pointer_mode(Location::Device)?;
            Ok(p.cast())
        }
    }
}
