//! `hipblasStatus_t`.

use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::LazyLock;

use hipblas_abi::{hip, status};

/// The status that rocBLAS makes of an error of the runtime.
pub(crate) fn of_runtime(error: hip::Error) -> c_int {
    match error {
        hip::error::OUT_OF_MEMORY => status::ALLOC_FAILED,
        hip::error::INVALID_DEVICE_POINTER => status::INVALID_VALUE,
        hip::error::INVALID_DEVICE | hip::error::INVALID_HANDLE => status::NOT_INITIALIZED,
        _ => status::INTERNAL_ERROR,
    }
}

static NAMES: LazyLock<Vec<(c_int, CString)>> = LazyLock::new(|| {
    status::ALL.iter().filter_map(|&(name, value)| Some((value, CString::new(name).ok()?))).collect()
});

/// The name of a status, for C.
pub(crate) fn name(value: c_int) -> *const c_char {
    const UNDEFINED: &CStr = c"<undefined hipblasStatus_t value>";
    NAMES.iter().find(|(v, _)| *v == value).map_or(UNDEFINED, |(_, name)| name).as_ptr()
}
