//! trtri.

use std::ffi::c_int;

use blas_api::{Error, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Operand, calls, diag, fill, operation};

use super::elem;
use super::trsm::Triangular;
use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

/// trtri: the solution of A * X = I, of which one triangle is copied.
pub(super) unsafe fn trtri(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    d: &calls::Trtri,
) -> Result {
    let (elem, n) = (elem(types), d.n);
    let len = usize::try_from(n).ok().and_then(|n| n.checked_mul(n)?.checked_mul(elem.size()));
    let Some(bytes) = len.filter(|&b| isize::try_from(b).is_ok()) else {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        return Err(Error::Overflow { routine, operand: "scratch", factors: [n, n] });
    };
    let inverse = Operand { ptr: h.scratch(bytes)?.cast(), ld: n.max(1), ..d.inv };
    let (upper, unit) = (c_int::from(d.uplo == fill::UPPER), c_int::from(d.diag == diag::UNIT));
    let of = c_type(elem);
    let solve = Triangular { uplo: d.uplo, op: operation::N, diag: d.diag, m: n, n, a: d.a, b: inverse };
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        launch!(h, "identity", of, [blocks(n * n), 1], n, inverse.ptr)?;
        solve.solve(h, routine, types)?;
        let grid = [blocks(n), blocks(n * 256)];
        let (from, to) = (inverse, d.inv);
        launch!(h, "triangle", of, grid, upper, unit, n, from.ptr, from.ld, to.ptr, to.ld)
    }
}
