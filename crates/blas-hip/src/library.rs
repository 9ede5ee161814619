//! The loaded libraries: hipBLAS's functions by slot, the HIP runtime's by name, and what release they are of.

use std::ffi::{c_int, c_void};
use std::path::PathBuf;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use blas_api::{Error, Result};
use blas_gpu::path_of;
use hipblas_abi::{Abi, FAMILIES, Function, SLOTS};

use crate::loader;
use crate::peer::Visitors;
use crate::runtime::Runtime;

/// hipBLAS and the HIP runtime, loaded. There is one of them in most processes, made when the first device is asked for,
/// and it stays until the process ends: the libraries have threads and exit handlers that outlive any handle.
pub struct Library {
    abi: Abi,
    slots: Vec<Slot>,
    version: String,
    rocblas: Option<PathBuf>,
    pub(crate) hip: Runtime,
    pub(crate) visitors: Visitors,
    /// Real path of libhipblas.
    pub(crate) hipblas_path: PathBuf,
    /// Real path of the HIP runtime.
    pub(crate) hip_path: PathBuf,
    /// Each place tried before these were found.
    pub(crate) tried: Vec<String>,
}

/// A hipBLAS function: its name in this library, and its address if it is there.
#[derive(Clone, Default)]
struct Slot {
    name: String,
    address: Option<NonNull<c_void>>,
}

// SAFETY: names and addresses, which nothing changes, and streams, which any thread may use.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

/// The process's library, once it has been found. A failure is not kept: the next call looks again, so that a
/// long-running program can be told by its user where the libraries are.
static LOADED: Mutex<Option<&'static Library>> = Mutex::new(None);

impl Library {
    /// The process's library; looks for it when called for the first time.
    ///
    /// # Errors
    /// [`Error::Load`] with every place tried and the loader's answer.
    pub fn get() -> Result<&'static Library> {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = *loaded {
            return Ok(library);
        }
        let found = loader::load()?;
        // SAFETY: the loader looks names up in libraries that it never unloads.
        let mut library = unsafe { Library::new(|name| found.lookup(name)) }
            .map_err(|e| loader::with_tried(e, &found.tried))?;
        library.tried = found.tried;
        let library: &'static Library = Box::leak(Box::new(library));
        *loaded = Some(library);
        Ok(library)
    }

    /// A library from the addresses that `lookup` has for the names of HIP and hipBLAS functions (null: not there): for
    /// programs that link them, or have loaded them by other means. Does not become the one of [`get`](Self::get).
    ///
    /// # Errors
    /// [`Error::Load`] if a function without which there is no hipBLAS or no HIP runtime is not there.
    ///
    /// # Safety
    /// An address that is not null is that of the function of this name, of one release for all names, and stays valid
    /// until the process ends.
    pub unsafe fn from_symbols(lookup: impl Fn(&str) -> *const c_void) -> Result<&'static Library> {
        // SAFETY: the caller's promise.
        Ok(Box::leak(Box::new(unsafe { Library::new(lookup) }?)))
    }

    /// # Safety
    /// As for [`from_symbols`](Self::from_symbols).
    unsafe fn new(lookup: impl Fn(&str) -> *const c_void) -> Result<Library> {
        for name in ["hipblasCreate", "hipGetDeviceCount"] {
            if lookup(name).is_null() {
                return Err(Error::Load { what: name.to_owned(), tried: Vec::new() });
            }
        }
        let abi = family(|name| !lookup(name).is_null());
        let mut slots = vec![Slot::default(); SLOTS];
        for f in FAMILIES.iter().flat_map(|family| family.functions()) {
            let name = f.name_in(abi);
            // A name can mean another function in another family of releases (trmm), so only its own are looked up.
            let address = if f.is_in(abi) { NonNull::new(lookup(&name).cast_mut()) } else { None };
            slots[f.index()] = Slot { name, address };
        }
        let path = |name: &str| path_of(lookup(name)).unwrap_or_default();
        let rocblas = lookup("rocblas_create_handle");
        // SAFETY: the caller's promise.
        let hip = unsafe { Runtime::new(&lookup) };
        // Without it some releases crash in the first call that needs a device. What it answers is found out again by
        // the first such call.
        // SAFETY: no arguments but 0.
        let _ = unsafe { hip.hipInit("load", 0) };
        Ok(Library {
            abi,
            slots,
            version: version(abi, &lookup),
            rocblas: path_of(rocblas),
            hip,
            visitors: Visitors::default(),
            hipblas_path: path("hipblasCreate"),
            hip_path: path("hipGetDeviceCount"),
            tried: Vec::new(),
        })
    }

    /// Which family of releases hipBLAS is of, told by its symbols.
    pub fn abi(&self) -> Abi {
        self.abi
    }

    /// Version of hipBLAS. Before 3.5 it cannot be asked, and is told as far as the symbols tell it.
    pub fn hipblas_version(&self) -> &str {
        &self.version
    }

    /// Version of the HIP runtime, as 7.2.53211.
    pub fn hip_version(&self) -> Result<String> {
        let mut v: c_int = 0;
        // SAFETY: writes one int.
        unsafe { self.hip.hipRuntimeGetVersion("versions", &mut v) }?;
        Ok(format!("{}.{}.{}", v / 10_000_000, v / 100_000 % 100, v % 100_000))
    }

    /// Real path of the rocBLAS that hipBLAS computes with. `None` if it computes with something else.
    pub fn rocblas(&self) -> Option<&std::path::Path> {
        self.rocblas.as_deref()
    }

    /// Name and address of a function. The name is the library's own.
    pub(crate) fn function(&self, f: Function) -> (&str, Option<NonNull<c_void>>) {
        let slot = &self.slots[f.index()];
        (&slot.name, slot.address)
    }

    /// Whether the library has a function.
    pub fn has(&self, f: Function) -> bool {
        self.slots[f.index()].address.is_some()
    }

    /// The error of a call whose function is missing.
    pub(crate) fn missing(&self, name: &str) -> Error {
        let tried = format!("{}: hipBLAS {} has no such function", self.hipblas_path.display(), self.version);
        Error::Load { what: name.to_owned(), tried: vec![tried] }
    }

    /// Names and versions of what was found, for a device's description.
    pub(crate) fn releases(&self) -> Vec<(String, String)> {
        // Before 3.5 only the name of the file tells the whole version.
        let file = self.hipblas_path.file_name().unwrap_or_default().display();
        let hip = self.hip_version().unwrap_or_else(|e| e.to_string());
        vec![
            ("hipblas".to_owned(), format!("{} ({file})", self.version)),
            ("hipblas interface".to_owned(), format!("{}.x", self.abi.major())),
            ("hip runtime".to_owned(), hip),
        ]
    }

    /// Names and versions of what was found, with real paths, for diagnoses and errors.
    pub fn versions(&self) -> Vec<(String, String)> {
        let mut versions = self.releases();
        for (what, path) in [("hipblas library", &self.hipblas_path), ("hip runtime library", &self.hip_path)]
        {
            versions.push((what.to_owned(), path.display().to_string()));
        }
        versions
    }
}

/// The family of releases that has these symbols. File names do not tell it: distributions rename, and users link one
/// to another.
fn family(has: impl Fn(&str) -> bool) -> Abi {
    if has("hipblasGemmEx_v2") {
        Abi::V2
    } else if has("hipblasSetWorkspace") {
        Abi::V3
    } else if has("hipblasStrmmOutofplace") {
        Abi::V1
    } else {
        Abi::V0
    }
}

/// The version of hipBLAS: asked for from 3.5 on, before that as far as the symbols tell.
fn version(abi: Abi, lookup: &impl Fn(&str) -> *const c_void) -> String {
    let ask = lookup("hipblasGetVersion");
    if !ask.is_null() {
        let mut v: c_int = 0;
        // SAFETY: `hipblasStatus_t hipblasGetVersion(hipblasHandle_t, int*)`, of which the handle may be null.
        let status = unsafe {
            let ask: unsafe extern "C" fn(hipblas_abi::Handle, *mut c_int) -> c_int =
                std::mem::transmute(ask);
            ask(std::ptr::null_mut(), &mut v)
        };
        if status == hipblas_abi::status::SUCCESS {
            return format!("{}.{}.{}", v / 10_000, v / 100 % 100, v % 100);
        }
    }
    let has = |name: &str| !lookup(name).is_null();
    let version = match abi {
        Abi::V0 if has("hipblasSetInt8Datatype") => "0.53 or 0.54",
        Abi::V0 => "0.52 or earlier",
        Abi::V1 => "1.x",
        Abi::V2 if has("hipblasSgemm_64") => "2.3 or 2.4",
        Abi::V2 if has("hipblasSgemv_64") => "2.2",
        Abi::V2 if has("hipblasSaxpy_64") => "2.1",
        Abi::V2 => "2.0",
        Abi::V3 => "3.0 to 3.4",
    };
    version.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_told_by_symbols() {
        for abi in Abi::ALL {
            let names: std::collections::HashSet<String> =
                hipblas_abi::exports(abi).map(|(name, _)| name).collect();
            assert_eq!(family(|name| names.contains(name)), abi);
        }
    }

    #[test]
    fn a_library_without_hipblas_is_an_error_that_names_it() {
        // SAFETY: there is no address.
        let error = unsafe { Library::from_symbols(|_| std::ptr::null()) }.err();
        assert_eq!(error, Some(Error::Load { what: "hipblasCreate".to_owned(), tried: Vec::new() }));
    }
}
