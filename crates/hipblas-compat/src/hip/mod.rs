//! The HIP runtime.

mod device;
pub(crate) mod error;
pub(crate) mod memory;
pub(crate) mod stream;
