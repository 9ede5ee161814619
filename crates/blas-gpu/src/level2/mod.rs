//! Level 2. Where conj(A) is asked for, the conjugate of the whole problem is solved: vectors are conjugated, not
//! matrices.

mod gbmv;
mod gemv;
mod ger;
mod sbmv;
mod spmv;
mod spr;
mod spr2;
mod symv;
mod syr;
mod syr2;
mod tbmv;
mod tpmv;
mod trmv;

pub(crate) use gbmv::gbmv;
pub(crate) use gemv::gemv;
pub(crate) use ger::{ger, gerc, geru};
pub(crate) use sbmv::{hbmv, sbmv};
pub(crate) use spmv::{hpmv, spmv};
pub(crate) use spr::{hpr, spr};
pub(crate) use spr2::{hpr2, spr2};
pub(crate) use symv::{hemv, symv};
pub(crate) use syr::{her, syr};
pub(crate) use syr2::{her2, syr2};
pub(crate) use tbmv::{tbmv, tbsv};
pub(crate) use tpmv::{tpmv, tpsv};
pub(crate) use trmv::{trmv, trsv};
