//! AMD's programs: where they are and how they are started.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use hipblas_abi::Abi;

use super::pack::Suite;
use crate::packages::Packages;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The test program.
pub(super) const TEST: &str = "hipblas-test";
/// The benchmark.
pub(super) const BENCH: &str = "hipblas-bench";

/// Suite of Debian with the C runtime, which must be no older than any program.
const RUNTIME_SUITE: &str = "sid";
/// The C runtime: what the programs need beside our libraries.
const RUNTIME: [&str; 7] =
    ["libc6", "libstdc++6", "libgcc-s1", "libgfortran5", "libquadmath0", "libblas3", "liblapack3"];
const LOADER: &str = "ld-linux-x86-64.so.2";

/// Where the driver of an NVIDIA GPU and the libraries of CUDA are.
const CUDA: [&str; 7] = [
    "/usr/local/nvidia/lib64",
    "/usr/local/nvidia/lib",
    "/usr/local/cuda/lib64",
    "/usr/local/cuda/targets/x86_64-linux/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib64",
    "/usr/lib/wsl/lib",
];

/// A release of AMD's programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Release {
    #[value(name = "7.2.4")]
    V7_2_4,
    #[value(name = "5.5.1")]
    V5_5_1,
}

impl Release {
    /// The ABI that its programs are linked with.
    pub(super) fn abi(self) -> Abi {
        match self {
            Release::V7_2_4 => Abi::V3,
            Release::V5_5_1 => Abi::V0,
        }
    }

    /// Suite of Debian that has it, and its packages.
    fn packages(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Release::V7_2_4 => (
                "experimental",
                &["libhipblas3-tests=7.2.4*", "libhipblas3-tests-data=7.2.4*", "libhipblas3-bench=7.2.4*"],
            ),
            Release::V5_5_1 => ("trixie", &["libhipblas0-tests=5.5.1*"]),
        }
    }

    /// Folder of its programs in the packages.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Release::V7_2_4 => "libhipblas3-tests",
            Release::V5_5_1 => "libhipblas0-tests",
        }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Release::V7_2_4 => "7.2.4",
            Release::V5_5_1 => "5.5.1",
        })
    }
}

/// A program of a release, with all that it takes to start it.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) release: Release,
    /// Packages and their versions, where they are known.
    pub(super) packages: Vec<(String, String)>,
    path: PathBuf,
    /// Parameters of the tests, which 5.5.1 has compiled in.
    data: Option<PathBuf>,
    loader: PathBuf,
    /// Folders of the C runtime's libraries.
    libraries: Vec<PathBuf>,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.release)?;
        match self.packages.first() {
            Some((name, version)) => write!(f, " ({name} {version})"),
            None => Ok(()),
        }
    }
}

impl Program {
    /// Finds a program in a folder of unpacked packages, or fetches it.
    pub(super) fn find(release: Release, name: &'static str, folder: Option<&Path>) -> Result<Self> {
        let mut packages = Vec::new();
        let (programs, runtime) = match folder {
            Some(folder) => {
                packages = Suite::packages(folder);
                (folder.canonicalize()?, folder.canonicalize()?)
            }
            None => {
                let cache = Packages::new(None)?;
                let mut fetch = |suite: &'static str, names: &[&str]| -> Result<PathBuf> {
                    let root = cache.fetch(suite, names)?;
                    let names = names.iter().map(|n| n.split('=').next().unwrap_or(n));
                    packages.extend(names.filter_map(|n| Some((n.to_owned(), cache.version(suite, n)?))));
                    Ok(root)
                };
                let (suite, names) = release.packages();
                (fetch(suite, names)?, fetch(RUNTIME_SUITE, &RUNTIME)?)
            }
        };
        let need = |root: &Path, file: &str| {
            search(root, file).ok_or_else(|| format!("no {file} in {}", root.display()))
        };
        let loader = need(&runtime, LOADER)?;
        let beside = |library: &str| Some(search(&runtime, library)?.parent()?.to_owned());
        let mut libraries: Vec<PathBuf> =
            ["libc.so.6", "libstdc++.so.6", "libgfortran.so.5", "libblas.so.3", "liblapack.so.3"]
                .into_iter()
                .filter_map(beside)
                .collect();
        libraries.dedup();
        let data = match release {
            Release::V7_2_4 if name == TEST => Some(need(&programs, "hipblas_gtest.data")?),
            _ => None,
        };
        let path = need(&programs, &format!("{}/{name}", release.folder()))?;
        Ok(Program { name, release, packages, path, data, loader, libraries })
    }

    /// The program and its data.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(self.path.as_path()).chain(self.data.as_deref())
    }

    /// The loader of the C runtime.
    pub(super) fn loader(&self) -> &Path {
        &self.loader
    }

    /// Folders of the C runtime's libraries.
    pub(super) fn libraries(&self) -> &[PathBuf] {
        &self.libraries
    }

    /// A command that starts the program on the libraries in `ours`.
    pub(super) fn command(&self, ours: &Path, device: &str) -> Command {
        let folders = std::iter::once(ours).chain(self.libraries.iter().map(PathBuf::as_path));
        let mut path: Vec<String> = folders.map(|f| f.display().to_string()).collect();
        if device.starts_with("cuda") {
            // The loader looks nowhere else, not even where this system's own would.
            path.extend(std::env::var("LD_LIBRARY_PATH").into_iter().filter(|folders| !folders.is_empty()));
            path.extend(CUDA.into_iter().filter(|f| Path::new(f).is_dir()).map(str::to_owned));
        }
        let mut command = Command::new(&self.loader);
        command.arg("--library-path").arg(path.join(":")).arg(&self.path);
        if let Some(data) = &self.data {
            command.arg("--data").arg(data);
        }
        // The program of 7.2.4 prints of its own accord only what failed.
        command.env("GTEST_LISTENER", "PASS_LINE_IN_LOG").env("HIP_COMPAT_DEVICE", device);
        for variable in ["GTEST_FILTER", "GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "LD_LIBRARY_PATH"] {
            command.env_remove(variable);
        }
        command
    }

    /// The names of its tests that match a filter, in the order in which it runs them.
    pub(super) fn tests(&self, ours: &Path, filter: &str, quick: bool) -> Result<Vec<String>> {
        if quick && self.release != Release::V7_2_4 {
            return Err(
                format!("the tests of {} are not sorted into quick ones and others", self.release).into()
            );
        }
        let mut command = self.command(ours, "cpu");
        let out = command.arg(format!("--gtest_filter={filter}")).arg("--gtest_list_tests").output()?;
        let text = String::from_utf8_lossy(&out.stdout);
        if !out.status.success() {
            let errors = String::from_utf8_lossy(&out.stderr);
            return Err(format!("{self} does not start: {}\n{text}{errors}", out.status).into());
        }
        let mut tests = names(&text);
        if quick {
            tests.retain(|name| name.contains("/quick_") || !name.contains('/'));
        }
        if tests.is_empty() { Err(format!("no test of {self} matches {filter}").into()) } else { Ok(tests) }
    }
}

/// Test names from Google Test's list: suites, which end in a dot, each with its tests, indented.
fn names(list: &str) -> Vec<String> {
    let mut suite = "";
    let mut names = Vec::new();
    for line in list.lines() {
        // After the name, the parameter as a comment.
        let word = line.split_whitespace().next().unwrap_or_default();
        if line.starts_with("  ") {
            names.push(format!("{suite}{word}"));
        } else if line.trim_end().ends_with('.') || line.contains(".  #") {
            suite = word;
        }
    }
    names
}

/// A file under a folder, by the end of its path.
fn search(folder: &Path, end: &str) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|e| e.path()).collect();
    entries.sort();
    let here = entries.iter().find(|p| p.ends_with(end) && p.is_file()).cloned();
    // Links to folders lead in circles, and to files elsewhere.
    here.or_else(|| entries.iter().filter(|p| p.is_dir() && !p.is_symlink()).find_map(|p| search(p, end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_a_list() {
        let list = "hipBLAS version 3.2.0.\n\
                    -------\n\
                    hipblas_auxiliary.\n  statusToString\n\
                    _/gels.  # TypeParam = x\n  solver/quick_gels_F  # GetParam() = { M: -1, N: 0. }\n  solver/b\n";
        assert_eq!(
            names(list),
            ["hipblas_auxiliary.statusToString", "_/gels.solver/quick_gels_F", "_/gels.solver/b"]
        );
    }
}
