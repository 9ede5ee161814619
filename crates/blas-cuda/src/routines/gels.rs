//! gels.

use std::ffi::c_int;

use blas_api::Result;
use hipblas_abi::{Operand, calls, diag, fill, operation};

use super::cusolver::Solver;
use super::geam::transpose;
use super::trsm::Triangular;
use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{c_type, launch};

/// gels of one problem, by the QR factorisation of A, or of its adjoint if that is the tall one: least squares where op(A) is
/// tall, else the solution of minimum norm. cuBLAS has the former alone.
pub(super) unsafe fn gels(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    d: &calls::Gels,
) -> Result {
    let s = Solver::new(h, routine, types)?;
    let tall = d.m >= d.n;
    let (rows, cols) = (d.m.max(d.n), d.m.min(d.n));
    let adjoint = if s.elem.is_complex() { operation::C } else { operation::T };
    // SAFETY: the caller's promise; scratch memory is apart.
    unsafe {
        let f = if tall {
            d.a
        } else {
            let f = Operand { ptr: s.room(rows * cols)?, ld: rows, ..d.a };
            transpose(h, routine, types, adjoint, [rows, cols], d.a, f)?;
            f
        };
        let tau = s.room(cols)?;
        s.geqrf(rows, cols, f, tau)?;
        launch!(h, "zero_on_diagonal", c_type(s.elem), [1, 1], cols, f.ptr, f.ld, d.device_info)?;
        let triangular = |op| solve(h, routine, types, op, [cols, d.nrhs], f, d.b);
        if (d.trans == operation::N) == tall {
            s.times_q(true, [rows, d.nrhs, cols], f, tau, d.b)?;
            triangular(operation::N)?;
        } else {
            triangular(adjoint)?;
            let size = s.elem.size();
            h.fill_2d(
                d.b.ptr.cast::<u8>().wrapping_add(cols as usize * size),
                d.b.ld as usize * size,
                0,
                (rows - cols) as usize * size,
                d.nrhs as usize,
            )?;
            s.times_q(false, [rows, d.nrhs, cols], f, tau, d.b)?;
        }
        if tall { Ok(()) } else { transpose(h, routine, types, adjoint, [cols, rows], f, d.a) }
    }
}

/// Solves op(R) * X = B in place of B, R upper triangular of order m, B m x n.
unsafe fn solve(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    op: c_int,
    [m, n]: [i64; 2],
    r: Operand,
    b: Operand,
) -> Result {
    let args = Triangular { uplo: fill::UPPER, op, diag: diag::NON_UNIT, m, n, a: r, b };
    // SAFETY: the caller's promise.
    unsafe { args.solve(h, routine, types) }
}
