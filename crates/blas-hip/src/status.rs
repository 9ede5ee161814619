//! Statuses of HIP and hipBLAS as results.

use blas_api::{Error, Result};
use hipblas_abi::{hip, status};

/// The result of a HIP function.
pub(crate) fn of_hip(routine: &'static str, call: &'static str, code: i32) -> Result {
    if code == hip::error::SUCCESS {
        return Ok(());
    }
    let status = hip::error::name(code).unwrap_or("an error that this version of anyblas has no name for");
    Err(Error::Device { routine, call, status: status.to_owned(), code: code.into() })
}

/// The result of a hipBLAS function.
pub(crate) fn of_hipblas(routine: &'static str, call: &'static str, code: i32) -> Result {
    if code == status::SUCCESS {
        return Ok(());
    }
    let name = status::name(code).unwrap_or("a status that this version of anyblas has no name for");
    let status = match code {
        // rocBLAS has more statuses than hipBLAS, which makes one of the rest. Nothing tells them apart.
        status::UNKNOWN => {
            format!(
                "{name}, which stands for several answers of rocBLAS, among them a right result got slowly"
            )
        }
        _ => name.to_owned(),
    };
    Err(Error::Device { routine, call, status, code: code.into() })
}

/// Whether an error is this answer of a HIP function.
pub(crate) fn is_hip(error: &Error, code: i32) -> bool {
    matches!(error, Error::Device { call, code: c, .. } if !call.starts_with("hipblas") && *c == i64::from(code))
}

/// Whether an error is this answer of a hipBLAS function.
pub(crate) fn is_hipblas(error: &Error, code: i32) -> bool {
    matches!(error, Error::Device { call, code: c, .. } if call.starts_with("hipblas") && *c == i64::from(code))
}
