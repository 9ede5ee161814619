//! The loaded libraries: the driver, cuBLAS's functions by slot, and what is loaded when it is first needed.

use std::ffi::{c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{NonNull, null_mut};
use std::sync::Mutex;

use blas_api::{Backend, Error, Result};
use blas_gpu::{Open, path_of};
use hipblas_abi::{FAMILIES, Function, SLOTS};
use once_cell::sync::OnceCell;

use crate::Cuda;
use crate::cublas::{self, Cublas};
use crate::cusolver::Cusolver;
use crate::device::Gpu;
use crate::driver::Driver;
use crate::loader::{self, CUSOLVER, Environment, NVRTC};
use crate::nvrtc::Nvrtc;

use crate::status;

/// The CUDA driver and cuBLAS, loaded. There is one of them in a process, made when the first device is asked for, and it
/// stays until the process ends: the libraries have threads and exit handlers that outlive any handle.
pub struct Library {
    pub(crate) driver: Driver,
    pub(crate) cublas: Cublas,
    slots: Vec<Slot>,
    /// What is open of each device, by its number.
    pub(crate) gpus: Mutex<Vec<Option<&'static Gpu>>>,
    nvrtc: OnceCell<Nvrtc>,
    cusolver: OnceCell<Cusolver>,
    /// Real path of the driver.
    pub(crate) driver_path: PathBuf,
    /// Real path of cuBLAS.
    pub(crate) cublas_path: PathBuf,
    /// Each place tried before these were found.
    pub(crate) tried: Vec<String>,
}

/// A function of cuBLAS: its name, and its address if it is there.
#[derive(Clone, Default)]
struct Slot {
    name: String,
    address: Option<NonNull<c_void>>,
}

// SAFETY: names and addresses, which nothing changes, and devices, which may be used by any thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

/// The process's library, once it has been found. A failure is not kept: the next call looks again, so that a
/// long-running program can be told by its user where the libraries are. So it is with those that are loaded later.
static LOADED: OnceCell<Library> = OnceCell::new();

impl Library {
    /// The process's library; looks for it when called for the first time.
    ///
    /// # Errors
    /// [`Error::Load`] with every place tried and the loader's answer, [`Error::NoDevice`] if the driver finds no GPU.
    pub fn get() -> Result<&'static Library> {
        LOADED.get_or_try_init(Library::load)
    }

    fn load() -> Result<Library> {
        let (environment, mut tried) = (Environment::of_process(), Vec::new());
        let open = loader::driver(&environment, &mut tried)?;
        // SAFETY: the names are looked up in the driver, which is never unloaded.
        let driver = unsafe { Driver::new(|name| open.symbol(name)) };
        let driver_path = path_of(open.symbol("cuInit")).unwrap_or_default();
        // SAFETY: no flags are defined.
        match unsafe { driver.cuInit("load", 0) } {
            Err(e) if status::is_driver(&e, status::driver::NO_DEVICE) => {
                let why = format!("{}: cuInit found none", driver_path.display());
                return Err(Error::NoDevice { name: Cuda::NAME.to_owned(), why });
            }
            other => other?,
        }
        let open = loader::cublas(&environment, driver.version(), &mut tried)?;
        let mut slots = vec![Slot::default(); SLOTS];
        for f in FAMILIES.iter().flat_map(|family| family.functions()).filter(|f| cublas::may_have(*f)) {
            let found = cublas::names(f).map(|name| {
                let address = NonNull::new(open.symbol(&name).cast_mut());
                Slot { name, address }
            });
            let [first, second] = found;
            slots[f.index()] = if first.address.is_some() { first } else { second };
        }
        Ok(Library {
            driver,
            // SAFETY: the names are looked up in cuBLAS, which is never unloaded.
            cublas: unsafe { Cublas::new(|name| open.symbol(name)) },
            slots,
            gpus: Mutex::default(),
            nvrtc: OnceCell::new(),
            cusolver: OnceCell::new(),
            driver_path,
            cublas_path: path_of(open.symbol("cublasCreate_v2")).unwrap_or_default(),
            tried,
        })
    }

    /// What the driver supports at most, as 13.0.
    pub fn driver_version(&self) -> String {
        let v = self.driver.version();
        format!("{}.{}", v / 1000, v % 1000 / 10)
    }

    /// Version of cuBLAS, as 13.0.2.
    pub fn cublas_version(&self) -> Result<String> {
        let v = self.cublas_number()?;
        // 120105 is 12.1.5; 11.x before it had another scheme.
        Ok(format!("{}.{}.{}", v / 10_000, v / 100 % 100, v % 100))
    }

    fn cublas_number(&self) -> Result<c_int> {
        let mut v = 0;
        // SAFETY: the version needs no handle.
        unsafe { self.cublas.cublasGetVersion_v2("versions", null_mut(), &mut v) }?;
        Ok(v)
    }

    /// Release of CUDA that cuBLAS is of.
    fn release(&self) -> Result<u32> {
        Ok((self.cublas_number()? / 10_000).unsigned_abs())
    }

    /// The compiler of kernels, loaded when the first one is needed.
    pub(crate) fn nvrtc(&self) -> Result<&Nvrtc> {
        self.nvrtc.get_or_try_init(|| {
            let open = self.companion(&NVRTC)?;
            // SAFETY: the names are looked up in NVRTC, which is never unloaded.
            Ok(unsafe { Nvrtc::new(|name| open.symbol(name)) })
        })
    }

    /// cuSOLVER, loaded when it is first needed.
    pub(crate) fn cusolver(&self) -> Result<&Cusolver> {
        self.cusolver.get_or_try_init(|| {
            let open = self.companion(&CUSOLVER)?;
            // SAFETY: the names are looked up in cuSOLVER, which is never unloaded.
            Ok(unsafe { Cusolver::new(|name| open.symbol(name)) })
        })
    }

    /// Opens another library of cuBLAS's release.
    fn companion(&self, name: &loader::Name) -> Result<Open> {
        loader::companion(&Environment::of_process(), name, self.release()?, &self.cublas_path)
    }

    /// Name and address of a function. The name is cuBLAS's own.
    pub(crate) fn function(&self, f: Function) -> (&str, Option<NonNull<c_void>>) {
        let slot = &self.slots[f.index()];
        (&slot.name, slot.address)
    }

    /// Whether cuBLAS has a function itself.
    pub fn has(&self, f: Function) -> bool {
        self.slots[f.index()].address.is_some()
    }

    /// Real path of cuBLAS.
    pub fn path(&self) -> &Path {
        &self.cublas_path
    }

    /// The error of a call whose function is missing.
    pub(crate) fn missing(&self, name: &str) -> Error {
        let tried = vec![format!("{}: has no such function", self.cublas_path.display())];
        Error::Load { what: name.to_owned(), tried }
    }

    /// Names and versions of what was found, for reports and errors.
    pub fn versions(&self) -> Vec<(String, String)> {
        vec![
            ("cuda driver".to_owned(), self.driver_version()),
            ("cuda driver library".to_owned(), self.driver_path.display().to_string()),
            ("cublas".to_owned(), self.cublas_version().unwrap_or_else(|e| e.to_string())),
            ("cublas library".to_owned(), self.cublas_path.display().to_string()),
        ]
    }
}
