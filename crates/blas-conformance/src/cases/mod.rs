//! The case tables: one file a family, one function a routine, found through the list of routines.

use blas_api::{Backend, Routine, for_each_routine};

use crate::table::Table;

mod asum;
mod axpby;
mod axpy;
mod copy;
mod dot;
mod exact;
mod gbmv;
mod gels;
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
mod symv;
mod syr;
mod syr2;
mod trmv;
mod trsv;

use asum::asum;
use axpby::axpby;
use axpy::axpy;
use copy::copy;
use dot::{dot, dotc, dsdot};
use gbmv::gbmv;
use gels::gels;
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
use symv::{hbmv, hemv, hpmv, sbmv, spmv, symv};
use syr::{her, hpr, spr, syr};
use syr2::{her2, hpr2, spr2, syr2};
use trmv::{tbmv, tpmv, trmv};
use trsv::{tbsv, tpsv, trsv};

/// Routines whose cases are still to be written: their cells fail.
macro_rules! unwritten { ($($name:ident)*) => {$(
    fn $name<B: Backend>(_: &mut Table<B>) {}
)*}}
unwritten! {
    gemm gemm_ex symm hemm syrk herk syr2k her2k syrkx herkx trmm trsm trtri geam dgmm
}

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
