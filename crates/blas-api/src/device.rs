//! Devices: the CPU, or GPU number i of a backend.

use std::fmt;

/// Which device a handle, buffer or view belongs to.
#[derive(Clone, Copy, Eq, Hash, Debug)]
#[allow(clippy::derived_hash_with_manual_eq, reason = "equal are the same ones, only found sooner")]
pub struct DeviceId {
    /// [`Backend::NAME`](crate::Backend::NAME): `"cpu"`, `"hip"`, `"cuda"`, ...
    pub backend: &'static str,
    /// Number among the backend's devices.
    pub index: usize,
}

impl PartialEq for DeviceId {
    /// Every call compares the devices of all its operands, which nearly always have the same name of the same backend.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let same = std::ptr::eq(self.backend, other.backend) || same_text(self.backend, other.backend);
        same && self.index == other.index
    }
}

/// Apart, since a call in the middle of what compares would cost its registers.
#[cold]
fn same_text(a: &str, b: &str) -> bool {
    a == b
}

impl fmt::Display for DeviceId {
    /// The form that `anyblas::open` takes: `cuda:0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.backend, self.index)
    }
}

/// What is known of a device.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Device {
    /// Its identity.
    pub id: DeviceId,
    /// Name as the vendor or the operating system gives it.
    pub name: String,
    /// Memory in bytes, if known.
    pub memory: Option<u64>,
    /// Architecture: `gfx942`, `sm_90`, `x86_64 avx512`, ...
    pub arch: String,
    /// Versions of driver and libraries, as (name, version).
    pub versions: Vec<(String, String)>,
}

impl Device {
    /// A device of which only identity and name are known.
    pub fn new(id: DeviceId, name: impl Into<String>) -> Self {
        Device { id, name: name.into(), memory: None, arch: String::new(), versions: Vec::new() }
    }
}
