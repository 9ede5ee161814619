//! Level1, one file a routine (a Hermitian routine is with its symmetric twin).

mod asum;
mod axpby;
mod axpy;
mod copy;
mod dot;
mod iamax;
mod nrm2;
mod rot;
mod rotg;
mod rotm;
mod rotmg;
mod scal;
mod swap;

pub(crate) use asum::asum;
pub(crate) use axpby::axpby;
pub(crate) use axpy::axpy;
pub(crate) use copy::copy;
pub(crate) use dot::{dot, dotc, dsdot};
pub(crate) use iamax::{iamax, iamin};
pub(crate) use nrm2::nrm2;
pub(crate) use rot::rot;
pub(crate) use rotg::rotg;
pub(crate) use rotm::rotm;
pub(crate) use rotmg::rotmg;
pub(crate) use scal::scal;
pub(crate) use swap::swap;
