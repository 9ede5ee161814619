//! The case tables: one file a family, one function a routine, found through the list of routines.

use blas_api::{Backend, Routine, for_each_routine};

use crate::table::Table;

mod asum;
mod axpby;
mod axpy;
mod copy;
mod dgmm;
mod dot;
mod exact;
mod gbmv;
mod geam;
mod gels;
mod gemm;
mod gemv;
mod geqrf;
mod ger;
mod getrf;
mod getri;
mod getrs;
mod iamax;
mod limits;
mod matvec;
mod nrm2;
mod rot;
mod rotg;
mod rotm;
mod rotmg;
mod scal;
mod swap;
mod symm;
mod symv;
mod syr;
mod syr2;
mod syr2k;
mod syrk;
mod trmm;
mod trmv;
mod trsm;
mod trsv;
mod trtri;

use asum::asum;
use axpby::axpby;
use axpy::axpy;
use copy::copy;
use dgmm::dgmm;
use dot::{dot, dotc, dsdot};
use gbmv::gbmv;
use geam::geam;
use gels::gels;
use gemm::{gemm, gemm_ex};
use gemv::gemv;
use geqrf::geqrf;
use ger::{ger, gerc, geru};
use getrf::getrf;
use getri::getri;
use getrs::getrs;
use iamax::{iamax, iamin};
use nrm2::nrm2;
use rot::rot;
use rotg::rotg;
use rotm::rotm;
use rotmg::rotmg;
use scal::scal;
use swap::swap;
use symm::{hemm, symm};
use symv::{hbmv, hemv, hpmv, sbmv, spmv, symv};
use syr::{her, hpr, spr, syr};
use syr2::{her2, hpr2, spr2, syr2};
use syr2k::{her2k, herkx, syr2k, syrkx};
use syrk::{herk, syrk};
use trmm::trmm;
use trmv::{tbmv, tpmv, trmv};
use trsm::trsm;
use trsv::{tbsv, tpsv, trsv};
use trtri::trtri;

macro_rules! registry { ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
    /// Registers the scenarios of a routine. A routine without a function of its name does not compile, one that
    /// registers nothing fails its cells.
    pub(crate) fn register<B: Backend>(routine: Routine, table: &mut Table<B>) {
        match routine {
            $(Routine::$variant => $name(table),)*
            _ => {}
        }
    }
}}
for_each_routine!(registry);
