//! Tests on libraries that are made by a C compiler. A test starts itself again with them in place of CUDA, which must be
//! there before the first call looks for it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder for the libraries of a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Makes a shared library of a C file.
pub(crate) fn library(path: &Path, source: &Path, options: &[&str]) {
    let mut compiler = Command::new("cc");
    let made =
        compiler.args(["-shared", "-fPIC"]).args(options).args(["-x", "c", "-o"]).arg(path).arg(source);
    assert!(made.status().expect("a C compiler").success(), "{}", path.display());
}

/// Runs the test `on_the_fake` in another process, with the libraries of the folder. It says `done` at its end; without
/// the libraries it has none.
pub(crate) fn start(folder: &Path, done: &str) {
    let output = Command::new(std::env::current_exe().expect("the test's own path"))
        .args(["--exact", "on_the_fake", "--include-ignored", "--nocapture"])
        .env("ANYBLAS_CUDA_PATH", folder)
        .output()
        .expect("the test starts again");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains(done), "{text}");
}
