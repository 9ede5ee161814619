//! The calls that programs make most, in the form that they mostly have: real types, coefficients on the host, alpha not zero, one
//! problem or a strided batch, sizes of 32 bits. cuBLAS has a function for such a call as it is, and nothing is to be
//! lowered, prepared or looked up. cuBLAS and the driver have used the caches since the last call: what counts here is how little
//! code and memory a call touches. Any other is `None`.

use std::ffi::{c_int, c_void};
use std::ptr::{NonNull, from_ref, null_mut};

use blas_api::*;
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, FAMILIES, Form, Function, Handle, Operand, calls, data_type};

use crate::call::NameTypes;
use crate::context::Context;
use crate::cublas::{COMPUTE_32F, GEMM_DEFAULT};
use crate::driver::GetCurrent;
use crate::handle::CudaHandle;

/// All that such a call needs besides its arguments, side by side in memory.
pub(crate) struct Direct {
    cublas: Handle,
    context: crate::driver::Context,
    current: Option<GetCurrent>,
    /// In f32 and f64, plain and strided.
    gemm: [[Address; 2]; 2],
    gemm_ex: [Address; 2],
    gemv: [[Address; 2]; 2],
    axpy: [[Address; 2]; 2],
}

/// Where a function of cuBLAS is, if it is there.
type Address = Option<NonNull<c_void>>;

// SAFETY: pointers that are only handed on, as those of the context.
unsafe impl Send for Direct {}

impl Direct {
    pub(crate) fn new(on: &Context) -> Direct {
        fn forms<A: Arguments>(on: &Context, elem: Option<Elem>) -> [Address; 2] {
            let family = &FAMILIES[A::ROW];
            let typing = match elem {
                Some(elem) => family.types.iter().position(|t| (t.elem, t.second) == (elem, elem)),
                None => Some(0),
            };
            [Form::Plain, Form::Strided].map(|form| {
                let has = |form| family.forms[form as usize];
                let typing = typing.filter(|_| has(form))?;
                on.library.function(Function { family, typing, form, wide: false }).1
            })
        }
        const REAL: [Option<Elem>; 2] = [Some(Elem::F32), Some(Elem::F64)];
        Direct {
            cublas: on.blas,
            context: on.gpu.context,
            current: on.library.driver.get_current(),
            gemm: REAL.map(|t| forms::<calls::Gemm>(on, t)),
            gemm_ex: forms::<calls::GemmEx>(on, None),
            gemv: REAL.map(|t| forms::<calls::Gemv>(on, t)),
            axpy: REAL.map(|t| forms::<calls::Axpy>(on, t)),
        }
    }

    /// Whether the thread's current context is the handle's.
    #[inline(always)]
    fn is_current(&self) -> bool {
        let mut now = null_mut();
        // SAFETY: writes one pointer.
        self.current.is_some_and(|ask| unsafe { ask(&mut now) } == 0 && now == self.context)
    }
}

/// C = alpha * op(A) * op(B) + beta * C
///
/// # Safety
/// As for the raw call.
#[inline(always)]
pub(crate) unsafe fn gemm(h: &CudaHandle, d: &GemmDesc) -> Option<Result> {
    let [alpha, beta] = coefs(d.alpha, d.beta)?;
    let (trans_a, trans_b, batch) = (op(d.ta)?, op(d.tb)?, Batch(d.batch));
    // An empty sum has rules of its own; in a graph, products have branches.
    if d.k == 0 || h.base().is_capturing() || !narrow(d.m | d.n | d.k | d.a.ld | d.b.ld | d.c.ld | d.batch) {
        return None;
    }
    let (m, n, k, count) = (d.m as i64, d.n as i64, d.k as i64, d.batch as i64);
    let dtype = if d.types.c == DType::F16 { data_type::R_16F } else { data_type::R_16BF };
    let operand = |m: Matrix| batch.operand(m.data, m.ld as i64, dtype);
    let (a, b, c) = (operand(d.a)?, operand(d.b)?, operand(d.c)?);
    let single = [alpha as f32, beta as f32];
    let of_f32 = single.each_ref().map(void);
    let (i, [alpha, beta]) = match d.types.c {
        DType::F32 => (0, of_f32),
        DType::F64 => (1, [void(&alpha), void(&beta)]),
        DType::F16 | DType::BF16 => {
            let ([alpha, beta], compute, algo) = (of_f32, COMPUTE_32F, GEMM_DEFAULT);
            // cublasHgemm would accumulate in f16.
            let args = calls::GemmEx {
                trans_a,
                trans_b,
                m,
                n,
                k,
                alpha,
                a,
                b,
                beta,
                c,
                batch: count,
                compute,
                algo,
            };
            // SAFETY: the caller's promise; the coefficients are of the types, and stay until the call is made. So below.
            return unsafe { call(h, "gemm", None, &h.direct.gemm_ex, batch, &args) };
        }
        _ => return None,
    };
    let args = calls::Gemm { trans_a, trans_b, m, n, k, alpha, a, b, beta, c, batch: count };
    // SAFETY: as above.
    unsafe { call(h, "gemm", REAL[i], &h.direct.gemm[i], batch, &args) }
}

/// y = alpha * op(A) * x + beta * y
///
/// # Safety
/// As for the raw call.
#[inline(always)]
pub(crate) unsafe fn gemv(h: &CudaHandle, d: &GemvDesc) -> Option<Result> {
    let ([alpha, beta], trans, batch) = (coefs(d.alpha, d.beta)?, op(d.trans)?, Batch(d.batch));
    if !narrow(d.m | d.n | d.a.ld | d.batch | d.x.inc.unsigned_abs() | d.y.inc.unsigned_abs()) {
        return None;
    }
    let (m, n, count) = (d.m as i64, d.n as i64, d.batch as i64);
    let single = [alpha as f32, beta as f32];
    let (i, [alpha, beta]) = match d.dtype {
        DType::F32 => (0, single.each_ref().map(void)),
        DType::F64 => (1, [void(&alpha), void(&beta)]),
        _ => return None,
    };
    let a = batch.operand(d.a.data, d.a.ld as i64, 0)?;
    let (x, y) = (batch.operand(d.x.data, d.x.inc as i64, 0)?, batch.operand(d.y.data, d.y.inc as i64, 0)?);
    let args = calls::Gemv { trans, m, n, alpha, a, x, beta, y, batch: count };
    // SAFETY: the caller's promise; the coefficients are of the type, and stay until the call is made.
    unsafe { call(h, "gemv", REAL[i], &h.direct.gemv[i], batch, &args) }
}

/// y = alpha * x + y
///
/// # Safety
/// As for the raw call.
#[inline(always)]
pub(crate) unsafe fn axpy(h: &CudaHandle, d: &AxpyDesc) -> Option<Result> {
    let ([alpha, _], batch) = (coefs(d.alpha, RawScalar::ZERO)?, Batch(d.batch));
    if !narrow(d.n | d.batch | d.x.inc.unsigned_abs() | d.y.inc.unsigned_abs()) {
        return None;
    }
    let (n, count, single) = (d.n as i64, d.batch as i64, alpha as f32);
    let (i, alpha) = match d.dtype {
        DType::F32 => (0, void(&single)),
        DType::F64 => (1, void(&alpha)),
        _ => return None,
    };
    let (x, y) = (batch.operand(d.x.data, d.x.inc as i64, 0)?, batch.operand(d.y.data, d.y.inc as i64, 0)?);
    let args = calls::Axpy { n, alpha, x, y, batch: count };
    // SAFETY: the caller's promise; the coefficient is of the type, and stays until the call is made.
    unsafe { call(h, "axpy", REAL[i], &h.direct.axpy[i], batch, &args) }
}

/// The types in the names of functions for f32 and f64.
const REAL: [NameTypes; 2] = [Some((Elem::F32, Elem::F32)), Some((Elem::F64, Elem::F64))];

/// The number of problems.
#[derive(Clone, Copy)]
struct Batch(usize);

impl Batch {
    #[inline(always)]
    fn operand(self, data: blas_api::Address, ld: i64, dtype: c_int) -> Option<Operand> {
        match data {
            blas_api::Address::Strided { ptr, stride } if self.0 == 1 || stride >= 0 => {
                Some(Operand { ptr: ptr.cast(), dtype, ld, stride: stride as i64 })
            }
            _ => None,
        }
    }
}

/// Real coefficients on the host, of which alpha is not zero.
#[inline(always)]
fn coefs(alpha: RawScalar, beta: RawScalar) -> Option<[f64; 2]> {
    match (alpha, beta) {
        (RawScalar::Host([alpha, _]), RawScalar::Host([beta, _])) if alpha != 0.0 => Some([alpha, beta]),
        _ => None,
    }
}

/// Whether all of some sizes, one or another, are those of functions without `_64`.
#[inline(always)]
fn narrow(sizes: usize) -> bool {
    sizes <= c_int::MAX as usize
}

/// The op in cuBLAS's numbers. Made without a table of jumps, which cold caches predict badly.
#[inline(always)]
fn op(trans: Trans) -> Option<c_int> {
    let number = match trans {
        Trans::N => 0,
        Trans::T => 1,
        Trans::C => 2,
        Trans::ConjN => 3,
    };
    (number < 3).then_some(number)
}

#[inline(always)]
fn void<T>(value: &T) -> *const c_void {
    from_ref(value).cast()
}

/// Calls the function for one problem or for a strided batch, if it is there.
///
/// # Safety
/// The arguments are valid for it, in cuBLAS's numbers. The problem is none that does nothing.
#[inline(always)]
unsafe fn call<A: Arguments>(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    at: &[Address; 2],
    batch: Batch,
    args: &A,
) -> Option<Result> {
    let (one, cublas) = (batch.0 == 1, h.direct.cublas);
    let function = at[usize::from(!one)]?.as_ptr().cast_const();
    if !(h.base().mode() == Some(Location::Host) && h.direct.is_current()) {
        let ready = h.enter(routine).and_then(|()| h.pointer_mode(Location::Host));
        if ready.is_err() {
            return Some(ready);
        }
    }
    // SAFETY: the caller's promise; cuBLAS's functions have the arguments of hipBLAS's.
    let code = unsafe {
        match one {
            true => args.call(function, cublas, Form::Plain, false),
            false => args.call(function, cublas, Form::Strided, false),
        }
    };
    Some(if code == 0 { Ok(()) } else { failed::<A>(h, routine, types, one, code) })
}

#[cold]
fn failed<A: Arguments>(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    one: bool,
    code: c_int,
) -> Result {
    let form = if one { Form::Plain } else { Form::Strided };
    h.answer(routine, h.find::<A>(types, form, false).map_or("cuBLAS", |(_, name, _)| name), code)
}
