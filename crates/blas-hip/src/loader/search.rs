//! The search for the libraries.

use std::ffi::c_void;
use std::path::{Path, PathBuf};

use blas_api::{Error, Result};
use blas_gpu::{Open, path_of};

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
        if let Some(open) = Open::loaded(&HIPBLAS, HIPBLAS_ENTRY) {
            tried.push("the process had loaded libhipblas already".to_owned());
            return Some(open);
        }
    }
    let folders = folders(env);
    for names in [&HIPBLAS[..], &[HIPBLAS_UNVERSIONED]] {
        if !only_there && let Some(open) = Open::first(names.iter().map(PathBuf::from), HIPBLAS_ENTRY, tried)
        {
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
            if let Some(open) = Open::first(paths, HIPBLAS_ENTRY, tried) {
                return Some(open);
            }
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
    Open::first(HIP.iter().map(|name| folder.join(name)).filter(|p| p.exists()), HIP_ENTRY, tried);
}

fn loaded_hip() -> Option<Open> {
    Open::loaded(&HIP, HIP_ENTRY)
}

/// The runtime that the process has; else the one beside libhipblas; else any.
fn open_hip(hipblas: &Open, tried: &mut Vec<String>) -> Option<Open> {
    if let Some(open) = loaded_hip() {
        return Some(open);
    }
    let path = path_of(hipblas.symbol(HIPBLAS_ENTRY));
    let beside = path.as_deref().and_then(Path::parent);
    let paths = beside.into_iter().flat_map(|dir| HIP.iter().map(|name| dir.join(name)));
    Open::first(paths.chain(HIP.iter().map(PathBuf::from)), HIP_ENTRY, tried)
}

#[cfg(all(test, target_os = "linux"))]
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
