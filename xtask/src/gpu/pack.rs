//! Builds here what runs there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hipblas_abi::Abi;

use super::names;
use crate::{Outcome, compat};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What a machine takes at most.
const MOST: u64 = 40 << 20;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Folder to fill; what it has of an earlier time is replaced
    folder: PathBuf,
}

pub(super) fn run(args: &Args) -> Outcome {
    let folder = &args.folder;
    fs::create_dir_all(folder)?;
    for part in [names::COMPAT, names::VENDOR, names::TESTS, names::EXAMPLES] {
        match fs::remove_dir_all(folder.join(part)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e.into()),
            _ => fs::create_dir(folder.join(part))?,
        }
    }
    let parts: [(&str, &dyn Fn() -> Result<()>); 6] = [
        ("xtask", &|| strip(&built(&["build", "--package", "xtask"], "xtask")?, &folder.join(names::XTASK))),
        ("the tests of blas-cuda", &|| {
            let test = built(&["test", "--no-run", "--package", "blas-cuda", "--test", "device"], "device")?;
            strip(&test, &folder.join(names::TESTS).join("blas-cuda-device"))
        }),
        ("the cases from bug reports", &|| {
            let cases = "../crates/blas-conformance/data/cases.jsonl";
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(cases);
            fs::copy(from, folder.join(names::CASES))?;
            Ok(())
        }),
        ("our libhipblas", &|| libraries(&compat::build(Abi::V3)?, &folder.join(names::COMPAT))),
        ("AMD's tests", &|| xtask(&["vendor-suite", "--pack"], &folder.join(names::VENDOR))),
        ("the example with cust", &|| xtask(&["interop", "--example-binary"], &folder.join(names::EXAMPLES))),
    ];
    // What cannot be packed is told, and the stages of the others can run.
    let mut ok = true;
    for (what, pack) in parts {
        if let Err(why) = pack() {
            say!("NOT PACKED {what}: {why}")?;
            ok = false;
        }
    }
    let size = size(folder)?;
    say!("{}: {:.1} MB", folder.display(), size as f64 / 1e6)?;
    if size > MOST {
        return Err(format!("more than {} MiB", MOST >> 20).into());
    }
    Ok(ok)
}

/// Lets another task of this program leave something in a folder.
fn xtask(arguments: &[&str], folder: &Path) -> Result<()> {
    let status = Command::new(std::env::current_exe()?).args(arguments).arg(folder).status()?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", arguments.join(" ")).into()) }
}

/// Builds a program and returns where it is.
fn built(arguments: &[&str], target: &str) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(arguments)
        .args(["--release", "--locked", "--quiet", "--message-format=json-render-diagnostics"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("cargo {}: {}", arguments.join(" "), output.status).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let messages = text.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    let programs = messages.filter(|m| m["target"]["name"] == target);
    let path = programs.filter_map(|m| Some(m["executable"].as_str()?.to_owned())).next_back();
    Ok(path.ok_or_else(|| format!("cargo {} has built no {target}", arguments.join(" ")))?.into())
}

/// A program without what only debuggers need.
fn strip(from: &Path, to: &Path) -> Result<()> {
    let status =
        Command::new("strip").arg("-o").arg(to).arg(from).status().map_err(|e| format!("strip: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("strip {}: {status}", from.display()).into()) }
}

/// Libraries and the links that are their other names.
fn libraries(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let (path, name) = {
            let e = entry?;
            (e.path(), e.file_name())
        };
        if !name.to_string_lossy().contains(".so") {
            continue;
        }
        if path.is_symlink() {
            compat::symlink(fs::read_link(&path)?, &to.join(name))?;
        } else {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// Bytes of all files in a folder.
fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.metadata()?;
        bytes += if kind.is_dir() { size(&entry.path())? } else { kind.len() };
    }
    Ok(bytes)
}
