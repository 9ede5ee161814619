//! cuSOLVER on a handle.

use std::ffi::{c_int, c_void};

use blas_api::{Error, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Elem, Form, Numbers, Operand, operation, side};

use super::elem;
use crate::call::NameTypes;
use crate::cublas::InCublas;
use crate::cusolver::Cusolver;
use crate::handle::CudaHandle;

/// A size as cuSOLVER takes it.
pub(super) fn int(routine: &'static str, what: &'static str, value: i64) -> Result<c_int> {
    c_int::try_from(value).map_err(|_| Error::TooLarge {
        routine,
        what,
        value: usize::try_from(value).unwrap_or(usize::MAX),
        max: i32::MAX as usize,
    })
}

/// cuSOLVER on a handle, for the running call.
pub(super) struct Solver<'h> {
    h: &'h CudaHandle,
    routine: &'static str,
    pub(super) elem: Elem,
    pub(super) cusolver: &'static Cusolver,
    pub(super) handle: hipblas_abi::Handle,
}

impl<'h> Solver<'h> {
    pub(super) fn new(h: &'h CudaHandle, routine: &'static str, types: NameTypes) -> Result<Self> {
        let (cusolver, handle) = (h.library().cusolver()?, h.context().solver()?);
        Ok(Solver { h, routine, elem: elem(types), cusolver, handle })
    }

    /// Room for so many elements.
    pub(super) fn room(&self, len: i64) -> Result<*mut c_void> {
        let bytes = usize::try_from(len).unwrap_or(0).max(1).checked_mul(self.elem.size());
        let Some(bytes) = bytes.filter(|&b| isize::try_from(b).is_ok()) else {
            let factors = [usize::try_from(len).unwrap_or(usize::MAX), self.elem.size()];
            return Err(Error::Overflow { routine: self.routine, operand: "scratch", factors });
        };
        Ok(self.h.scratch(bytes)?.cast())
    }

    /// Room for a status word that nobody reads.
    pub(super) fn info(&self) -> Result<*mut c_void> {
        Ok(self.h.scratch(size_of::<i32>())?.cast())
    }

    pub(super) fn int(&self, what: &'static str, value: i64) -> Result<c_int> {
        int(self.routine, what, value)
    }

    /// A = Q * R in place.
    pub(super) unsafe fn geqrf(&self, m: i64, n: i64, a: Operand, tau: *mut c_void) -> Result {
        let (m, n, lda) = (self.int("m", m)?, self.int("n", n)?, self.int("lda", a.ld)?);
        let mut len = 0;
        // SAFETY: the caller's promise; the room has the size asked for.
        unsafe {
            self.cusolver.geqrf_size(self.routine, self.elem, self.handle, m, n, a.ptr, lda, &mut len)?;
            let (work, info) = (self.room(len.into())?, self.info()?);
            self.cusolver.geqrf(self.routine, self.elem, self.handle, m, n, a.ptr, lda, tau, work, len, info)
        }
    }

    /// C = op(Q) * C with the k reflectors of a factorisation; C is m x n. The op is N, or the adjoint.
    pub(super) unsafe fn times_q(
        &self,
        adjoint: bool,
        [m, n, k]: [i64; 3],
        a: Operand,
        tau: *mut c_void,
        c: Operand,
    ) -> Result {
        let op = match (adjoint, self.elem.is_complex()) {
            (false, _) => operation::N,
            (true, false) => operation::T,
            (true, true) => operation::C,
        };
        let (left, op) = (InCublas::side(side::LEFT), InCublas::operation(op));
        let (m, n, k) = (self.int("m", m)?, self.int("n", n)?, self.int("k", k)?);
        let (lda, ldc) = (self.int("lda", a.ld)?, self.int("ldb", c.ld)?);
        let (r, t, h, f) = (self.routine, self.elem, self.handle, self.cusolver);
        let mut len = 0;
        // SAFETY: the caller's promise; the room has the size asked for.
        unsafe {
            f.mqr_size(r, t, h, left, op, m, n, k, a.ptr, lda, tau, c.ptr, ldc, &mut len)?;
            let (work, info) = (self.room(len.into())?, self.info()?);
            f.mqr(r, t, h, left, op, m, n, k, a.ptr, lda, tau, c.ptr, ldc, work, len, info)
        }
    }
}

/// An operand as an array of pointers to its entries.
pub(super) fn array(h: &CudaHandle, operand: Operand, batch: i64, size: usize) -> Result<Operand> {
    let count = usize::try_from(batch).unwrap_or(0);
    let entry = |i| h.entry(Form::Strided, operand, (i, count), size).map(|p| p.cast());
    let entries = (0..count).map(entry).collect::<Result<Vec<*mut u8>>>()?;
    Ok(Operand { ptr: h.pointers(entries)?, stride: 0, ..operand })
}
