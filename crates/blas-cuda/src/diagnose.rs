//! What there is of CUDA on this machine, and what to do about what there is not.

use std::ffi::OsString;

use blas_api::{Diagnosis, Error, Result};

use crate::library::Library;
use crate::loader::DRIVER_NAME;
use crate::status;

/// The variables that decide what is found, and what computes.
const VARIABLES: [&str; 11] = [
    "ANYBLAS_CUDA_PATH",
    "CUDA_PATH",
    "CUDA_HOME",
    "LD_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CUDA_VISIBLE_DEVICES",
    "CUBLAS_WORKSPACE_CONFIG",
    "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_EMULATE_SINGLE_PRECISION",
    "CUBLAS_EMULATE_DOUBLE_PRECISION",
];

/// The variables that let cuBLAS compute less exactly than it is asked to, whatever a handle's policies are.
const LESS_EXACT: [&str; 3] =
    ["NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_SINGLE_PRECISION", "CUBLAS_EMULATE_DOUBLE_PRECISION"];

/// The device file of NVIDIA's kernel driver.
const CONTROL: &str = "/dev/nvidiactl";

/// Everything, on the machine and in the environment of this process.
pub(crate) fn diagnose() -> Diagnosis {
    let mut d = Diagnosis::default();
    let library = Library::get();
    let devices = library.clone().and_then(|l| l.devices());
    let set: Vec<(&str, OsString)> =
        VARIABLES.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))).collect();

    let mut companions = Ok(());
    match &library {
        Ok(l) => {
            about_library(&mut d, l);
            d.devices(&devices);
            companions = l.nvrtc().map(|_| ()).and(l.cusolver().map(|_| ()));
            d.fact(
                "NVRTC and cuSOLVER",
                companions.as_ref().map_or_else(Error::to_string, |()| "found".into()),
            );
        }
        Err(why) => d.fact("libraries", why.to_string()),
    }
    let control = std::path::Path::new(CONTROL).exists();
    d.fact(CONTROL, if control { "there" } else { "not there" });
    for (name, value) in &set {
        d.fact(*name, value.display().to_string());
    }
    let unset: Vec<_> = VARIABLES.into_iter().filter(|name| !set.iter().any(|(n, _)| n == name)).collect();
    d.fact("not set", unset.join(", "));

    let variables = set.iter().map(|(name, _)| *name).collect();
    d.advice = advice(&Seen { found: devices.map(|_| ()), companions, control, variables });
    d
}

fn about_library(d: &mut Diagnosis, l: &Library) {
    d.fact("driver", l.driver_path.display().to_string());
    d.fact("driver supports CUDA", l.driver_version());
    d.fact("cuBLAS", l.cublas_path.display().to_string());
    d.fact("cuBLAS version", l.cublas_version().unwrap_or_else(|e| e.to_string()));
    d.fact("looked in", l.tried.join("\n"));
}

/// What advice depends on.
struct Seen {
    /// The libraries and the devices.
    found: Result,
    /// NVRTC and cuSOLVER.
    companions: Result,
    /// Whether the kernel driver's device file is there.
    control: bool,
    /// The variables that are set.
    variables: Vec<&'static str>,
}

const INSTALL: &str = "Install a CUDA toolkit of release 12 or 13, or the Python packages of its libraries (nvidia-cublas, \
    nvidia-cusolver, nvidia-cuda-nvrtc), or set ANYBLAS_CUDA_PATH to the folder that has libcublas.so.N.";

fn advice(seen: &Seen) -> Vec<String> {
    let mut advice = Vec::new();
    let mut say = |text: &str| advice.push(text.to_owned());
    let set = |name| seen.variables.contains(&name);
    match &seen.found {
        Err(Error::Load { what, .. }) if what == DRIVER_NAME => say(
            "There is no NVIDIA driver: install it, version 525 or later. A container needs the NVIDIA container toolkit and \
             --gpus all, which bring the host's driver in.",
        ),
        Err(Error::Load { .. }) if set("ANYBLAS_CUDA_PATH") => say(
            "No library was found in the folders of ANYBLAS_CUDA_PATH. Correct it, or unset it to search the system.",
        ),
        Err(Error::Load { .. }) => say(INSTALL),
        Err(Error::NoDevice { .. }) => {
            if set("CUDA_VISIBLE_DEVICES") {
                say("CUDA_VISIBLE_DEVICES is set, and may hide the GPUs.");
            }
            if !seen.control {
                say(
                    "There is no /dev/nvidiactl: the kernel driver is not loaded. A container needs --gpus all.",
                );
            }
        }
        Err(e) if status::is_driver(e, status::driver::DRIVER_MISMATCH) => say(
            "The kernel driver is of another version than libcuda, as after an update: restart the machine.",
        ),
        Err(_) => say("The driver answered with an error: nvidia-smi may tell more."),
        Ok(()) => {}
    }
    if seen.companions.is_err() {
        say(
            "NVRTC or cuSOLVER is missing: some routines will be errors. They come with the toolkit that has cuBLAS.",
        );
    }
    for name in LESS_EXACT.into_iter().filter(|name| set(name)) {
        say(&format!("{name} is set: cuBLAS may compute less exactly than a handle's policy says."));
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    fn healthy() -> Seen {
        Seen { found: Ok(()), companions: Ok(()), control: true, variables: Vec::new() }
    }

    #[test]
    fn a_healthy_machine_needs_no_advice() {
        assert_eq!(advice(&healthy()), Vec::<String>::new());
    }

    #[test]
    fn each_failure_has_its_advice() {
        let load = |what: &str| Err(Error::Load { what: what.to_owned(), tried: Vec::new() });
        let none = || Err(Error::NoDevice { name: "cuda".to_owned(), why: String::new() });
        let mismatch = Err(Error::Device {
            routine: "load",
            call: "cuInit",
            status: String::new(),
            code: status::driver::DRIVER_MISMATCH.into(),
        });
        let cases = [
            (Seen { found: load(DRIVER_NAME), ..healthy() }, "525 or later"),
            (Seen { found: load("libcublas"), ..healthy() }, "Install a CUDA toolkit"),
            (
                Seen { found: load("libcublas"), variables: vec!["ANYBLAS_CUDA_PATH"], ..healthy() },
                "folders of ANYBLAS_CUDA_PATH",
            ),
            (Seen { found: none(), control: false, ..healthy() }, "no /dev/nvidiactl"),
            (Seen { found: none(), variables: vec!["CUDA_VISIBLE_DEVICES"], ..healthy() }, "may hide"),
            (Seen { found: mismatch, ..healthy() }, "restart the machine"),
            (Seen { companions: load("libnvrtc.so.13"), ..healthy() }, "NVRTC or cuSOLVER is missing"),
            (Seen { variables: vec!["NVIDIA_TF32_OVERRIDE"], ..healthy() }, "less exactly"),
        ];
        for (seen, want) in cases {
            let advice = advice(&seen);
            assert!(advice.iter().any(|a| a.contains(want)), "{want:?} is not in {advice:?}");
        }
    }
}
