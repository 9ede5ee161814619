//! The solvers.

use blas_api::*;

crate::handle::unwritten! {
    getrf: GetrfDesc,
    getrs: GetrsDesc,
    getri: GetriDesc,
    geqrf: GeqrfDesc,
    gels: GelsDesc,
}
