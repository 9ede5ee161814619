//! Level 1.

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

use blas_api::{Result, Vector};

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::vectors::forwards;

/// x as a reduction that does not mind the order can take it. hipBLAS takes vectors of increment 0 or less for empty.
///
/// # Safety
/// The operand is there.
unsafe fn any_order(p: &Problem<'_, impl GpuHandle>, n: usize, x: Vector) -> Result<Vector> {
    if x.inc != 0 {
        return Ok(forwards(x));
    }
    // SAFETY: the caller's promise.
    unsafe { p.compacted(n, x, 1) }
}
