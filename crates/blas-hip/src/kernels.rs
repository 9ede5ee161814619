//! Whether rocBLAS has kernels for a GPU, found out before it is asked to run one: where they are missing, it ends the
//! process.
//!
//! rocBLAS reads them from `rocblas/library` beside the real place of librocblas, or from `ROCBLAS_TENSILE_LIBPATH`, and there
//! from a folder named after the architecture if there is one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use blas_api::{DeviceId, Error, Result};

use crate::library::Library;

/// Fails if the library computes with a rocBLAS that has no kernels for the device.
pub(crate) fn check(library: &Library, device: DeviceId) -> Result {
    let Some(rocblas) = library.rocblas() else { return Ok(()) };
    has(&library.arch(device)?, &folders(rocblas, std::env::var_os("ROCBLAS_TENSILE_LIBPATH")))
}

/// Where a rocBLAS looks.
pub(crate) fn folders(rocblas: &Path, tensile_libpath: Option<OsString>) -> Vec<PathBuf> {
    if let Some(path) = tensile_libpath.filter(|p| !p.is_empty()) {
        return vec![PathBuf::from(path)];
    }
    let Some(dir) = rocblas.parent() else { return Vec::new() };
    let beside = dir.join("rocblas");
    // Debian has a folder for each version between the two.
    let versions =
        entries(&beside).into_iter().map(|v| beside.join(v).join("library")).filter(|p| p.is_dir());
    std::iter::once(beside.join("library")).chain(versions).collect()
}

/// Whether one of the folders has the kernels of an architecture.
pub(crate) fn has(arch: &str, folders: &[PathBuf]) -> Result {
    let found = folders.iter().any(|f| [f.clone(), f.join(arch)].iter().any(|f| is_for(arch, &entries(f))));
    if found {
        return Ok(());
    }
    let have = architectures(folders);
    let have = if have.is_empty() { "none".to_owned() } else { have.join(", ") };
    Err(Error::Load {
        what: format!("rocBLAS kernels for {arch} (the library has them for: {have})"),
        tried: folders.iter().map(|f| format!("{}: no TensileLibrary for {arch}", f.display())).collect(),
    })
}

/// The architectures that some folders have kernels for.
pub(crate) fn architectures(folders: &[PathBuf]) -> Vec<String> {
    let names = folders.iter().flat_map(|f| {
        entries(f).into_iter().flat_map(move |e| {
            let inner = if e.starts_with("gfx") { entries(&f.join(&e)) } else { Vec::new() };
            std::iter::once(e).chain(inner)
        })
    });
    let mut all: Vec<String> = names.filter_map(|name| named(&name)).collect();
    all.sort();
    all.dedup();
    all
}

/// The architecture in a file's name: `TensileLibrary_lazy_gfx90a.dat`, `TensileLibrary_Type_SS_..._gfx90a.co`.
fn named(file: &str) -> Option<String> {
    let rest = file.strip_prefix("TensileLibrary")?;
    let start = rest.find("_gfx")? + 1;
    let arch = rest[start..].split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    Some(arch.to_owned())
}

/// Whether these are the files of an architecture: its own list of kernels, or one list for all, which older releases have,
/// with code for it.
fn is_for(arch: &str, files: &[String]) -> bool {
    let own = files.iter().any(|f| is_list(f) && named(f).as_deref() == Some(arch));
    let shared = ["TensileLibrary.dat", "TensileLibrary.yaml"].iter().any(|l| files.iter().any(|f| f == l));
    own || shared && files.iter().any(|f| mentions(f, arch))
}

fn is_list(file: &str) -> bool {
    file.ends_with(".dat") || file.ends_with(".yaml")
}

/// Whether a name contains an architecture, and not as the beginning of another one.
fn mentions(file: &str, arch: &str) -> bool {
    file.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == arch)
}

/// Names in a folder; none if it is not there.
fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect()
}
