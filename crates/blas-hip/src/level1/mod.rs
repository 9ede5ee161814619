//! Level 1.

use blas_api::*;

crate::handle::unwritten! {
    swap: SwapDesc,
    scal: ScalDesc,
    copy: CopyDesc,
    axpy: AxpyDesc,
    axpby: AxpbyDesc,
    dot: DotDesc,
    dotc: DotDesc,
    dsdot: DotDesc,
    nrm2: ReduceDesc,
    asum: ReduceDesc,
    iamax: ReduceDesc,
    iamin: ReduceDesc,
    rot: RotDesc,
    rotg: RotgDesc,
    rotm: RotmDesc,
    rotmg: RotmgDesc,
}
