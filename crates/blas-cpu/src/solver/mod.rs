//! Solver, one file a routine (a Hermitian routine is with its symmetric twin).

mod gels;
mod geqrf;
mod getrf;
mod getri;
mod getrs;

pub(crate) use gels::gels;
pub(crate) use geqrf::geqrf;
pub(crate) use getrf::getrf;
pub(crate) use getri::getri;
pub(crate) use getrs::getrs;
