//! The LAPACK-like routines.

mod gels;
mod geqrf;
mod getrf;
mod getri;
mod getrs;
mod info;
mod pivots;

pub(crate) use gels::gels;
pub(crate) use geqrf::geqrf;
pub(crate) use getrf::getrf;
pub(crate) use getri::getri;
pub(crate) use getrs::getrs;
