//! What the backend has, and which rules of the contract the loaded library does not keep.

use blas_api::{Deviation, DeviceId, Routine, Support, Types};
use hipblas_abi::{Family, Form, Function};

use crate::library::Library;

/// Whether a routine is there for some types. `library` is that of a handle; without one, the answer is for the newest.
pub(crate) fn supports(library: Option<&Library>, routine: Routine, types: Types) -> Support {
    if !routine.types().contains(&types) {
        return Support::No("not defined by the contract");
    }
    if routine == Routine::Gels && library.is_some_and(|l| !has(l, "gels")) {
        return Support::No("hipBLAS has it from 0.53 on, that of ROCm 5.4");
    }
    Support::Yes
}

/// Whether a library has a family of functions.
fn has(library: &Library, name: &str) -> bool {
    let family = Family::named(name);
    family.is_some_and(|family| library.has(Function { family, typing: 0, form: Form::Plain, wide: false }))
}

/// Rules that a library does not keep. No AMD GPU was there to see it: these are known from the source of rocBLAS, and
/// are so for a library that computes with it. On an NVIDIA GPU it is cuBLAS that computes.
pub(crate) fn deviations(library: &Library, device: DeviceId) -> &'static [Deviation] {
    match library.rocblas() {
        Some(_) => ROCBLAS,
        None if library.arch(device).is_ok_and(|arch| arch.starts_with(NVIDIA)) => {
            blas_gpu::cublas::DEVIATIONS
        }
        None => &[],
    }
}

const fn deviation(routine: Routine, rule: &'static str, reason: &'static str) -> Deviation {
    Deviation { routine, rule, reason }
}

/// How the architectures of NVIDIA GPUs start.
const NVIDIA: &str = "compute_";
const UNORDERED: &str = "rocBLAS compares with > and <, which no NaN passes";

const ROCBLAS: &[Deviation] = &[
    deviation(Routine::Nrm2, "extremes", "rocBLAS sums squares that it has not scaled"),
    deviation(Routine::Iamax, "first_nan", UNORDERED),
    deviation(Routine::Iamin, "first_nan", UNORDERED),
    deviation(Routine::Iamax, "rocblas-style-tree-argmax-nan", UNORDERED),
    deviation(
        Routine::Trtri,
        "untouched",
        "rocBLAS fills the rest of an inverse out of place with zeros, and writes the ones of a unit diagonal",
    ),
];
