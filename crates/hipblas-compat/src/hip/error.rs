//! Errors: their names and texts, and the last one of a thread.

pub(crate) use hipblas_abi::hip::Error;

/// What the functions of this module return.
pub(crate) type Result<T = ()> = std::result::Result<T, Error>;
