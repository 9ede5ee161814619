//! cuBLAS, whoever calls it: `blas-cuda`, or a hipBLAS for NVIDIA GPUs.

use blas_api::{Deviation, Routine};

const fn deviation(routine: Routine, rule: &'static str, reason: &'static str) -> Deviation {
    Deviation { routine, rule, reason }
}

const RECIPROCAL: &str = "cuBLAS multiplies by the reciprocal of a pivot, which is rounded and may overflow";
const INVERSES: &str = "cuBLAS multiplies by inverses of blocks on the diagonal";
const WHOLE_TILES: &str = "cuBLAS multiplies whole tiles, with zeros for the other triangle";
const SQUARES: &str =
    "cuBLAS divides by a complex pivot by way of the square of its modulus, which underflows";
const ZERO_PIVOT: &str = "cuBLAS's batched factorisation goes wrong after a pivot of exactly zero";

/// Rules that cuBLAS does not keep, as seen with its release 13.1 on an H200.
pub const DEVIATIONS: &[Deviation] = &[
    deviation(Routine::Trsv, "pivot", RECIPROCAL),
    deviation(Routine::Tbsv, "pivot", RECIPROCAL),
    deviation(Routine::Tpsv, "pivot", RECIPROCAL),
    deviation(Routine::Trsm, "exact", INVERSES),
    deviation(Routine::Trsm, "dtrsm-right-subnormal-diag", SQUARES),
    deviation(Routine::Trmv, "nan", WHOLE_TILES),
    deviation(Routine::Tpmv, "nan", WHOLE_TILES),
    deviation(Routine::Trmm, "nan", WHOLE_TILES),
    deviation(Routine::Getrf, "singular", ZERO_PIVOT),
];
