//! Level 3. Ops that hipBLAS lacks are made by copying the operand.

mod dgmm;
mod geam;
pub(crate) mod gemm;
mod symm;
mod syr2k;
mod syrk;
mod trmm;
mod trsm;
mod trtri;

pub(crate) use dgmm::dgmm;
pub(crate) use geam::geam;
pub(crate) use gemm::{gemm, gemm_ex};
pub(crate) use symm::{hemm, symm};
pub(crate) use syr2k::{her2k, herkx, syr2k, syrkx};
pub(crate) use syrk::{herk, syrk};
pub(crate) use trmm::trmm;
pub(crate) use trsm::trsm;
pub(crate) use trtri::trtri;

use blas_api::Trans;

/// The ops that most operands may have.
const ALL_OPS: &[Trans] = &[Trans::N, Trans::T, Trans::C];
/// For operands that the library takes as they are.
const NO_OP: &[Trans] = &[Trans::N];
/// The ops of symmetric updates.
const SYMMETRIC_OPS: &[Trans] = &[Trans::N, Trans::T];
/// The ops of Hermitian updates.
const HERMITIAN_OPS: &[Trans] = &[Trans::N, Trans::C];
