//! The LAPACK-like routines: one problem by cuSOLVER, many by cuBLAS's batched functions.

use std::ffi::{c_int, c_void};

use blas_api::{Error, Location, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, Form, Numbers, Operand, calls, diag, fill, operation, side};

use crate::call::NameTypes;
use crate::cublas::InCublas;
use crate::cusolver::Cusolver;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

/// A size as cuSOLVER takes it.
fn int(routine: &'static str, what: &'static str, value: i64) -> Result<c_int> {
    c_int::try_from(value).map_err(|_| Error::TooLarge {
        routine,
        what,
        value: usize::try_from(value).unwrap_or(usize::MAX),
        max: i32::MAX as usize,
    })
}

/// The type of a solver's function.
fn elem(types: NameTypes) -> Elem {
    types.map_or(Elem::F32, |(t, _)| t)
}

/// cuSOLVER on a handle, for the running call.
struct Solver<'h> {
    h: &'h CudaHandle,
    routine: &'static str,
    elem: Elem,
    cusolver: &'static Cusolver,
    handle: hipblas_abi::Handle,
}

impl<'h> Solver<'h> {
    fn new(h: &'h CudaHandle, routine: &'static str, types: NameTypes) -> Result<Self> {
        let (cusolver, handle) = (h.library().cusolver()?, h.context().solver()?);
        Ok(Solver { h, routine, elem: elem(types), cusolver, handle })
    }

    /// Room for so many elements.
    fn room(&self, len: i64) -> Result<*mut c_void> {
        let bytes = usize::try_from(len).unwrap_or(0).max(1).checked_mul(self.elem.size());
        let Some(bytes) = bytes.filter(|&b| isize::try_from(b).is_ok()) else {
            let factors = [usize::try_from(len).unwrap_or(usize::MAX), self.elem.size()];
            return Err(Error::Overflow { routine: self.routine, operand: "scratch", factors });
        };
        Ok(self.h.scratch(bytes)?.cast())
    }

    /// Room for a status word that nobody reads.
    fn info(&self) -> Result<*mut c_void> {
        Ok(self.h.scratch(size_of::<i32>())?.cast())
    }

    fn int(&self, what: &'static str, value: i64) -> Result<c_int> {
        int(self.routine, what, value)
    }

    /// A = Q * R in place.
    unsafe fn geqrf(&self, m: i64, n: i64, a: Operand, tau: *mut c_void) -> Result {
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
    unsafe fn times_q(
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
fn array(h: &CudaHandle, operand: Operand, batch: i64, size: usize) -> Result<Operand> {
    let count = usize::try_from(batch).unwrap_or(0);
    let entry = |i| h.entry(Form::Strided, operand, (i, count), size).map(|p| p.cast());
    let entries = (0..count).map(entry).collect::<Result<Vec<*mut u8>>>()?;
    Ok(Operand { ptr: h.pointers(entries)?, stride: 0, ..operand })
}

/// getrf of square matrices.
pub(crate) unsafe fn getrf(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    d: &calls::Getrf,
) -> Option<Result> {
    // SAFETY: the caller's promise.
    unsafe {
        match form {
            Form::Plain => Some((|| {
                let s = Solver::new(h, routine, types)?;
                let (n, lda) = (s.int("n", d.n)?, s.int("lda", d.a.ld)?);
                let mut len = 0;
                s.cusolver.getrf_size(routine, s.elem, s.handle, n, n, d.a.ptr, lda, &mut len)?;
                let work = s.room(len.into())?;
                s.cusolver.getrf(routine, s.elem, s.handle, n, n, d.a.ptr, lda, work, d.pivots.ptr, d.info)
            })()),
            // The batched function wants the pivots of an entry right after those of the one before.
            Form::Strided if d.pivots.ptr.is_null() || d.pivots.stride == d.n => Some((|| {
                let a = array(h, d.a, d.batch, elem(types).size())?;
                h.call(routine, types, Form::Batched, &calls::Getrf { a, ..*d })
            })()),
            Form::Strided => Some(h.one_by_one(routine, types, form, d)),
            Form::Batched => None,
        }
    }
}

/// getrs.
pub(crate) unsafe fn getrs(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    d: &calls::Getrs,
) -> Option<Result> {
    // SAFETY: the caller's promise.
    unsafe {
        match form {
            Form::Plain => Some((|| {
                let s = Solver::new(h, routine, types)?;
                let (n, nrhs) = (s.int("n", d.n)?, s.int("nrhs", d.nrhs)?);
                let (lda, ldb) = (s.int("lda", d.a.ld)?, s.int("ldb", d.b.ld)?);
                let (op, info) = (InCublas::operation(d.trans), s.info()?);
                s.cusolver.getrs(
                    routine,
                    s.elem,
                    s.handle,
                    op,
                    n,
                    nrhs,
                    d.a.ptr,
                    lda,
                    d.pivots.ptr,
                    d.b.ptr,
                    ldb,
                    info,
                )
            })()),
            Form::Strided if d.pivots.ptr.is_null() || d.pivots.stride == d.n => Some((|| {
                let size = elem(types).size();
                let (a, b) = (array(h, d.a, d.batch, size)?, array(h, d.b, d.batch, size)?);
                h.call(routine, types, Form::Batched, &calls::Getrs { a, b, ..*d })
            })()),
            Form::Strided => Some(h.one_by_one(routine, types, form, d)),
            Form::Batched => None,
        }
    }
}

/// geqrf.
pub(crate) unsafe fn geqrf(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    d: &calls::Geqrf,
) -> Option<Result> {
    // SAFETY: the caller's promise.
    unsafe {
        match form {
            Form::Plain => {
                Some(Solver::new(h, routine, types).and_then(|s| s.geqrf(d.m, d.n, d.a, d.tau.ptr)))
            }
            Form::Strided => Some((|| {
                let size = elem(types).size();
                let (a, tau) = (array(h, d.a, d.batch, size)?, array(h, d.tau, d.batch, size)?);
                h.call(routine, types, Form::Batched, &calls::Geqrf { a, tau, ..*d })
            })()),
            Form::Batched => None,
        }
    }
}

/// getri of arrays of matrices. cuBLAS writes inverses of singular matrices too, and tells of another zero pivot than the
/// first.
pub(crate) unsafe fn getri(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    d: &calls::Getri,
) -> Result {
    // Nothing else inverts, least of all a call for each matrix, which would come here again.
    if !h.has::<calls::Getri>(types, Form::Batched, false) {
        return Err(h.library().missing(calls::Getri::FAMILY));
    }
    let (elem, n, batch) = (elem(types), int(routine, "n", d.n)?, int(routine, "batch", d.batch)?);
    let (len, count) = (n.unsigned_abs() as usize, batch.unsigned_abs() as usize);
    let entry = len.checked_mul(len).and_then(|l| l.checked_mul(elem.size()));
    let bytes = entry.and_then(|e| e.checked_mul(count)).filter(|&b| isize::try_from(b).is_ok());
    let (Some(entry), Some(bytes)) = (entry, bytes) else {
        return Err(Error::Overflow { routine, operand: "scratch", factors: [len * len, count] });
    };
    let room = h.scratch(bytes)?;
    let inverses = h.pointers((0..count).map(|i| room.wrapping_add(i * entry)).collect())?;
    let info = h.scratch(count * size_of::<i32>())?;
    let c = Operand { ptr: inverses, ld: d.n.max(1), ..d.c };
    let of = c_type(elem);
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        h.native(routine, types, Form::Batched, &calls::Getri { c, info: info.cast(), ..*d })?;
        let grid = batch.unsigned_abs().clamp(1, 65_535);
        launch!(h, "singular", of, [grid, 1], d.n, d.batch, d.a.ptr, d.a.ld, d.info)?;
        let blocks = blocks(d.n * d.n);
        launch!(h, "keep", of, [blocks, grid], d.n, d.batch, inverses, d.c.ptr, d.c.ld, d.info)
    }
}

/// gels of one problem, by the QR factorisation of A, or of its adjoint if that is the tall one: least squares where op(A) is
/// tall, else the solution of minimum norm. cuBLAS has the former alone.
pub(crate) unsafe fn gels(
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
            copy(h, routine, types, adjoint, [rows, cols], d.a, f)?;
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
        if tall { Ok(()) } else { copy(h, routine, types, adjoint, [cols, rows], f, d.a) }
    }
}

/// 0 of any type.
const ZERO: Bytes = Bytes([0; 16]);

/// Bytes of a coefficient, aligned for any type.
#[repr(C, align(16))]
pub(crate) struct Bytes(pub(crate) [u8; 16]);

/// 1 of a type, on the host.
pub(crate) fn one(elem: Elem) -> Bytes {
    let mut bytes = [0; 16];
    match elem.real() {
        Elem::F32 => bytes[..4].copy_from_slice(&1f32.to_ne_bytes()),
        _ => bytes[..8].copy_from_slice(&1f64.to_ne_bytes()),
    }
    Bytes(bytes)
}

/// to = op(from), `to` m x n.
unsafe fn copy(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    op: c_int,
    [m, n]: [i64; 2],
    from: Operand,
    to: Operand,
) -> Result {
    let one = one(elem(types));
    let (alpha, beta) = (one.0.as_ptr().cast(), ZERO.0.as_ptr().cast());
    let args = calls::Geam {
        trans_a: op,
        trans_b: operation::N,
        m,
        n,
        alpha,
        a: from,
        beta,
        b: to,
        c: to,
        batch: 1,
    };
    h.pointer_mode(Location::Host)?;
    // SAFETY: the caller's promise; beta is 0, so that the old content is not read.
    unsafe { h.call(routine, types, Form::Plain, &args) }
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

/// A triangular solve from the left.
pub(crate) struct Triangular {
    pub(crate) uplo: c_int,
    pub(crate) op: c_int,
    pub(crate) diag: c_int,
    pub(crate) m: i64,
    pub(crate) n: i64,
    pub(crate) a: Operand,
    pub(crate) b: Operand,
}

impl Triangular {
    /// Solves op(A) * X = B in place of B.
    ///
    /// # Safety
    /// The operands are there.
    pub(crate) unsafe fn solve(&self, h: &CudaHandle, routine: &'static str, types: NameTypes) -> Result {
        let one = one(elem(types));
        let Triangular { uplo, op: trans_a, diag, m, n, a, b } = *self;
        let alpha = one.0.as_ptr().cast();
        let args = calls::Trsm { side: side::LEFT, uplo, trans_a, diag, m, n, alpha, a, b, batch: 1 };
        h.pointer_mode(Location::Host)?;
        // SAFETY: the caller's promise.
        unsafe { h.call(routine, types, Form::Plain, &args) }
    }
}
