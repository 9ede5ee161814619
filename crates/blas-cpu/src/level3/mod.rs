//! Level3, one file a routine (a Hermitian routine is with its symmetric twin).

mod dgmm;
mod geam;
mod gemm;
mod rank;
mod symm;
mod syr2k;
mod syrk;
mod syrkx;
mod triangular;
mod trmm;
mod trsm;
mod trtri;

pub(crate) use dgmm::dgmm;
pub(crate) use geam::geam;
pub(crate) use gemm::{gemm, gemm_ex};
pub(crate) use symm::{hemm, symm};
pub(crate) use syr2k::{her2k, syr2k};
pub(crate) use syrk::{herk, syrk};
pub(crate) use syrkx::{herkx, syrkx};
pub(crate) use trmm::trmm;
pub(crate) use trsm::trsm;
pub(crate) use trtri::trtri;
