//! Where the libraries are: the search for the driver, and for cuBLAS, cuSOLVER and NVRTC.
//!
//! The driver comes with the system. The others are of one release and come from a toolkit or from Python wheels, which have
//! names with a version only.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use blas_api::{Error, Result};
use blas_gpu::{Open, path_of};

/// What errors call the driver.
pub(crate) const DRIVER_NAME: &str = "the NVIDIA driver (libcuda)";
/// Names of the driver.
const DRIVER: [&str; 2] = ["libcuda.so.1", "libcuda.so"];

/// A library of the toolkit: its name in each release of CUDA, and a function that it must have.
pub(crate) struct Name {
    /// Newest first: the release of CUDA, and the file.
    files: [(u32, &'static str); 2],
    entry: &'static str,
    /// The folder of its own Python wheel.
    wheel: &'static str,
    /// What it opens by name itself, and lies beside it: the start of that name, which the release follows.
    opens: Option<&'static str>,
}

pub(crate) const CUBLAS: Name = Name {
    files: [(13, "libcublas.so.13"), (12, "libcublas.so.12")],
    entry: "cublasCreate_v2",
    wheel: "cublas",
    opens: None,
};
pub(crate) const CUSOLVER: Name = Name {
    files: [(13, "libcusolver.so.12"), (12, "libcusolver.so.11")],
    entry: "cusolverDnCreate",
    wheel: "cusolver",
    opens: None,
};
pub(crate) const NVRTC: Name = Name {
    files: [(13, "libnvrtc.so.13"), (12, "libnvrtc.so.12")],
    entry: "nvrtcCreateProgram",
    wheel: "cuda_nvrtc",
    opens: Some("libnvrtc-builtins.so."),
};

/// The folder of a toolkit that has the libraries of this machine's architecture.
const TARGET: &str =
    if cfg!(target_arch = "aarch64") { "targets/sbsa-linux/lib" } else { "targets/x86_64-linux/lib" };

/// The variables and folders that say where the libraries are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// `ANYBLAS_CUDA_PATH`: folders, and then the toolkit's libraries are looked for in no others.
    pub(crate) anyblas_cuda_path: Option<OsString>,
    /// `CUDA_PATH`, `CUDA_HOME`
    pub(crate) roots: Vec<PathBuf>,
    /// The prefixes of Python installations, newest first of use.
    pub(crate) prefixes: Vec<PathBuf>,
    /// The folder in which toolkits are: `/usr/local`.
    pub(crate) local: PathBuf,
}

impl Environment {
    pub(crate) fn of_process() -> Self {
        let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        let path = |name: &str| var(name).map(PathBuf::from);
        let mut prefixes: Vec<_> = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(path).collect();
        // The prefix of an interpreter is the folder above its own.
        let bins = var("PATH").into_iter().flat_map(|p| std::env::split_paths(&p).collect::<Vec<_>>());
        prefixes
            .extend(bins.filter(|b| b.join("python3").exists()).filter_map(|b| Some(b.parent()?.to_owned())));
        prefixes.extend(path("HOME").map(|home| home.join(".local")));
        Environment {
            anyblas_cuda_path: var("ANYBLAS_CUDA_PATH"),
            roots: ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(path).collect(),
            prefixes,
            local: PathBuf::from("/usr/local"),
        }
    }

    /// The folders to look for a library of the toolkit in, in order.
    fn folders(&self) -> Vec<PathBuf> {
        let of_root = |root: PathBuf| [root.join("lib64"), root.join(TARGET), root.join("lib")];
        if let Some(paths) = &self.anyblas_cuda_path {
            let given = std::env::split_paths(paths).filter(|p| !p.as_os_str().is_empty());
            return given.flat_map(|p| std::iter::once(p.clone()).chain(of_root(p))).collect();
        }
        let mut all: Vec<PathBuf> = self.roots.iter().cloned().flat_map(of_root).collect();
        for prefix in &self.prefixes {
            for lib in entries(&prefix.join("lib"), "python3") {
                for packages in ["site-packages", "dist-packages"] {
                    let wheels = entries(&lib.join(packages).join("nvidia"), "");
                    all.extend(wheels.into_iter().map(|w| w.join("lib")).filter(|w| w.is_dir()));
                }
            }
        }
        all.extend(of_root(self.local.join("cuda")));
        all.extend(entries(&self.local, "cuda-").into_iter().flat_map(of_root));
        // One folder is often named in several ways.
        let mut seen = Vec::new();
        all.retain(|folder| {
            let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            !seen.contains(&real) && {
                seen.push(real);
                true
            }
        });
        all
    }
}

/// What a folder has under a name that begins so, the highest version first.
fn entries(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.filter(|e| e.file_name().to_string_lossy().starts_with(prefix)).map(|e| e.path()).collect();
    found.sort_by_key(|p| (std::cmp::Reverse(version_of(p)), p.clone()));
    found
}

/// The numbers in a folder's name: `cuda-12.10` comes after `cuda-12.9`.
fn version_of(path: &Path) -> Vec<u64> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

/// The names of a library, those first that a driver can work with: it supports toolkits up to its own version.
fn names(name: &Name, driver: i32) -> Vec<&'static str> {
    let (mut fits, newer): (Vec<_>, Vec<_>) =
        name.files.iter().copied().partition(|&(cuda, _)| cuda.cast_signed() * 1000 <= driver);
    fits.extend(newer);
    fits.into_iter().map(|(_, file)| file).collect()
}

/// The name that a library has in a release of CUDA.
fn name_in(name: &Name, cuda: u32) -> Vec<&'static str> {
    name.files.iter().filter(|(c, _)| *c == cuda).map(|(_, file)| *file).collect()
}

/// Opens the driver: that of `ANYBLAS_CUDA_PATH` if there is one, else the system's.
pub(crate) fn driver(env: &Environment, tried: &mut Vec<String>) -> Result<Open> {
    let given = env.anyblas_cuda_path.iter().flat_map(|_| env.folders());
    let given = given.flat_map(|f| DRIVER.map(|name| f.join(name))).filter(|p| p.exists());
    // Containers and WSL have it where the loader may not look.
    let apart = ["/usr/local/nvidia/lib64", "/usr/lib/wsl/lib"].map(|f| Path::new(f).join(DRIVER[0]));
    let paths = given.chain(DRIVER.map(PathBuf::from)).chain(apart);
    let found = Open::loaded(&DRIVER, "cuInit").or_else(|| Open::first(paths, "cuInit", tried));
    found.ok_or_else(|| load_error(DRIVER_NAME, tried))
}

/// Opens cuBLAS, for a driver of some version: the one that the process has, else one that it finds.
pub(crate) fn cublas(env: &Environment, driver: i32, tried: &mut Vec<String>) -> Result<Open> {
    let names = names(&CUBLAS, driver);
    let only_there = env.anyblas_cuda_path.is_some();
    if only_there {
        tried.push("ANYBLAS_CUDA_PATH is set, so only its folders are looked in".to_owned());
    } else if let Some(open) = Open::loaded(&names, CUBLAS.entry) {
        tried.push("the process had loaded libcublas already".to_owned());
        return Ok(open);
    }
    search(env, &[], &CUBLAS, &names, tried).ok_or_else(|| load_error("libcublas", tried))
}

/// Opens another library of the toolkit that a loaded cuBLAS is of, with what that library opens itself: the one that the
/// process has, else the one beside cuBLAS first.
pub(crate) fn companion(env: &Environment, name: &Name, cuda: u32, cublas: &Path) -> Result<Open> {
    let names = name_in(name, cuda);
    let open = match Open::loaded(&names, name.entry) {
        Some(open) => open,
        None => beside(env, name, &names, cublas)?,
    };
    // The system's loader knows the names of open libraries, but need not look where these are. What can't be opened is
    // asked for again, and complained of, by who needs it.
    if let Some(start) = name.opens
        && let Some(folder) = path_of(open.symbol(name.entry)).as_deref().and_then(Path::parent)
    {
        entries(folder, &format!("{start}{cuda}.")).iter().for_each(|path| drop(Open::new(path)));
    }
    Ok(open)
}

/// Opens a library of the toolkit that the process has not loaded, the one beside cuBLAS first.
fn beside(env: &Environment, name: &Name, names: &[&str], cublas: &Path) -> Result<Open> {
    let mut tried = Vec::new();
    let beside = cublas.parent().map(Path::to_owned);
    // Wheels of CUDA 12 have a folder for each library: nvidia/cublas/lib, nvidia/cusolver/lib.
    let wheel = beside.iter().filter_map(|d| d.parent()?.parent());
    let wheel = wheel.map(|d| d.join(name.wheel).join("lib")).collect::<Vec<_>>();
    let folders: Vec<PathBuf> = beside.into_iter().chain(wheel).filter(|d| d.is_dir()).collect();
    let what = names.first().copied().unwrap_or(name.wheel);
    search(env, &folders, name, names, &mut tried).ok_or_else(|| load_error(what, &mut tried))
}

/// Looks in some folders, where the system's loader looks, and in the folders of the environment.
fn search(
    env: &Environment,
    before: &[PathBuf],
    name: &Name,
    names: &[&str],
    tried: &mut Vec<String>,
) -> Option<Open> {
    let entry = name.entry;
    let in_folder = |folder: &Path, tried: &mut Vec<String>| {
        if !folder.is_dir() {
            tried.push(format!("{}: no such folder", folder.display()));
            return None;
        }
        let mut paths = names.iter().map(|n| folder.join(n)).filter(|p| p.exists()).peekable();
        if paths.peek().is_none() {
            tried.push(format!("{}: has no {}", folder.display(), names.join(", ")));
        }
        Open::first(paths, entry, tried)
    };
    let found = before.iter().find_map(|folder| in_folder(folder, tried));
    if found.is_some() {
        return found;
    }
    if env.anyblas_cuda_path.is_none()
        && let Some(open) = Open::first(names.iter().map(PathBuf::from), entry, tried)
    {
        return Some(open);
    }
    env.folders().iter().find_map(|folder| in_folder(folder, tried))
}

fn load_error(what: &str, tried: &mut Vec<String>) -> Error {
    Error::Load { what: what.to_owned(), tried: std::mem::take(tried) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for a test, removed when dropped.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("anyblas-cuda-{name}-{}", std::process::id()));
            Folder(path)
        }

        fn file(&self, path: &str) -> PathBuf {
            let path = self.0.join(path);
            let made = path.parent().map(std::fs::create_dir_all).transpose();
            made.and_then(|_| std::fs::write(&path, "no library")).expect("a temporary file");
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn toolkits_and_wheels_are_looked_in_and_newer_ones_first() {
        let tmp = Folder::new("folders");
        tmp.file("env/lib/python3.12/site-packages/nvidia/cublas/lib/libcublas.so.12");
        tmp.file("local/cuda-12.9/lib64/x");
        tmp.file("local/cuda-12.10/lib64/x");
        let env = Environment {
            anyblas_cuda_path: None,
            roots: vec![tmp.0.join("root")],
            prefixes: vec![tmp.0.join("env")],
            local: tmp.0.join("local"),
        };
        let folders = env.folders();
        let place = |path: &str| {
            let path = tmp.0.join(path);
            folders.iter().position(|f| *f == path).unwrap_or_else(|| panic!("{path:?} in {folders:?}"))
        };
        let order = [
            "root/lib64",
            "env/lib/python3.12/site-packages/nvidia/cublas/lib",
            "local/cuda/lib64",
            "local/cuda-12.10/lib64",
            "local/cuda-12.9/lib64",
        ];
        assert!(order.map(place).is_sorted(), "{folders:?}");
    }

    #[test]
    fn one_toolkit_under_two_names_is_looked_in_once() {
        let tmp = Folder::new("links");
        tmp.file("local/cuda-13.0/lib64/x");
        #[cfg(unix)]
        std::os::unix::fs::symlink("cuda-13.0", tmp.0.join("local/cuda")).expect("a link");
        let env = Environment { local: tmp.0.join("local"), ..Environment::default() };
        let count = env.folders().iter().filter(|f| f.join("x").exists()).count();
        assert_eq!(count, 1);
    }

    #[test]
    fn names_follow_the_driver() {
        assert_eq!(names(&CUBLAS, 13_000), ["libcublas.so.13", "libcublas.so.12"]);
        assert_eq!(names(&CUBLAS, 12_040), ["libcublas.so.12", "libcublas.so.13"]);
        assert_eq!(name_in(&CUSOLVER, 12), ["libcusolver.so.11"]);
        assert_eq!(name_in(&NVRTC, 13), ["libnvrtc.so.13"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_loaded_is_an_error_with_every_place() {
        let tmp = Folder::new("load");
        let file = tmp.file("libcublas.so.12");
        let env =
            Environment { anyblas_cuda_path: Some(tmp.0.clone().into_os_string()), ..Environment::default() };
        let mut tried = Vec::new();
        let error = cublas(&env, 12_000, &mut tried).err();
        let Some(Error::Load { what, tried }) = error else { panic!("{error:?}") };
        assert_eq!(what, "libcublas");
        assert!(tried.iter().any(|t| t.starts_with(&file.display().to_string())), "{tried:?}");
        assert!(tried.iter().any(|t| t.contains("lib64: no such folder")), "{tried:?}");
        assert!(tried.iter().all(|t| !t.contains("/usr/local")), "{tried:?}");
    }
}
