//! Solver, one file a routine.

mod batch;
mod column;
mod gels;
mod geqrf;
mod getrf;
mod getri;
mod getrs;
mod mat;
#[cfg(test)]
mod tests;

pub(crate) use gels::gels;
pub(crate) use geqrf::geqrf;
pub(crate) use getrf::getrf;
pub(crate) use getri::getri;
pub(crate) use getrs::getrs;
