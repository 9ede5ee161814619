//! What cuBLAS lacks, or does not do as the contract says: by several of its functions, by cuSOLVER, or by kernels of our own.

use std::any::Any;
use std::ffi::c_int;

use blas_api::{Location, RawHandle, Result};
use hipblas_abi::{Arguments, Elem, Form, Operand, calls, data_type, diag, fill, operation};

use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, launch, letter};
use crate::lapack::{self, Triangular};

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
    let plain = form == Form::Plain;
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(d) = is!(Amax) {
            let wide = args.beyond_i32(Form::Plain).is_some();
            return plain.then(|| extreme(h, "amax", types, d.n, d.x, d.result.cast(), wide));
        }
        if let Some(d) = is!(Amin) {
            let wide = args.beyond_i32(Form::Plain).is_some();
            return plain.then(|| extreme(h, "amin", types, d.n, d.x, d.result.cast(), wide));
        }
        if let Some(d) = is!(DotEx) {
            let double = d.x.dtype == data_type::R_32F && d.result_type == data_type::R_64F;
            return (plain && double).then(|| double_dot(h, routine, d));
        }
        if let Some(d) = is!(Spr) {
            let (elem, _) = types.filter(|(t, _)| plain && t.is_complex())?;
            return Some(spr(h, elem, d));
        }
        if let Some(d) = is!(Trtri) {
            return plain.then(|| trtri(h, routine, types, d));
        }
        if let Some(d) = is!(GemmEx) {
            return (d.a.dtype == data_type::R_8I && !fits(form, d))
                .then(|| if plain { gemm_i8(h, d) } else { h.one_by_one(routine, types, form, d) });
        }
        if let Some(d) = is!(Getrf) {
            return lapack::getrf(h, routine, types, form, d);
        }
        if let Some(d) = is!(Getrs) {
            return lapack::getrs(h, routine, types, form, d);
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
    }
    None
}

/// iamax, iamin: the first NaN if there is one, which cuBLAS passes over. In two steps: the best of each block, and of those.
unsafe fn extreme(
    h: &CudaHandle,
    name: &str,
    types: NameTypes,
    n: i64,
    x: Operand,
    result: *mut u8,
    wide: bool,
) -> Result {
    let elem = types.map_or(Elem::F32, |(t, _)| t);
    let count = blocks(n);
    let values = h.scratch(count as usize * elem.real().size())?;
    let indices = h.scratch(count as usize * size_of::<i64>())?;
    let bytes = if wide { size_of::<i64>() } else { size_of::<i32>() };
    let on_device = h.mode.get() == Some(Location::Device);
    let out = if on_device { result } else { h.scratch(bytes)? };
    let (first, last) = (format!("{name}_{}", letter(elem)), format!("{name}_last_{}", letter(elem.real())));
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        launch!(h, &first, [count, 1], n, x.ptr, x.ld, values, indices)?;
        launch!(h, &last, [1, 1], count, values, indices, out, c_int::from(wide))?;
        if on_device { Ok(()) } else { h.download(out, result, bytes) }
    }
}

/// dsdot, in f64 throughout.
unsafe fn double_dot(h: &CudaHandle, routine: &'static str, d: &calls::DotEx) -> Result {
    let n = usize::try_from(d.n).unwrap_or(0);
    let widened = |v: Operand| -> Result<Operand> {
        let wide = h.scratch(n * size_of::<f64>())?;
        // SAFETY: the caller's promise; the arguments are the kernel's own.
        unsafe { launch!(h, "widen", [blocks(d.n), 1], d.n, v.ptr, v.ld, wide) }?;
        Ok(Operand { ptr: wide.cast(), dtype: data_type::R_64F, ld: 1, stride: 0 })
    };
    let (x, y) = (widened(d.x)?, widened(d.y)?);
    let args = calls::Dot { n: d.n, x, y, batch: 1, result: d.result };
    // SAFETY: the caller's promise.
    unsafe { h.call(routine, Some((Elem::F64, Elem::F64)), Form::Plain, &args) }
}

/// spr of complex types.
unsafe fn spr(h: &CudaHandle, elem: Elem, d: &calls::Spr) -> Result {
    let upper = c_int::from(d.uplo == fill::UPPER);
    let grid = [blocks(d.n), blocks(d.n * 256)];
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        let alpha = h.coef(d.alpha, elem.size());
        let name = format!("spr_{}", letter(elem));
        launch!(h, &name, grid, upper, d.n, alpha, d.x.ptr, d.x.ld, d.ap.ptr)
    }
}

/// trtri: the solution of A * X = I, of which one triangle is copied.
unsafe fn trtri(h: &CudaHandle, routine: &'static str, types: NameTypes, d: &calls::Trtri) -> Result {
    let (elem, n) = (types.map_or(Elem::F32, |(t, _)| t), d.n);
    let len = usize::try_from(n).ok().and_then(|n| n.checked_mul(n)?.checked_mul(elem.size()));
    let Some(bytes) = len.filter(|&b| isize::try_from(b).is_ok()) else {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        return Err(blas_api::Error::Overflow { routine, operand: "scratch", factors: [n, n] });
    };
    let inverse = Operand { ptr: h.scratch(bytes)?.cast(), ld: n.max(1), ..d.inv };
    let (upper, unit) = (c_int::from(d.uplo == fill::UPPER), c_int::from(d.diag == diag::UNIT));
    let letter = letter(elem);
    let solve = Triangular { uplo: d.uplo, op: operation::N, diag: d.diag, m: n, n, a: d.a, b: inverse };
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        launch!(h, &format!("identity_{letter}"), [blocks(n * n), 1], n, inverse.ptr)?;
        solve.solve(h, routine, types)?;
        let grid = [blocks(n), blocks(n * 256)];
        let (from, to) = (inverse, d.inv);
        launch!(h, &format!("triangle_{letter}"), grid, upper, unit, n, from.ptr, from.ld, to.ptr, to.ld)
    }
}

/// Whether cuBLAS takes these operands of i8: it wants leading dimensions and addresses that are multiples of 4.
fn fits(form: Form, d: &calls::GemmEx) -> bool {
    [d.a, d.b].iter().all(|o| {
        // Entries of an array are not looked at one by one.
        let address = form != Form::Batched && o.ptr.addr().is_multiple_of(4);
        address && o.ld % 4 == 0 && (form == Form::Plain || o.stride % 4 == 0)
    })
}

/// gemm of i8 with i32 sums.
unsafe fn gemm_i8(h: &CudaHandle, d: &calls::GemmEx) -> Result {
    let transposed = |op| c_int::from(op != operation::N);
    let tiles = |n: i64| blocks(n * 16);
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        let (alpha, beta) = (h.coef(d.alpha, 4), h.coef(d.beta, 4));
        launch!(
            h,
            "gemm_i8",
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
