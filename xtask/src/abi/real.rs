//! A release's own libraries, loaded by blas-hip in a process with that release's own C library. There is no device, and
//! the answer must say so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Check, Release, libraries};
use crate::packages::target;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Builds the program that asks.
pub(super) fn build_probe() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--locked", "--quiet", "--package", "blas-hip", "--example", "probe"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .status()?;
    if status.success() {
        Ok(target().join("release/examples/probe").canonicalize()?)
    } else {
        Err("the probe of blas-hip does not build".into())
    }
}

/// What the program found in a root with the release and all that it depends on.
pub(super) fn check(
    release: &Release,
    root: &Path,
    probe: &Path,
) -> Result<(Check, BTreeMap<String, String>)> {
    let root = root.canonicalize()?;
    let folder = libraries(&root);
    let out = Command::new(folder.join("ld-linux-x86-64.so.2"))
        .arg("--library-path")
        .arg(&folder)
        .arg(probe)
        .env("ANYBLAS_HIP_PATH", &folder)
        // A machine that has AMD GPUs answers as the others do.
        .env("HIP_VISIBLE_DEVICES", "-1")
        .output()
        .map_err(|e| format!("the C library of ROCm {} in {}: {e}", release.rocm, root.display()))?;
    let text = String::from_utf8_lossy(&out.stdout).replace(&format!("{}/", root.display()), "");
    let found: BTreeMap<String, String> = text
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();

    let mut check = Check::new("loaded, without a device");
    let mut expect = |holds: bool, difference: String| match holds {
        true => check.passed += 1,
        false => check.differences.push(difference),
    };
    let value = |name: &str| found.get(name).map_or("", String::as_str);
    let errors = String::from_utf8_lossy(&out.stderr);
    expect(out.status.success(), format!("the process ended with {}: {}", out.status, errors.trim()));
    let answer = value("answer");
    expect(answer.starts_with("no device: "), format!("the answer is {answer:?}"));
    let abi = value("abi");
    expect(abi == release.abi.major().to_string(), format!("the ABI found is {abi:?}"));
    let version = value("hip runtime");
    let expected = format!("{}.{}.", release.hip.0, release.hip.1);
    expect(version.starts_with(&expected), format!("the version of the HIP runtime is {version:?}"));
    // Of the release's own folder, and no other that the machine may have.
    for (name, file) in [
        ("hipblas library", release.hipblas_library(&root)),
        ("hip runtime library", release.hip_library(&root)),
    ] {
        let file = file.canonicalize()?;
        let path = value(name);
        expect(root.join(path) == file, format!("the {name} is {path:?}, not {}", file.display()));
    }
    Ok((check, found))
}
