//! What there is of ROCm on this machine, and what to do about what there is not.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;

use blas_api::{Device, Diagnosis, Error, Result};

use crate::library::Library;
use crate::tensile;

/// The variables that decide what is found, and what computes.
const VARIABLES: [&str; 9] = [
    "ANYBLAS_HIP_PATH",
    "ROCM_PATH",
    "HIP_PATH",
    "LD_LIBRARY_PATH",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "HSA_OVERRIDE_GFX_VERSION",
    "ROCBLAS_TENSILE_LIBPATH",
];

/// The device file of AMD's compute driver.
const KFD: &str = "/dev/kfd";

/// Everything, on the machine and in the environment of this process.
pub(crate) fn diagnose() -> Diagnosis {
    let mut d = Diagnosis::default();
    let library = Library::get();
    let devices = library.clone().and_then(|l| l.devices());
    let kfd = kfd();
    let set: Vec<(&str, OsString)> =
        VARIABLES.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))).collect();

    let mut kernels = Ok(());
    match &library {
        Ok(l) => {
            about_library(&mut d, l);
            d.devices(&devices);
            kernels = about_kernels(&mut d, l, devices.as_deref().unwrap_or_default());
        }
        Err(why) => d.fact("libraries", why.to_string()),
    }
    d.fact(KFD, kfd.describe());
    for (name, value) in &set {
        d.fact(*name, value.display().to_string());
    }
    let unset: Vec<_> = VARIABLES.into_iter().filter(|name| !set.iter().any(|(n, _)| n == name)).collect();
    d.fact("not set", unset.join(", "));

    let variables = set.iter().map(|(name, _)| *name).collect();
    let unversioned = library.as_ref().is_ok_and(|l| has_unversioned(&l.hipblas_path));
    let seen =
        Seen { library: library.map(|_| unversioned), devices: devices.map(|_| ()), kernels, kfd, variables };
    d.advice = advice(&seen);
    d
}

fn about_library(d: &mut Diagnosis, l: &Library) {
    d.fact("libhipblas", l.hipblas_path.display().to_string());
    d.fact("hipBLAS version", format!("{}, interface of {}.x", l.hipblas_version(), l.abi().major()));
    d.fact("HIP runtime", l.hip_path.display().to_string());
    d.fact("HIP version", l.hip_version().unwrap_or_else(|e| e.to_string()));
    let rocblas =
        l.rocblas().map_or("none: this hipBLAS computes without it".to_owned(), |p| p.display().to_string());
    d.fact("librocblas", rocblas);
    d.fact("looked in", l.tried.join("\n"));
}

/// The kernel files, and whether every device has its own.
fn about_kernels(d: &mut Diagnosis, l: &Library, devices: &[Device]) -> Result {
    let Some(rocblas) = l.rocblas() else { return Ok(()) };
    let folders = tensile::folders(rocblas, std::env::var_os("ROCBLAS_TENSILE_LIBPATH"));
    let lines: Vec<_> = folders.iter().map(|f| f.display().to_string()).collect();
    d.fact("kernel files", lines.join("\n"));
    d.fact("kernels for", tensile::architectures(&folders).join(", "));
    devices.iter().try_for_each(|device| tensile::has(&device.arch, &folders))
}

/// Whether the name that linkers look for is beside a library.
fn has_unversioned(library: &Path) -> bool {
    library.parent().is_some_and(|dir| dir.join("libhipblas.so").exists())
}

/// State of the compute driver's device file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kfd {
    Open,
    Missing,
    Denied,
    Other(ErrorKind),
}

fn kfd() -> Kfd {
    match std::fs::OpenOptions::new().read(true).write(true).open(KFD) {
        Ok(_) => Kfd::Open,
        Err(e) if e.kind() == ErrorKind::NotFound => Kfd::Missing,
        Err(e) if e.kind() == ErrorKind::PermissionDenied => Kfd::Denied,
        Err(e) => Kfd::Other(e.kind()),
    }
}

impl Kfd {
    fn describe(self) -> String {
        match self {
            Kfd::Open => "can be opened".to_owned(),
            Kfd::Missing => "not there".to_owned(),
            Kfd::Denied => "permission denied".to_owned(),
            Kfd::Other(kind) => kind.to_string(),
        }
    }
}

/// What advice depends on.
struct Seen {
    /// The libraries, and whether the name for linkers is beside them.
    library: Result<bool>,
    devices: Result,
    kernels: Result,
    kfd: Kfd,
    /// The variables that are set.
    variables: Vec<&'static str>,
}

const LINKING: &str = "Only programs that link hipBLAS themselves need the file libhipblas.so (\"cannot find -lhipblas\"): it \
    comes with the development package, hipblas-dev or libhipblas-dev.";

fn advice(seen: &Seen) -> Vec<String> {
    let mut advice = Vec::new();
    let mut say = |text: &str| advice.push(text.to_owned());
    let set = |name| seen.variables.contains(&name);
    match &seen.library {
        Err(Error::Load { tried, .. }) => {
            if let Some(needed) = tried.iter().find_map(|line| missing_dependency(line)) {
                say(&format!(
                    "hipBLAS is there, and the library {needed}, which it needs, is not: install the package that has it, or \
                     name its folder in LD_LIBRARY_PATH."
                ));
            } else if set("ANYBLAS_HIP_PATH") {
                say(
                    "No library was found in the folders of ANYBLAS_HIP_PATH. Correct it, or unset it to search the system.",
                );
            } else {
                say(
                    "Install hipBLAS (ROCm's package hipblas, Debian's libhipblas-dev), or set ANYBLAS_HIP_PATH to the folder \
                     that has libhipblas.so.N. Without an AMD GPU, hipblas-compat of this project is such a folder.",
                );
                say(LINKING);
            }
        }
        Err(_) => say("The libraries answered with an error; their installation may be damaged."),
        Ok(true) => {}
        Ok(false) => say(LINKING),
    }
    if let (Ok(_), Err(error)) = (&seen.library, &seen.devices) {
        match seen.kfd {
            Kfd::Missing => say(
                "There is no /dev/kfd: the amdgpu kernel driver is not loaded or finds no GPU. A container needs \
                     --device /dev/kfd --device /dev/dri.",
            ),
            Kfd::Denied => say(
                "/dev/kfd may not be opened: add the user to the groups render and video, and log in again. A \
                     container needs --group-add for both.",
            ),
            _ => say(
                "The driver is there, and the HIP runtime finds no GPU that it can use: its architecture may not be \
                     supported by this release of ROCm.",
            ),
        }
        if set("HIP_VISIBLE_DEVICES") || set("ROCR_VISIBLE_DEVICES") || set("GPU_DEVICE_ORDINAL") {
            say(
                "HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES or GPU_DEVICE_ORDINAL is set, and may hide the GPUs.",
            );
        }
        if !matches!(error, Error::NoDevice { .. }) {
            say("The answer of the runtime is not the usual one for a machine without GPU: see it above.");
        }
    }
    if seen.kernels.is_err() {
        say(
            "rocBLAS has no kernels for this GPU, and would end the process: install its files for the architecture, or name \
             their folder in ROCBLAS_TENSILE_LIBPATH.",
        );
    }
    if set("HSA_OVERRIDE_GFX_VERSION") {
        say(
            "HSA_OVERRIDE_GFX_VERSION is set: the architecture shown is the one that it names. Kernels of another architecture \
             can hang the GPU.",
        );
    }
    advice
}

/// The library that the loader missed while it loaded hipBLAS: `libX.so.N: cannot open shared object file`.
fn missing_dependency(line: &str) -> Option<&str> {
    let start = line.split(": cannot open shared object file").next().filter(|s| s.len() < line.len())?;
    let name = start.rsplit(": ").next()?;
    let name = name.rsplit('/').next()?;
    (!name.starts_with("libhipblas.so")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn healthy() -> Seen {
        Seen { library: Ok(true), devices: Ok(()), kernels: Ok(()), kfd: Kfd::Open, variables: Vec::new() }
    }

    fn load_error(tried: &str) -> Error {
        Error::Load { what: "libhipblas".to_owned(), tried: vec![tried.to_owned()] }
    }

    #[test]
    fn a_healthy_machine_needs_no_advice() {
        assert_eq!(advice(&healthy()), Vec::<String>::new());
    }

    #[test]
    fn each_failure_has_its_advice() {
        let none = || Err(Error::NoDevice { name: "hip".to_owned(), why: String::new() });
        let absent = "libhipblas.so.3: cannot open shared object file: No such file or directory";
        let dependency =
            "/opt/rocm/lib/libhipblas.so.3: librocsolver.so.0: cannot open shared object file: No such file";
        let cases = [
            (Seen { library: Err(load_error(absent)), ..healthy() }, "Install hipBLAS"),
            (Seen { library: Err(load_error(absent)), ..healthy() }, "cannot find -lhipblas"),
            (Seen { library: Ok(false), ..healthy() }, "cannot find -lhipblas"),
            (Seen { library: Err(load_error(dependency)), ..healthy() }, "librocsolver.so.0, which it needs"),
            (
                Seen { library: Err(load_error(absent)), variables: vec!["ANYBLAS_HIP_PATH"], ..healthy() },
                "folders of ANYBLAS_HIP_PATH",
            ),
            (Seen { devices: none(), kfd: Kfd::Missing, ..healthy() }, "no /dev/kfd"),
            (Seen { devices: none(), kfd: Kfd::Denied, ..healthy() }, "groups render and video"),
            (Seen { devices: none(), variables: vec!["HIP_VISIBLE_DEVICES"], ..healthy() }, "may hide"),
            (Seen { kernels: Err(load_error("")), ..healthy() }, "rocBLAS has no kernels"),
            (Seen { variables: vec!["HSA_OVERRIDE_GFX_VERSION"], ..healthy() }, "can hang the GPU"),
        ];
        for (seen, want) in cases {
            let advice = advice(&seen);
            assert!(advice.iter().any(|a| a.contains(want)), "{want:?} is not in {advice:?}");
        }
    }
}
