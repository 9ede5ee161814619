//! Device memory.

use std::ffi::c_void;

use super::error::Result;

/// In checking mode (HIP_COMPAT_CHECK=1): an error with a report unless the range is device memory. `function` and
/// `operand` are named in the report.
pub(crate) fn check_device(ptr: *const c_void, bytes: usize, function: &str, operand: &str) -> Result {
    let _ = (ptr, bytes, function, operand);
    Ok(())
}
