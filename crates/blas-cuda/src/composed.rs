//! What cuBLAS lacks, or does not do as the contract says: by several of its functions, by cuSOLVER, or by kernels of our own.

use std::any::Any;
use std::ffi::c_int;

use blas_api::{Error, Precision, RawHandle, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, Form, Operand, calls, data_type, diag, fill, operation};

use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};
use crate::lapack::{self, Triangular};
use crate::vectors::{self, is_wide};
use crate::{alpha, status};

/// Does a call that cuBLAS must not be given as it is. `None` for all others.
///
/// # Safety
/// As for [`CudaHandle::call`].
pub(crate) unsafe fn call<A: Arguments>(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    args: &A,
) -> Option<Result> {
    /// The arguments, if they are those of a row.
    macro_rules! is {
        ($row:ident) => {
            (args as &dyn Any).downcast_ref::<calls::$row>()
        };
    }
    let (plain, elem) = (form == Form::Plain, types.map_or(Elem::F32, |(t, _)| t));
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(d) = is!(Amax) {
            return plain.then(|| {
                vectors::extreme(h, ["amax", "amax_last"], types, d.n, d.x, d.result, is_wide(args))
            });
        }
        if let Some(d) = is!(Amin) {
            return plain.then(|| {
                vectors::extreme(h, ["amin", "amin_last"], types, d.n, d.x, d.result, is_wide(args))
            });
        }
        if let Some(d) = is!(Nrm2) {
            return plain.then(|| vectors::nrm2(h, (elem, elem.real()), d.n, d.x, d.result));
        }
        if let Some(d) = is!(Nrm2Ex) {
            let elem = vectors::half(d.x.dtype).filter(|_| plain && d.result_type == d.x.dtype)?;
            return Some(vectors::nrm2(h, (elem, elem), d.n, d.x, d.result));
        }
        if let Some(d) = is!(DotEx) {
            let double = d.x.dtype == data_type::R_32F && d.result_type == data_type::R_64F;
            return (plain && double).then(|| vectors::double_dot(h, routine, d));
        }
        if let Some(d) = is!(Scal) {
            let (_, real) = types.filter(|(t, second)| plain && t.is_complex() && !second.is_complex())?;
            return Some(vectors::real_scal(h, routine, real, d));
        }
        if let Some(d) = is!(Rotg) {
            return (plain && elem.is_complex()).then(|| vectors::rotg(h, elem, d));
        }
        if let Some(d) = is!(Rotmg) {
            return plain.then(|| vectors::rotmg(h, elem, d));
        }
        if let Some(d) = is!(Spr)
            && elem.is_complex()
        {
            return plain.then(|| spr(h, elem, d));
        }
        if let Some(d) = is!(Geam) {
            return (plain && copies(h, elem, d)).then(|| copy(h, elem, d));
        }
        if let Some(d) = is!(Trtri) {
            return plain.then(|| trtri(h, routine, types, d));
        }
        if let Some(d) = is!(GemmEx)
            && d.a.dtype == data_type::R_8I
        {
            return Some(match form {
                Form::Plain => gemm_i8(h, routine, d),
                _ => h.one_by_one(routine, types, form, d),
            });
        }
        if form == Form::Batched {
            let operands = match (is!(GemmEx), is!(Gemm)) {
                (Some(d), _) => Some([d.a, d.b, d.c]),
                (_, Some(d)) if h.policy().precision != Precision::Exact => Some([d.a, d.b, d.c]),
                _ => None,
            };
            match operands.map_or(Ok(true), |o| aligned(h, &o, args.batch_count())) {
                Ok(true) => {}
                Ok(false) => return Some(h.one_by_one(routine, types, form, args)),
                Err(e) => return Some(Err(e)),
            }
        }
        if let Some(d) = is!(Her2k)
            && plain
        {
            // cuBLAS reads the imaginary parts that a Hermitian matrix does not have.
            if let Err(e) = launch!(h, "real_diagonal", c_type(elem), [blocks(d.n), 1], d.n, d.c.ptr, d.c.ld)
            {
                return Some(Err(e));
            }
        }
        if let Some(d) = is!(Getrf) {
            return lapack::getrf(h, routine, types, form, d);
        }
        if let Some(d) = is!(Getrs) {
            return lapack::getrs(h, routine, types, form, d);
        }
        if let Some(d) = is!(Getri) {
            return Some(lapack::getri(h, routine, types, d));
        }
        if let Some(d) = is!(Geqrf) {
            return lapack::geqrf(h, routine, types, form, d);
        }
        if let Some(d) = is!(Gels) {
            return Some(match form {
                Form::Plain => lapack::gels(h, routine, types, d),
                _ => h.one_by_one(routine, types, form, d),
            });
        }
        alpha::call(h, routine, types, form, args)
    }
}

/// spr of complex types.
unsafe fn spr(h: &CudaHandle, elem: Elem, d: &calls::Spr) -> Result {
    let upper = c_int::from(d.uplo == fill::UPPER);
    let grid = [blocks(d.n), blocks(d.n * 256)];
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        let alpha = h.coef(d.alpha, elem.size());
        launch!(h, "spr", c_type(elem), grid, upper, d.n, alpha, d.x.ptr, d.x.ld, d.ap.ptr)
    }
}

/// Whether a geam is known to be op(A) itself.
fn copies(h: &CudaHandle, elem: Elem, d: &calls::Geam) -> bool {
    let one = lapack::one(elem);
    h.known(d.alpha, elem.size()).is_some_and(|v| v[..elem.size()] == one.0[..elem.size()])
        && h.known(d.beta, elem.size()).is_some_and(|v| v[..elem.size()].iter().all(|b| *b == 0))
}

/// C = op(A)
unsafe fn copy(h: &CudaHandle, elem: Elem, d: &calls::Geam) -> Result {
    let (transposed, conj) = (d.trans_a != operation::N, d.trans_a == operation::C);
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        launch!(
            h,
            "copy",
            c_type(elem),
            [tiles(d.m), tiles(d.n)],
            c_int::from(transposed),
            c_int::from(conj),
            d.m,
            d.n,
            d.a.ptr,
            d.a.ld,
            d.c.ptr,
            d.c.ld
        )
    }
}

/// Whether all matrices of a batch begin where cuBLAS may load 16 bytes at once. It cannot see that of arrays of pointers, and
/// goes by the leading dimensions: narrow types may begin elsewhere.
fn aligned(h: &CudaHandle, operands: &[Operand], batch: usize) -> Result<bool> {
    for &operand in operands {
        for i in 0..batch {
            let entry = h.entry(Form::Batched, operand, (i, batch), 1)?;
            if !entry.addr().is_multiple_of(16) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Blocks for tiles of 16.
fn tiles(n: i64) -> u32 {
    blocks(n.saturating_mul(16))
}

/// trtri: the solution of A * X = I, of which one triangle is copied.
unsafe fn trtri(h: &CudaHandle, routine: &'static str, types: NameTypes, d: &calls::Trtri) -> Result {
    let (elem, n) = (types.map_or(Elem::F32, |(t, _)| t), d.n);
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

/// gemm of i8 with i32 sums: by cuBLAS where it takes the operands, which must be aligned to 4, and the coefficients, which must
/// be 0 or 1.
unsafe fn gemm_i8(h: &CudaHandle, routine: &'static str, d: &calls::GemmEx) -> Result {
    let plain = |coef| {
        let value = h.known(coef, 4).map(|v| i32::from_ne_bytes([v[0], v[1], v[2], v[3]]));
        matches!(value, Some(0 | 1))
    };
    let aligned = [d.a, d.b].iter().all(|o| o.ptr.addr().is_multiple_of(4) && o.ld % 4 == 0);
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        if aligned && plain(d.alpha) && plain(d.beta) {
            match h.native(routine, None, Form::Plain, d) {
                Err(e) if status::is_cublas_status(&e, status::cublas::NOT_SUPPORTED) => {}
                other => return other,
            }
        }
        let transposed = |op| c_int::from(op != operation::N);
        let (alpha, beta) = (h.coef(d.alpha, 4), h.coef(d.beta, 4));
        launch!(
            h,
            "gemm",
            "signed char",
            [tiles(d.m), tiles(d.n)],
            transposed(d.trans_a),
            transposed(d.trans_b),
            d.m,
            d.n,
            d.k,
            alpha,
            d.a.ptr,
            d.a.ld,
            d.b.ptr,
            d.b.ld,
            beta,
            d.c.ptr,
            d.c.ld
        )
    }
}
