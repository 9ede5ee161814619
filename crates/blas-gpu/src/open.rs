//! Shared libraries, opened at run time with the system's loader: on Linux, where vendors have them.

use std::ffi::c_void;
use std::path::{Path, PathBuf};

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

pub use system::path_of;

/// An open library, for as long as the process runs: those of vendors leave threads and exit handlers behind.
pub struct Open(system::Handle);

impl Open {
    /// Opens a library by name or path.
    ///
    /// # Errors
    /// With the loader's answer.
    pub fn new(name: &Path) -> Result<Open, String> {
        system::open(name, false).map(Open)
    }

    /// The first of some libraries that the process has already, and that has a function.
    pub fn loaded(names: &[&str], entry: &str) -> Option<Open> {
        let opened = names.iter().filter_map(|name| system::open(Path::new(name), true).ok());
        opened.map(Open).find(|open| open.has(entry))
    }

    /// Opens the first of some libraries that can be opened and has a function. Says of each what came of it.
    pub fn first(paths: impl Iterator<Item = PathBuf>, entry: &str, tried: &mut Vec<String>) -> Option<Open> {
        for path in paths {
            match Open::new(&path) {
                Ok(open) if open.has(entry) => {
                    tried.push(format!("{}: loaded", path.display()));
                    return Some(open);
                }
                Ok(_) => tried.push(format!("{}: loaded, but has no {entry}", path.display())),
                Err(why) => tried.push(say(&path, &why)),
            }
        }
        None
    }

    /// Address of a symbol of the library or of one that it depends on; null if there is none.
    pub fn symbol(&self, name: &str) -> *const c_void {
        system::symbol(&self.0, name)
    }

    /// Whether there is a symbol.
    pub fn has(&self, name: &str) -> bool {
        !self.symbol(name).is_null()
    }
}

/// A line for the list of places tried. The loader's answer mostly begins with the name already.
fn say(path: &Path, why: &str) -> String {
    let path = path.display().to_string();
    if why.starts_with(&path) { why.to_owned() } else { format!("{path}: {why}") }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::error::Error as _;
    use std::ffi::{CStr, CString, OsStr, c_void};
    use std::mem::ManuallyDrop;
    use std::os::unix::ffi::OsStrExt;
    use std::path::{Path, PathBuf};

    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

    /// Never dropped, so that the library is never closed.
    pub(super) type Handle = ManuallyDrop<Library>;

    /// `only_loaded`: if the process has it already.
    pub(super) fn open(name: &Path, only_loaded: bool) -> Result<Handle, String> {
        let flags = RTLD_NOW | RTLD_LOCAL | if only_loaded { libc::RTLD_NOLOAD } else { 0 };
        // SAFETY: the constructors of vendor libraries run, which is what loading them means.
        match unsafe { Library::open(Some(name), flags) } {
            Ok(library) => Ok(ManuallyDrop::new(library)),
            Err(e) => Err(e.source().map_or_else(|| e.to_string(), |s| s.to_string())),
        }
    }

    pub(super) fn symbol(library: &Handle, name: &str) -> *const c_void {
        let Ok(name) = CString::new(name) else { return std::ptr::null() };
        // SAFETY: only the address is taken; its type is the caller's affair.
        let symbol = unsafe { library.get::<*const c_void>(name.as_c_str()) };
        symbol.map_or(std::ptr::null(), |s| s.as_raw_ptr())
    }

    /// Real path of the library that has an address.
    #[expect(clippy::not_unsafe_ptr_arg_deref, reason = "any address may be asked for")]
    pub fn path_of(address: *const c_void) -> Option<PathBuf> {
        if address.is_null() {
            return None;
        }
        // SAFETY: all zero is a value of this C struct.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: `info` is valid for writes; any address may be asked for.
        if unsafe { libc::dladdr(address, &mut info) } == 0 || info.dli_fname.is_null() {
            return None;
        }
        // SAFETY: the loader's own string, which lives as long as the library.
        let name = unsafe { CStr::from_ptr(info.dli_fname) };
        let path = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
        Some(path.canonicalize().unwrap_or(path))
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::convert::Infallible;
    use std::ffi::c_void;
    use std::path::{Path, PathBuf};

    /// There is none.
    pub(super) type Handle = Infallible;

    pub(super) fn open(_: &Path, _: bool) -> Result<Handle, String> {
        Err(format!("vendors' libraries are looked for on Linux only, not on {}", std::env::consts::OS))
    }

    pub(super) fn symbol(library: &Handle, _: &str) -> *const c_void {
        match *library {}
    }

    /// Real path of the library that has an address: not known.
    pub fn path_of(_: *const c_void) -> Option<PathBuf> {
        None
    }
}
