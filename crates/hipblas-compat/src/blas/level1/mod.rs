//! Level 1, with the functions whose types are arguments (`...Ex`): one file a routine, or a few that share everything.

mod axpy;
mod copy;
mod dot;
mod iamax;
mod nrm2;
mod rot;
mod rotg;
mod rotm;
mod scal;
