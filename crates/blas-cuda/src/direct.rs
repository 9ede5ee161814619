//! The calls that programs make most, in the form that they mostly have: real types, coefficients on the host, alpha not zero, one
//! problem or a strided batch, sizes of 32 bits. cuBLAS has a function for such a call as it is, and nothing is to be
//! lowered: straight to it, a call takes half as long on the host. Any other is `None` here.

use std::ffi::{c_int, c_void};
use std::ptr::from_ref;

use blas_api::*;
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, Form, Operand, calls, data_type};

use crate::call::NameTypes;
use crate::cublas::{COMPUTE_32F, GEMM_DEFAULT};
use crate::handle::CudaHandle;

/// C = alpha * op(A) * op(B) + beta * C
///
/// # Safety
/// As for the raw call.
pub(crate) unsafe fn gemm(h: &CudaHandle, d: &GemmDesc) -> Option<Result> {
    let ([alpha, beta], batch) = (coefs(d.alpha, d.beta)?, Batch(d.batch));
    let (trans_a, trans_b) = (op(d.ta)?, op(d.tb)?);
    if d.k == 0 || !narrow(d.m | d.n | d.k | d.a.ld | d.b.ld | d.c.ld | d.batch) {
        return None;
    }
    let (m, n, k, count) = (d.m as i64, d.n as i64, d.k as i64, d.batch as i64);
    let alpha_beta = [alpha as f32, beta as f32];
    let (elem, [alpha, beta]) = match d.types.c {
        DType::F64 => (Elem::F64, [void(&alpha), void(&beta)]),
        DType::F32 => (Elem::F32, alpha_beta.each_ref().map(void)),
        DType::F16 => (Elem::F16, alpha_beta.each_ref().map(void)),
        DType::BF16 => (Elem::BF16, alpha_beta.each_ref().map(void)),
        _ => return None,
    };
    let dtype = if elem == Elem::F16 { data_type::R_16F } else { data_type::R_16BF };
    let operand = |m: Matrix| batch.operand(m.data, m.ld as i64, dtype);
    let (a, b, c) = (operand(d.a)?, operand(d.b)?, operand(d.c)?);
    // SAFETY: the caller's promise; the coefficients are of the types, and stay until the call is made.
    unsafe {
        if matches!(elem, Elem::F32 | Elem::F64) {
            let args = calls::Gemm { trans_a, trans_b, m, n, k, alpha, a, b, beta, c, batch: count };
            return call(h, "gemm", Some((elem, elem)), batch.form(), &args);
        }
        // cublasHgemm would accumulate in f16.
        let (compute, algo) = (COMPUTE_32F, GEMM_DEFAULT);
        let args =
            calls::GemmEx { trans_a, trans_b, m, n, k, alpha, a, b, beta, c, batch: count, compute, algo };
        call(h, "gemm", None, batch.form(), &args)
    }
}

/// y = alpha * op(A) * x + beta * y
///
/// # Safety
/// As for the raw call.
pub(crate) unsafe fn gemv(h: &CudaHandle, d: &GemvDesc) -> Option<Result> {
    let ([alpha, beta], batch) = (coefs(d.alpha, d.beta)?, Batch(d.batch));
    let trans = op(d.trans)?;
    if !narrow(d.m | d.n | d.a.ld | d.batch | d.x.inc.unsigned_abs() | d.y.inc.unsigned_abs()) {
        return None;
    }
    let (m, n, count) = (d.m as i64, d.n as i64, d.batch as i64);
    let alpha_beta = [alpha as f32, beta as f32];
    let (elem, [alpha, beta]) = match d.dtype {
        DType::F64 => (Elem::F64, [void(&alpha), void(&beta)]),
        DType::F32 => (Elem::F32, alpha_beta.each_ref().map(void)),
        _ => return None,
    };
    let a = batch.operand(d.a.data, d.a.ld as i64, 0)?;
    let (x, y) = (batch.operand(d.x.data, d.x.inc as i64, 0)?, batch.operand(d.y.data, d.y.inc as i64, 0)?);
    let args = calls::Gemv { trans, m, n, alpha, a, x, beta, y, batch: count };
    // SAFETY: the caller's promise; the coefficients are of the type, and stay until the call is made.
    unsafe { call(h, "gemv", Some((elem, elem)), batch.form(), &args) }
}

/// The number of problems.
#[derive(Clone, Copy)]
struct Batch(usize);

impl Batch {
    fn form(self) -> Form {
        if self.0 == 1 { Form::Plain } else { Form::Strided }
    }

    fn operand(self, data: Address, ld: i64, dtype: c_int) -> Option<Operand> {
        match data {
            Address::Strided { ptr, stride } if self.0 == 1 || stride >= 0 => {
                Some(Operand { ptr: ptr.cast(), dtype, ld, stride: stride as i64 })
            }
            _ => None,
        }
    }
}

/// Real coefficients on the host, of which alpha is not zero.
fn coefs(alpha: RawScalar, beta: RawScalar) -> Option<[f64; 2]> {
    match (alpha, beta) {
        (RawScalar::Host([alpha, _]), RawScalar::Host([beta, _])) if alpha != 0.0 => Some([alpha, beta]),
        _ => None,
    }
}

/// Whether all of some sizes, one or another, are those of functions without `_64`.
fn narrow(sizes: usize) -> bool {
    c_int::try_from(sizes).is_ok()
}

/// The op in cuBLAS's numbers.
fn op(trans: Trans) -> Option<c_int> {
    match trans {
        Trans::N => Some(0),
        Trans::T => Some(1),
        Trans::C => Some(2),
        Trans::ConjN => None,
    }
}

fn void<T>(value: &T) -> *const c_void {
    from_ref(value).cast()
}

/// Calls the function, if it is there.
///
/// # Safety
/// The arguments are valid for it, in cuBLAS's numbers.
unsafe fn call<A: Arguments>(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    args: &A,
) -> Option<Result> {
    let (_, name, address) = h.find::<A>(types, form, false)?;
    if let Err(why) = h.pointer_mode(Location::Host) {
        return Some(Err(why));
    }
    // SAFETY: the caller's promise; cuBLAS's functions have the arguments of hipBLAS's.
    let code = unsafe { args.call(address.as_ptr(), h.cublas(), form, false) };
    Some(h.answer(routine, name, code))
}
