//! Where the libraries are: the search for libhipblas and the HIP runtime.
//!
//! Names with a version come before those without, since installations from Python wheels have no others; hipBLAS comes
//! first, and the HIP runtime is the one that it brought in, since two of them in a process do not know each other's streams.

use std::ffi::{OsString, c_void};
use std::path::{Path, PathBuf};

use blas_api::{Error, Result};

/// Names of libhipblas, newest first, one for each family of releases.
const HIPBLAS: [&str; 4] = ["libhipblas.so.3", "libhipblas.so.2", "libhipblas.so.1", "libhipblas.so.0"];
/// The name that development packages add.
const HIPBLAS_UNVERSIONED: &str = "libhipblas.so";
/// Names of the HIP runtime, newest first.
const HIP: [&str; 5] =
    ["libamdhip64.so.8", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"];

/// The variables that say where the libraries are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// `ANYBLAS_HIP_PATH`: folders, and then no others are looked in.
    pub(crate) anyblas_hip_path: Option<OsString>,
    /// `ROCM_PATH`
    pub(crate) rocm_path: Option<OsString>,
    /// `HIP_PATH`
    pub(crate) hip_path: Option<OsString>,
    /// The folder in which installations are: `/opt`.
    pub(crate) opt: PathBuf,
}

impl Environment {
    pub(crate) fn of_process() -> Self {
        let var = |name| std::env::var_os(name).filter(|v| !v.is_empty());
        Environment {
            anyblas_hip_path: var("ANYBLAS_HIP_PATH"),
            rocm_path: var("ROCM_PATH"),
            hip_path: var("HIP_PATH"),
            opt: PathBuf::from("/opt"),
        }
    }
}

/// A folder that may have libhipblas, and the one that then has the HIP runtime.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Folder {
    hipblas: PathBuf,
    hip: PathBuf,
}

impl Folder {
    /// Both in one: ROCm and distributions.
    fn one(path: PathBuf) -> Self {
        Folder { hip: path.clone(), hipblas: path }
    }

    /// One for each, as in installations of DTK.
    fn two(root: &Path) -> Self {
        Folder { hipblas: root.join("hipblas/lib"), hip: root.join("hip/lib") }
    }
}

/// The folders to look in, in order.
fn folders(env: &Environment) -> Vec<Folder> {
    if let Some(paths) = &env.anyblas_hip_path {
        let of = |p: PathBuf| [Folder::one(p.clone()), Folder::one(p.join("lib")), Folder::two(&p)];
        return std::env::split_paths(paths).filter(|p| !p.as_os_str().is_empty()).flat_map(of).collect();
    }
    let mut all = Vec::new();
    for root in [&env.rocm_path, &env.hip_path].into_iter().flatten().map(PathBuf::from) {
        all.extend([Folder::one(root.join("lib")), Folder::two(&root)]);
    }
    // The folders of a parent whose names begin with a prefix, newest first. If there are none, the pattern itself, which a
    // reader of the list of places tried wants to see.
    let installed = |parent: &Path, prefix: &str| {
        let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = entries
            .filter(|e| e.file_name().to_string_lossy().starts_with(prefix))
            .map(|e| e.path())
            .collect();
        found.sort_by_key(|p| std::cmp::Reverse(version_of(p)));
        if found.is_empty() { vec![parent.join(format!("{prefix}*"))] } else { found }
    };
    let rocm = env.opt.join("rocm");
    all.push(Folder::one(rocm.join("lib")));
    all.extend(installed(&rocm, "core-").iter().map(|p| Folder::one(p.join("lib"))));
    all.extend(installed(&env.opt, "rocm-").iter().map(|p| Folder::one(p.join("lib"))));
    all.push(Folder::two(&env.opt.join("dtk")));
    all.extend(installed(&env.opt, "dtk-").iter().map(|p| Folder::two(p)));
    // HIP_PATH and ROCM_PATH often name what is found here anyway.
    let mut seen = Vec::new();
    all.retain(|f| {
        !seen.contains(f) && {
            seen.push(f.clone());
            true
        }
    });
    all
}

/// The numbers in a folder's name: `rocm-10.1.0` comes after `rocm-9.2`.
fn version_of(path: &Path) -> Vec<u64> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

/// An error with what was tried before it.
pub(crate) fn with_tried(error: Error, before: &[String]) -> Error {
    match error {
        Error::Load { what, tried } => Error::Load { what, tried: [before, &tried].concat() },
        other => other,
    }
}

pub(crate) use system::{load, path_of};

#[cfg(target_os = "linux")]
mod system {
    use std::error::Error as _;
    use std::ffi::{CStr, CString, OsStr};
    use std::os::unix::ffi::OsStrExt;

    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

    use super::*;

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
    pub(crate) fn load(env: &Environment) -> Result<Found> {
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
                let mut paths =
                    names.iter().map(|n| folder.hipblas.join(n)).filter(|p| p.exists()).peekable();
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
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    /// Nothing is ever found.
    pub(crate) struct Found {
        /// Each place tried.
        pub(crate) tried: Vec<String>,
    }

    impl Found {
        pub(crate) fn lookup(&self, _: &str) -> *const c_void {
            std::ptr::null()
        }
    }

    pub(crate) fn load(_: &Environment) -> Result<Found> {
        let tried = vec![format!(
            "nothing: this backend looks for ROCm on Linux only, not on {}",
            std::env::consts::OS
        )];
        Err(Error::Load { what: "libhipblas".to_owned(), tried })
    }

    pub(crate) fn path_of(_: *const c_void) -> Option<PathBuf> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// A folder of the test's own, removed in the end.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str) -> Self {
            let dir = std::env::temp_dir().join(format!("blas-hip-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&dir).expect("a temporary folder can be made");
            Temporary(dir)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn tried(env: &Environment) -> Vec<String> {
        match load(env).err() {
            Some(Error::Load { what, tried }) => {
                assert_eq!(what, "libhipblas");
                tried
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_search_goes_from_the_variables_to_the_installations_newest_first() {
        let temporary = Temporary::new("order");
        let opt = &temporary.0;
        for dir in ["rocm/core-7.9", "rocm/core-7.14", "rocm-6.4.1", "rocm-10.1.0"] {
            std::fs::create_dir_all(opt.join(dir)).expect("a folder can be made");
        }
        let env = Environment {
            rocm_path: Some("/r".into()),
            hip_path: Some("/h".into()),
            opt: opt.clone(),
            ..Environment::default()
        };
        let found: Vec<_> = folders(&env).into_iter().map(|f| f.hipblas).collect();
        let want = [
            "/r/lib".into(),
            "/r/hipblas/lib".into(),
            "/h/lib".into(),
            "/h/hipblas/lib".into(),
            opt.join("rocm/lib"),
            opt.join("rocm/core-7.14/lib"),
            opt.join("rocm/core-7.9/lib"),
            opt.join("rocm-10.1.0/lib"),
            opt.join("rocm-6.4.1/lib"),
            opt.join("dtk/hipblas/lib"),
            opt.join("dtk-*/hipblas/lib"),
        ];
        assert_eq!(found, want);
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
