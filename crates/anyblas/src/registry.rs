//! The backends of this build, and devices by name.

use blas_api::{Any, Device, Diagnosis, Driver, Error, Handle, Result, Routine, Support, Types};

/// A backend that is compiled in.
pub struct BackendInfo {
    /// Its name, as in `"cpu"` and `"cpu:0"`.
    pub name: &'static str,
    devices: fn() -> Result<Vec<Device>>,
    open: fn(usize) -> Result<Handle<Any>>,
    supports: fn(Routine, Types) -> Support,
    diagnose: fn() -> Diagnosis,
}

impl BackendInfo {
    #[cfg_attr(
        not(any(feature = "cpu", feature = "cuda", feature = "hip")),
        expect(dead_code, reason = "no backend is compiled in")
    )]
    const fn of<D: Driver>() -> Self {
        BackendInfo {
            name: D::NAME,
            devices: D::devices,
            open: |index| Ok(D::open(index)?.erase()),
            supports: D::supports,
            diagnose: D::diagnose,
        }
    }

    /// Its devices. A missing library or driver is an `Err` that lists what was tried.
    pub fn devices(&self) -> Result<Vec<Device>> {
        (self.devices)()
    }

    /// Opens device number `index`.
    pub fn open(&self, index: usize) -> Result<Handle<Any>> {
        (self.open)(index)
    }

    /// Whether it has a routine for some types, known without a device.
    pub fn supports(&self, routine: Routine, types: Types) -> Support {
        (self.supports)(routine, types)
    }

    /// What it finds on this machine, and what to do about what is missing.
    pub fn diagnose(&self) -> Diagnosis {
        (self.diagnose)()
    }
}

/// The table: one line a backend.
const BACKENDS: &[BackendInfo] = &[
    #[cfg(feature = "cpu")]
    BackendInfo::of::<blas_cpu::Cpu>(),
    #[cfg(feature = "hip")]
    BackendInfo::of::<blas_hip::Hip>(),
    #[cfg(feature = "cuda")]
    BackendInfo::of::<blas_cuda::Cuda>(),
];

/// Backends that this build lacks; the cargo feature of the same name adds each.
const LEFT_OUT: &[&str] = &[
    #[cfg(not(feature = "cpu"))]
    "cpu",
    #[cfg(not(feature = "hip"))]
    "hip",
    #[cfg(not(feature = "cuda"))]
    "cuda",
];

/// The backends that are compiled in, in order of their features.
///
/// ```
/// for backend in anyblas::backends() {
///     match backend.devices() {
///         Ok(devices) => println!("{}: {} device(s)", backend.name, devices.len()),
///         Err(why) => println!("{}: {why}", backend.name),
///     }
/// }
/// ```
pub fn backends() -> &'static [BackendInfo] {
    BACKENDS
}

/// All devices that can be opened. A backend whose library or driver is missing adds none; why, says
/// [`BackendInfo::devices`].
///
/// ```
/// for device in anyblas::devices() {
///     println!("{}  {}", device.id, device.name);
/// }
/// ```
pub fn devices() -> Vec<Device> {
    BACKENDS.iter().filter_map(|b| b.devices().ok()).flatten().collect()
}

/// Opens a device by name: `"cpu"`, or `"BACKEND:NUMBER"` with a backend that is compiled in. The number is 0 if left
/// out.
///
/// # Errors
/// [`Error::NoDevice`] if the name is not of this form or names no backend of this build or no device of that backend;
/// what the backend reports if it cannot open it.
///
/// ```
/// # #[cfg(feature = "cpu")] {
/// let blas = anyblas::open("cpu")?;
/// assert_eq!(blas.device().to_string(), "cpu:0");
/// # }
/// let error = anyblas::open("abacus:7").err().unwrap();
/// assert!(error.to_string().contains("anyblas has no such backend"));
/// # Ok::<(), anyblas::Error>(())
/// ```
pub fn open(name: &str) -> Result<Handle<Any>> {
    let no_device = |why: String| Error::NoDevice { name: name.to_owned(), why };
    let (backend, index) = name.split_once(':').unwrap_or((name, "0"));
    let Ok(index) = index.parse() else {
        return Err(no_device(format!("{index:?} is not a device number; the form is BACKEND:NUMBER")));
    };
    match BACKENDS.iter().find(|b| b.name == backend) {
        Some(b) => b.open(index),
        None => {
            let have: Vec<_> = BACKENDS.iter().map(|b| b.name).collect();
            let have = if have.is_empty() { "none".to_owned() } else { have.join(", ") };
            Err(no_device(match LEFT_OUT.contains(&backend) {
                true => format!(
                    "not in this build, which has: {have}; cargo feature {backend:?} of anyblas adds it"
                ),
                false => format!("anyblas has no such backend; this build has: {have}"),
            }))
        }
    }
}
