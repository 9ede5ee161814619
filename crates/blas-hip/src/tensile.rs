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
    let found = has(&library.arch(device)?, &folders(rocblas, std::env::var_os("ROCBLAS_TENSILE_LIBPATH")));
    found.map_err(|e| match std::env::var_os("HSA_OVERRIDE_GFX_VERSION") {
        Some(v) => {
            let note = format!(
                "HSA_OVERRIDE_GFX_VERSION is {}: the architecture is the one that it names",
                v.display()
            );
            crate::loader::with_tried(e, &[note])
        }
        None => e,
    })
}

/// Where a rocBLAS looks.
pub(crate) fn folders(rocblas: &Path, tensile_libpath: Option<OsString>) -> Vec<PathBuf> {
    if let Some(path) = tensile_libpath.filter(|p| !p.is_empty()) {
        return vec![PathBuf::from(path)];
    }
    let Some(dir) = rocblas.parent() else { return Vec::new() };
    let beside = dir.join("rocblas");
    // Debian has a folder for each major version between the two.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks for an architecture in a rocBLAS of made-up files.
    fn check(test: &str, files: &[&str], arch: &str) -> Result {
        let root = std::env::temp_dir().join(format!("blas-hip-kernels-{}-{test}", std::process::id()));
        for file in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder can be made");
            std::fs::write(path, "").expect("a file can be written");
        }
        let found = has(arch, &folders(&root.join("librocblas.so.5.2"), None));
        let _ = std::fs::remove_dir_all(&root);
        found
    }

    #[test]
    fn an_architecture_with_files_of_its_own_is_found() {
        let lazy = "rocblas/library/TensileLibrary_lazy_gfx90a.dat";
        assert_eq!(check("lazy", &[lazy], "gfx90a"), Ok(()));
        assert_eq!(check("whole", &["rocblas/library/TensileLibrary_gfx1030.dat"], "gfx1030"), Ok(()));
        assert_eq!(check("debian", &["rocblas/5/library/TensileLibrary_lazy_gfx906.dat"], "gfx906"), Ok(()));
        let inner = "rocblas/library/gfx1100/TensileLibrary_lazy_gfx1100.dat";
        assert_eq!(check("inner", &[inner], "gfx1100"), Ok(()));
    }

    #[test]
    fn one_list_for_all_needs_code_for_the_architecture() {
        let files = ["rocblas/library/TensileLibrary.dat", "rocblas/library/Kernels.so-000-gfx1030.hsaco"];
        assert_eq!(check("shared", &files, "gfx1030"), Ok(()));
        assert!(check("shared", &files, "gfx103").is_err());
    }

    #[test]
    fn a_missing_architecture_is_named_with_those_that_are_there() {
        let files = [
            "rocblas/library/TensileLibrary_lazy_gfx90a.dat",
            "rocblas/library/TensileLibrary_lazy_gfx942.dat",
            "rocblas/library/TensileLibrary_Type_SS_Contraction_gfx942.co",
        ];
        let error = check("missing", &files, "gfx1103").expect_err("no such file").to_string();
        assert!(
            error.contains("kernels for gfx1103 (the library has them for: gfx90a, gfx942)")
                && error.contains("rocblas/library: no TensileLibrary for gfx1103"),
            "{error}"
        );
        assert!(check("empty", &[], "gfx90a").expect_err("no folder").to_string().contains("for: none"));
    }

    #[test]
    fn the_variable_comes_before_the_library() {
        let elsewhere = folders(Path::new("/opt/rocm/lib/librocblas.so.5"), Some("/elsewhere".into()));
        assert_eq!(elsewhere, [PathBuf::from("/elsewhere")]);
    }
}
