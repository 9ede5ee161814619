//! Statuses of the driver and of the libraries as results. No number of theirs ever changed.

use blas_api::{Error, Result};

/// `CUresult`
pub(crate) mod driver {
    pub(crate) const OUT_OF_MEMORY: i32 = 2;
    pub(crate) const NO_DEVICE: i32 = 100;
    pub(crate) const NOT_READY: i32 = 600;
    pub(crate) const PEER_ENABLED: i32 = 704;
    pub(crate) const DRIVER_MISMATCH: i32 = 803;
}

/// `cublasStatus_t`
pub(crate) mod cublas {
    pub(crate) const ALLOC_FAILED: i32 = 3;
    pub(crate) const NOT_SUPPORTED: i32 = 15;
}

const DRIVER: &[(i32, &str)] = &[
    (1, "CUDA_ERROR_INVALID_VALUE"),
    (driver::OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"),
    (3, "CUDA_ERROR_NOT_INITIALIZED"),
    (4, "CUDA_ERROR_DEINITIALIZED"),
    (34, "CUDA_ERROR_STUB_LIBRARY"),
    (46, "CUDA_ERROR_DEVICE_UNAVAILABLE"),
    (driver::NO_DEVICE, "CUDA_ERROR_NO_DEVICE"),
    (101, "CUDA_ERROR_INVALID_DEVICE"),
    (200, "CUDA_ERROR_INVALID_IMAGE"),
    (201, "CUDA_ERROR_INVALID_CONTEXT"),
    (209, "CUDA_ERROR_NO_BINARY_FOR_GPU"),
    (214, "CUDA_ERROR_ECC_UNCORRECTABLE"),
    (217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"),
    (218, "CUDA_ERROR_INVALID_PTX"),
    (222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"),
    (302, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND"),
    (400, "CUDA_ERROR_INVALID_HANDLE"),
    (401, "CUDA_ERROR_ILLEGAL_STATE"),
    (500, "CUDA_ERROR_NOT_FOUND"),
    (driver::NOT_READY, "CUDA_ERROR_NOT_READY"),
    (700, "CUDA_ERROR_ILLEGAL_ADDRESS"),
    (701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"),
    (702, "CUDA_ERROR_LAUNCH_TIMEOUT"),
    (driver::PEER_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"),
    (711, "CUDA_ERROR_TOO_MANY_PEERS"),
    (716, "CUDA_ERROR_MISALIGNED_ADDRESS"),
    (719, "CUDA_ERROR_LAUNCH_FAILED"),
    (800, "CUDA_ERROR_NOT_PERMITTED"),
    (801, "CUDA_ERROR_NOT_SUPPORTED"),
    (802, "CUDA_ERROR_SYSTEM_NOT_READY"),
    (driver::DRIVER_MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"),
    (804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"),
    (900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"),
    (901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"),
    (904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"),
    (905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"),
    (906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"),
    (999, "CUDA_ERROR_UNKNOWN"),
];

const CUBLAS: &[(i32, &str)] = &[
    (1, "CUBLAS_STATUS_NOT_INITIALIZED"),
    (cublas::ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED"),
    (7, "CUBLAS_STATUS_INVALID_VALUE"),
    (8, "CUBLAS_STATUS_ARCH_MISMATCH"),
    (11, "CUBLAS_STATUS_MAPPING_ERROR"),
    (13, "CUBLAS_STATUS_EXECUTION_FAILED"),
    (14, "CUBLAS_STATUS_INTERNAL_ERROR"),
    (cublas::NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED"),
    (16, "CUBLAS_STATUS_LICENSE_ERROR"),
];

const CUSOLVER: &[(i32, &str)] = &[
    (1, "CUSOLVER_STATUS_NOT_INITIALIZED"),
    (2, "CUSOLVER_STATUS_ALLOC_FAILED"),
    (3, "CUSOLVER_STATUS_INVALID_VALUE"),
    (4, "CUSOLVER_STATUS_ARCH_MISMATCH"),
    (5, "CUSOLVER_STATUS_MAPPING_ERROR"),
    (6, "CUSOLVER_STATUS_EXECUTION_FAILED"),
    (7, "CUSOLVER_STATUS_INTERNAL_ERROR"),
    (8, "CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED"),
    (9, "CUSOLVER_STATUS_NOT_SUPPORTED"),
];

const NVRTC: &[(i32, &str)] = &[
    (1, "NVRTC_ERROR_OUT_OF_MEMORY"),
    (2, "NVRTC_ERROR_PROGRAM_CREATION_FAILURE"),
    (3, "NVRTC_ERROR_INVALID_INPUT"),
    (4, "NVRTC_ERROR_INVALID_PROGRAM"),
    (5, "NVRTC_ERROR_INVALID_OPTION"),
    (6, "NVRTC_ERROR_COMPILATION"),
    (7, "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"),
    (11, "NVRTC_ERROR_INTERNAL_ERROR"),
];

/// The result of a function, which tells by its name whose number it is.
#[inline]
pub(crate) fn result(routine: &'static str, call: &'static str, code: i32) -> Result {
    if code == 0 { Ok(()) } else { Err(error(routine, call, code)) }
}

#[cold]
fn error(routine: &'static str, call: &'static str, code: i32) -> Error {
    let names = match call {
        _ if is_cublas(call) => CUBLAS,
        _ if call.starts_with("cusolver") => CUSOLVER,
        _ if call.starts_with("nvrtc") => NVRTC,
        _ => DRIVER,
    };
    let name = names.iter().find(|(n, _)| *n == code).map(|(_, name)| *name);
    let status = name.unwrap_or("a status that this version of anyblas has no name for").to_owned();
    Error::Device { routine, call, status, code: code.into() }
}

fn is_cublas(call: &str) -> bool {
    call.starts_with("cublas")
}

/// Whether an error is this answer of the driver.
pub(crate) fn is_driver(error: &Error, code: i32) -> bool {
    let other = |call: &str| is_cublas(call) || call.starts_with("cusolver") || call.starts_with("nvrtc");
    matches!(error, Error::Device { call, code: c, .. } if !other(call) && *c == i64::from(code))
}

/// Whether an error is this answer of a cuBLAS function.
pub(crate) fn is_cublas_status(error: &Error, code: i32) -> bool {
    matches!(error, Error::Device { call, code: c, .. } if is_cublas(call) && *c == i64::from(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_other_bindings() {
        use cudarc::driver::sys::CUresult as R;
        for code in [
            R::CUDA_ERROR_INVALID_VALUE,
            R::CUDA_ERROR_OUT_OF_MEMORY,
            R::CUDA_ERROR_NO_DEVICE,
            R::CUDA_ERROR_STUB_LIBRARY,
            R::CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
            R::CUDA_ERROR_NOT_READY,
            R::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
            R::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
            R::CUDA_ERROR_ILLEGAL_ADDRESS,
            R::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
            R::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
        ] {
            let number = (code as u32).cast_signed();
            let name = DRIVER.iter().find(|(n, _)| *n == number).map(|(_, name)| *name);
            assert_eq!(name, Some(format!("{code:?}").as_str()));
        }
    }

    #[test]
    fn a_status_is_named_by_whose_it_is() {
        assert_eq!(result("gemm", "cublasSgemm_v2", 0), Ok(()));
        let text = |call, code| result("gemm", call, code).unwrap_err().to_string();
        assert_eq!(text("cublasSgemm_v2", 3), "gemm: cublasSgemm_v2 returned CUBLAS_STATUS_ALLOC_FAILED (3)");
        assert_eq!(text("cuLaunchKernel", 3), "gemm: cuLaunchKernel returned CUDA_ERROR_NOT_INITIALIZED (3)");
        assert_eq!(
            text("cusolverDnCreate", 3),
            "gemm: cusolverDnCreate returned CUSOLVER_STATUS_INVALID_VALUE (3)"
        );
        let oom = result("alloc", "cuMemAlloc_v2", 2).unwrap_err();
        assert!(is_driver(&oom, driver::OUT_OF_MEMORY) && !is_cublas_status(&oom, 2));
    }
}
