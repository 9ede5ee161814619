//! The device: which backend computes.

use blas_api::{Backend, Driver, Error, RawHandle, Result};
use blas_cpu::Cpu;

/// Opens the device with a stream of its own. The environment variable HIP_COMPAT_DEVICE names the backend; the CPU is
/// the default.
pub(super) fn open() -> Result<Box<dyn RawHandle>> {
    match std::env::var("HIP_COMPAT_DEVICE").as_deref().unwrap_or(Cpu::NAME) {
        "" | Cpu::NAME => Ok(Box::new(Cpu::open(0)?.into_raw())),
        other => Err(Error::NoDevice {
            name: other.to_owned(),
            why: format!("HIP_COMPAT_DEVICE must be {}", Cpu::NAME),
        }),
    }
}
