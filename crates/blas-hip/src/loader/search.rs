//! The search with the system's loader.
use std::error::Error as _;
use std::ffi::{CStr, CString, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use blas_api::{Error, Result};

use super::places::{Environment, HIP, HIPBLAS, HIPBLAS_UNVERSIONED, folders};

/// The open libraries. They are never closed: see [`load`].
pub(crate) struct Found {
    hipblas: Open,
    /// The HIP runtime, if libhipblas does not depend on it itself.
    hip: Option<Open>,
    /// Each place tried on the way, with the loader's answer.
    pub(crate) tried: Vec<String>,
}

impl Found {
    /// The address of a function, null if it is not there.
    pub(crate) fn lookup(&self, name: &str) -> *const c_void {
        let is_hip = name.starts_with("hip") && !name.starts_with("hipblas");
        let library = self.hip.as_ref().filter(|_| is_hip).unwrap_or(&self.hipblas);
        library.symbol(name)
    }
}

/// A function that only libhipblas has.
const HIPBLAS_ENTRY: &str = "hipblasCreate";
/// A function that only the HIP runtime has.
const HIP_ENTRY: &str = "hipGetDeviceCount";

/// An open library, for as long as the process runs.
struct Open(std::mem::ManuallyDrop<Library>);

impl Open {
    /// Opens a library by name or path. `only_loaded`: if the process has it already.
    fn new(name: &Path, only_loaded: bool) -> std::result::Result<Open, String> {
        let flags = RTLD_NOW | RTLD_LOCAL | if only_loaded { libc::RTLD_NOLOAD } else { 0 };
        // SAFETY: the constructors of vendor libraries run, which is what loading them means.
        match unsafe { Library::open(Some(name), flags) } {
            Ok(library) => Ok(Open(std::mem::ManuallyDrop::new(library))),
            Err(e) => Err(e.source().map_or_else(|| e.to_string(), |s| s.to_string())),
        }
    }

    /// Address of a symbol of the library or of one that it depends on.
    fn symbol(&self, name: &str) -> *const c_void {
        let Ok(name) = CString::new(name) else { return std::ptr::null() };
        // SAFETY: only the address is taken; its type is the caller's affair.
        let symbol = unsafe { self.0.get::<*const c_void>(name.as_c_str()) };
        symbol.map_or(std::ptr::null(), |s| s.as_raw_ptr())
    }

    fn has(&self, name: &str) -> bool {
        !self.symbol(name).is_null()
    }
}

/// Finds and opens both libraries. Neither is ever closed, nor is one that turned out to be of no use: they leave
/// threads and exit handlers behind.
pub(crate) fn load() -> Result<Found> {
    search(&Environment::of_process())
}

fn search(env: &Environment) -> Result<Found> {
    let mut tried = Vec::new();
    let Some(hipblas) = open_hipblas(env, &mut tried) else {
        return Err(Error::Load { what: "libhipblas".to_owned(), tried });
    };
    // A lookup through a library goes on to those that it depends on: what it finds is the runtime that hipBLAS uses.
    let hip = if hipblas.has(HIP_ENTRY) {
        None
    } else {
        let Some(hip) = open_hip(&hipblas, &mut tried) else {
            return Err(Error::Load { what: "the HIP runtime (libamdhip64)".to_owned(), tried });
        };
        Some(hip)
    };
    Ok(Found { hipblas, hip, tried })
}

fn open_hipblas(env: &Environment, tried: &mut Vec<String>) -> Option<Open> {
    let only_there = env.anyblas_hip_path.is_some();
    if only_there {
        tried.push("ANYBLAS_HIP_PATH is set, so only its folders are looked in".to_owned());
    } else {
        if let Some(open) = loaded(&HIPBLAS, HIPBLAS_ENTRY) {
            tried.push("the process had loaded libhipblas already".to_owned());
            return Some(open);
        }
    }
    let folders = folders(env);
    for names in [&HIPBLAS[..], &[HIPBLAS_UNVERSIONED]] {
        if !only_there && let Some(open) = first(names.iter().map(PathBuf::from), HIPBLAS_ENTRY, tried) {
            return Some(open);
        }
        for folder in &folders {
            if !folder.hipblas.is_dir() {
                let line = format!("{}: no such folder", folder.hipblas.display());
                if !tried.contains(&line) {
                    tried.push(line);
                }
                continue;
            }
            let mut paths = names.iter().map(|n| folder.hipblas.join(n)).filter(|p| p.exists()).peekable();
            if paths.peek().is_none() {
                tried.push(format!("{}: has no {}", folder.hipblas.display(), names.join(", ")));
                continue;
            }
            if folder.hip != folder.hipblas {
                open_companion(&folder.hip, tried);
            }
            if let Some(open) = first(paths, HIPBLAS_ENTRY, tried) {
                return Some(open);
            }
        }
    }
    None
}

/// Opens the first of some libraries that can be opened and has a function.
fn first(paths: impl Iterator<Item = PathBuf>, entry: &str, tried: &mut Vec<String>) -> Option<Open> {
    for path in paths {
        match Open::new(&path, false) {
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

/// Opens the HIP runtime of a folder, so that a library which needs it by name finds it there. Not if the process has
/// one already.
fn open_companion(folder: &Path, tried: &mut Vec<String>) {
    if loaded_hip().is_some() {
        return;
    }
    first(HIP.iter().map(|name| folder.join(name)).filter(|p| p.exists()), HIP_ENTRY, tried);
}

fn loaded_hip() -> Option<Open> {
    loaded(&HIP, HIP_ENTRY)
}

/// The first of some libraries that the process has already.
fn loaded(names: &[&str], entry: &str) -> Option<Open> {
    names.iter().filter_map(|name| Open::new(Path::new(name), true).ok()).find(|open| open.has(entry))
}

/// The runtime that the process has; else the one beside libhipblas; else any.
fn open_hip(hipblas: &Open, tried: &mut Vec<String>) -> Option<Open> {
    if let Some(open) = loaded_hip() {
        return Some(open);
    }
    let path = path_of(hipblas.symbol(HIPBLAS_ENTRY));
    let beside = path.as_deref().and_then(Path::parent);
    let paths = beside.into_iter().flat_map(|dir| HIP.iter().map(|name| dir.join(name)));
    first(paths.chain(HIP.iter().map(PathBuf::from)), HIP_ENTRY, tried)
}

/// A line for the list of places tried. The loader's answer mostly begins with the name already.
fn say(path: &Path, why: &str) -> String {
    let path = path.display().to_string();
    if why.starts_with(&path) { why.to_owned() } else { format!("{path}: {why}") }
}

/// Real path of the library that has an address.
pub(crate) fn path_of(address: *const c_void) -> Option<PathBuf> {
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

#[cfg(test)]
mod tests {
    use super::super::places::tests::Temporary;
    use super::*;

    fn tried(env: &Environment) -> Vec<String> {
        match search(env).err() {
            Some(Error::Load { what, tried }) => {
                assert_eq!(what, "libhipblas");
                tried
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_override_is_all_that_is_searched() {
        let temporary = Temporary::new("override");
        let dir = &temporary.0;
        std::fs::write(dir.join("libhipblas.so.2"), "no library").expect("a file can be written");
        let paths = std::env::join_paths([dir.clone(), dir.join("none")]).expect("no colons");
        let env = Environment { anyblas_hip_path: Some(paths), ..Environment::of_process() };
        let tried = tried(&env);
        let file = dir.join("libhipblas.so.2").display().to_string();
        assert!(tried.iter().any(|t| t.starts_with(&file) && t.contains("file too short")), "{tried:?}");
        let none = format!("{}: no such folder", dir.join("none/hipblas/lib").display());
        assert!(tried.contains(&none), "{tried:?}");
        assert!(!tried.iter().any(|t| t.contains("/opt/") || t.starts_with("libhipblas")), "{tried:?}");
    }

    #[test]
    fn another_library_of_that_name_is_passed_over() {
        let temporary = Temporary::new("other");
        let dir = &temporary.0;
        let c = path_of(libc::malloc as *const c_void).expect("malloc is in a library");
        std::os::unix::fs::symlink(c, dir.join("libhipblas.so.3")).expect("a link can be made");
        let env = Environment { anyblas_hip_path: Some(dir.into()), ..Environment::default() };
        let file = dir.join("libhipblas.so.3").display().to_string();
        assert!(tried(&env).contains(&format!("{file}: loaded, but has no hipblasCreate")));
    }
}
