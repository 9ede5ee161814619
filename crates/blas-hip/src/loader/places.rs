//! The names of the libraries, and the folders that may have them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names of libhipblas, newest first, one for each family of releases.
pub(super) const HIPBLAS: [&str; 4] =
    ["libhipblas.so.3", "libhipblas.so.2", "libhipblas.so.1", "libhipblas.so.0"];
/// The name that development packages add.
pub(super) const HIPBLAS_UNVERSIONED: &str = "libhipblas.so";
/// Names of the HIP runtime, newest first.
pub(super) const HIP: [&str; 5] =
    ["libamdhip64.so.8", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"];

/// The variables that say where the libraries are.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    /// `ANYBLAS_HIP_PATH`: folders, and then no others are looked in.
    pub(super) anyblas_hip_path: Option<OsString>,
    /// `ROCM_PATH`
    pub(super) rocm_path: Option<OsString>,
    /// `HIP_PATH`
    pub(super) hip_path: Option<OsString>,
    /// The folder in which installations are: `/opt`.
    pub(super) opt: PathBuf,
}

impl Environment {
    pub(super) fn of_process() -> Self {
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
pub(super) struct Folder {
    pub(super) hipblas: PathBuf,
    pub(super) hip: PathBuf,
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
pub(super) fn folders(env: &Environment) -> Vec<Folder> {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A folder of the test's own, removed in the end.
    pub(in super::super) struct Temporary(pub(in super::super) PathBuf);

    impl Temporary {
        pub(in super::super) fn new(name: &str) -> Self {
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
}
