//! Our own libhipblas and libamdhip64, for each of the ABIs of hipBLAS.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use hipblas_abi::{Abi, Level, hip};

use crate::Outcome;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Major version of hipBLAS whose ABI the library has: 0, 1, 2 or 3; all of them if left out
    #[arg(long, value_name = "N")]
    abi: Option<usize>,
    /// Run this command on each library, which it finds by ANYBLAS_HIP_PATH
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let abis = match args.abi {
        Some(n) => vec![*Abi::ALL.get(n).ok_or_else(|| format!("no hipBLAS {n}.x; there are 0 to 3"))?],
        None => Abi::ALL.to_vec(),
    };
    let mut ok = true;
    for abi in abis {
        let folder = build(abi)?;
        say!("{}", folder.display())?;
        if let [program, arguments @ ..] = args.command.as_slice() {
            let mut command = Command::new(program);
            ok &= command.args(arguments).env("ANYBLAS_HIP_PATH", folder).status()?.success();
        }
    }
    Ok(ok)
}

/// Builds the libraries of an ABI and returns their folder, which has `libhipblas.so.N` and `libamdhip64.so.M` (two names
/// of one file, because they share their state), and the names without numbers that compilers look for.
pub(crate) fn build(abi: Abi) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let target = build_archive()?;
    let dir = target.join("compat").join(abi.major().to_string());
    std::fs::create_dir_all(&dir)?;
    let script = dir.join("names.ld");
    std::fs::write(&script, names(abi))?;
    let versions = dir.join("versions.map");
    std::fs::write(&versions, symbol_versions())?;

    let blas = format!("libhipblas.so.{}", abi.major());
    let new = dir.join(format!("{blas}.new"));
    let link = Command::new("cc")
        .args(["-shared", "-o"])
        .arg(&new)
        .arg(&script)
        .arg(target.join("release/libhipblas_compat.a"))
        .arg(format!("-Wl,-soname,{blas}"))
        .arg(format!("-Wl,--version-script={}", versions.display()))
        // The initialiser says which ABI the library presents.
        .arg(format!("-Wl,-init=compat_init_{}", abi.major()))
        // Workers may still run when a program closes the library: it stays.
        .args(["-Wl,--gc-sections", "-Wl,-z,nodelete", "-Wl,-z,now", "-Wl,-s", "-lpthread", "-ldl", "-lm"])
        .status()
        .map_err(|e| format!("cc, the C compiler's driver, which links the libraries: {e}"))?;
    if !link.success() {
        return Err(format!("cc could not link {blas}: {link}").into());
    }
    // In place at once: another process may have the library open.
    std::fs::rename(&new, dir.join(&blas))?;
    for name in ["libhipblas.so", "libamdhip64.so", &format!("libamdhip64.so.{}", abi.hip_major())] {
        symlink(&blas, &dir.join(name))?;
    }
    Ok(dir)
}

/// Builds the static library and returns cargo's target folder.
fn build_archive() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let status = Command::new(&cargo)
        .args(["build", "--release", "--locked", "--quiet", "--package", "hipblas-compat"])
        .current_dir(root)
        .status()?;
    if !status.success() {
        return Err("hipblas-compat does not build".into());
    }
    Ok(std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(root).join("target"), PathBuf::from)
        .canonicalize()?)
}

/// Link script: the functions get the names that a library of this ABI exports.
fn names(abi: Abi) -> String {
    let mut externs = String::new();
    let mut names = String::new();
    let mut name = |public: &str, internal: &str| {
        let _ = writeln!(externs, "EXTERN({internal})");
        let _ = writeln!(names, "{public} = {internal};");
    };
    for (public, function) in hipblas_abi::exports(abi) {
        // Ex functions were renumbered in 3.x; 2.x has the new numbers under `_v2` names.
        let old = function.family.level == Level::Ex && abi < Abi::V3 && public == function.name();
        let prefix = if old { "compat_old_" } else { "compat_" };
        name(&public, &format!("{prefix}{}", internal_name(&function)));
    }
    for (function, version, _) in hip::FUNCTIONS {
        if version_of(version) <= abi.hip_major() * 100 + 99 {
            name(function, &format!("compat_{function}"));
        }
    }
    format!("EXTERN(compat_init_{})\n{externs}{names}", abi.major())
}

/// Name of a function in the static library, where rows of the same stem must not meet.
fn internal_name(function: &hipblas_abi::Function) -> String {
    match function.family.name {
        "trmm_in_place" => format!("{}_in_place", function.name()),
        _ => function.name(),
    }
}

/// Version script: the nodes of the HIP runtime. Nothing else gets a version; what is not for users is local.
fn symbol_versions() -> String {
    let mut nodes: Vec<&str> = hip::FUNCTIONS.iter().map(|f| f.1).collect();
    nodes.sort_by_key(|v| version_of(v));
    nodes.dedup();
    let mut script = String::new();
    let mut before = "";
    for node in nodes {
        let functions = hip::FUNCTIONS.iter().filter(|f| f.1 == node).map(|f| format!(" {};", f.0));
        let local = if before.is_empty() { " local: compat_*; rust_*; _*;" } else { "" };
        let _ = writeln!(script, "{node} {{ global:{}{local} }} {before};", functions.collect::<String>());
        before = node;
    }
    script
}

/// `hip_5.1` as 501.
fn version_of(node: &str) -> usize {
    let number = |s: &str| s.parse().unwrap_or(0);
    let (major, minor) = node.trim_start_matches("hip_").split_once('.').unwrap_or_default();
    number(major) * 100 + number(minor)
}

/// A symbolic link, in place of the one that may be there.
#[cfg(unix)]
pub(crate) fn symlink(to: impl AsRef<Path>, at: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(at) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
pub(crate) fn symlink(_: impl AsRef<Path>, _: &Path) -> std::io::Result<()> {
    Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "shared libraries are linked for Linux only"))
}
