//! Calls with alpha = 0, which the contract lets read no operand but the output, and for which cuBLAS reads them all.
//!
//! Where the host knows alpha, cuBLAS is not called for a zero. Where only the device does, cuBLAS is called in any case, and
//! kernels that look at alpha keep what it must not spoil: they do nothing for any other alpha.

use std::any::Any;
use std::ffi::{c_int, c_void};
use std::ptr::null;

use blas_api::{Error, Location, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, Form, Operand, calls, data_type, fill, operation};

use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{Coef, blocks, c_type, launch};

/// A coefficient of a call: where it is, and its type.
#[derive(Clone, Copy)]
struct Scalar {
    ptr: *const c_void,
    elem: Elem,
}

impl Scalar {
    fn parts(self) -> c_int {
        if self.elem.is_complex() { 2 } else { 1 }
    }

    /// Whether it is zero, if the host knows.
    fn is_zero(self, h: &CudaHandle) -> Option<bool> {
        let [a, b, c, d, e, f, g, h, rest @ ..] = h.known(self.ptr, self.elem.size())?;
        // Zero of either sign.
        Some(match self.elem {
            Elem::F16 | Elem::BF16 => u16::from_ne_bytes([a, b]) << 1 == 0,
            Elem::F32 => f32::from_ne_bytes([a, b, c, d]) == 0.0,
            Elem::F64 => f64::from_ne_bytes([a, b, c, d, e, f, g, h]) == 0.0,
            Elem::C32 => f32::from_ne_bytes([a, b, c, d]) == 0.0 && f32::from_ne_bytes([e, f, g, h]) == 0.0,
            Elem::C64 => {
                f64::from_ne_bytes([a, b, c, d, e, f, g, h]) == 0.0 && f64::from_ne_bytes(rest) == 0.0
            }
        })
    }
}

/// The output of a call as a matrix: m x n, or one triangle of it.
#[derive(Clone, Copy)]
struct Output {
    operand: Operand,
    elem: Elem,
    m: i64,
    n: i64,
    /// 0 for all of it, 1 for the lower triangle, 2 for the upper one.
    triangle: c_int,
    hermitian: bool,
}

/// What a call does with its output.
enum Effect<A> {
    /// output = alpha * ... + beta * output
    Product(Scalar, Output),
    /// output = alpha * ...
    Overwritten(Output),
    /// output += alpha * ...: the call with copies of its vectors, which are n long.
    Updated(i64, Vec<Operand>, fn(&A, &[Operand]) -> A),
}

/// A vector of n as a matrix of one row. The order of its elements does not matter.
fn row(operand: Operand, n: i64, elem: Elem) -> Output {
    let operand = Operand { ld: operand.ld.wrapping_abs(), ..operand };
    Output { operand, elem, m: 1, n, triangle: 0, hermitian: false }
}

fn full(operand: Operand, elem: Elem, m: i64, n: i64) -> Output {
    Output { operand, elem, m, n, triangle: 0, hermitian: false }
}

fn triangle(uplo: c_int, operand: Operand, elem: Elem, n: i64, hermitian: bool) -> Output {
    let triangle = if uplo == fill::UPPER { 2 } else { 1 };
    Output { operand, elem, m: n, n, triangle, hermitian }
}

/// Alpha and the effect of a call that cuBLAS does not do right for alpha = 0.
fn effect<A: Arguments>(types: NameTypes, args: &A) -> Option<(Scalar, Effect<A>)> {
    let t = types.map_or(Elem::F32, |(t, _)| t);
    let of = |ptr, elem| Scalar { ptr, elem };
    macro_rules! is {
        ($row:ident) => {
            (args as &dyn Any).downcast_ref::<calls::$row>()
        };
    }
    macro_rules! products {
        ($($row:ident($alpha:expr, $beta:expr, |$d:ident| $output:expr);)*) => { $(
            if let Some($d) = is!($row) {
                return Some((of($d.alpha, $alpha), Effect::Product(of($d.beta, $beta), $output)));
            }
        )* };
    }
    macro_rules! updates {
        ($($row:ident($($x:ident),*);)*) => { $(
            if let Some(d) = is!($row) {
                let with = |args: &A, copies: &[Operand]| {
                    let mut changed = *args;
                    if let Some(d) = (&mut changed as &mut dyn Any).downcast_mut::<calls::$row>() {
                        let mut copies = copies.iter();
                        $(if let Some(copy) = copies.next() { d.$x = *copy; })*
                    }
                    changed
                };
                return Some((of(d.alpha, t), Effect::Updated(d.n, vec![$(d.$x),*], with)));
            }
        )* };
    }
    let r = t.real();
    products! {
        Gemm(t, t, |d| full(d.c, t, d.m, d.n));
        Symm(t, t, |d| full(d.c, t, d.m, d.n));
        Hemm(t, t, |d| full(d.c, t, d.m, d.n));
        Syrk(t, t, |d| triangle(d.uplo, d.c, t, d.n, false));
        Syr2k(t, t, |d| triangle(d.uplo, d.c, t, d.n, false));
        Syrkx(t, t, |d| triangle(d.uplo, d.c, t, d.n, false));
        Herk(r, r, |d| triangle(d.uplo, d.c, t, d.n, true));
        Her2k(t, r, |d| triangle(d.uplo, d.c, t, d.n, true));
        Herkx(t, r, |d| triangle(d.uplo, d.c, t, d.n, true));
        Gemv(t, t, |d| row(d.y, if d.trans == operation::N { d.m } else { d.n }, t));
        Gbmv(t, t, |d| row(d.y, if d.trans == operation::N { d.m } else { d.n }, t));
        Symv(t, t, |d| row(d.y, d.n, t));
        Hemv(t, t, |d| row(d.y, d.n, t));
        Sbmv(t, t, |d| row(d.y, d.n, t));
        Hbmv(t, t, |d| row(d.y, d.n, t));
        Spmv(t, t, |d| row(d.y, d.n, t));
        Hpmv(t, t, |d| row(d.y, d.n, t));
    }
    if let Some(d) = is!(GemmEx) {
        let (c, coef) = gemm_types(d)?;
        return Some((of(d.alpha, coef), Effect::Product(of(d.beta, coef), full(d.c, c, d.m, d.n))));
    }
    if let Some(d) = is!(Trmm) {
        return Some((of(d.alpha, t), Effect::Overwritten(full(d.c, t, d.m, d.n))));
    }
    if let Some(d) = is!(Trsm) {
        return Some((of(d.alpha, t), Effect::Overwritten(full(d.b, t, d.m, d.n))));
    }
    updates! {
        Syr(x);
        Syr2(x, y);
        Spr(x);
        Spr2(x, y);
    }
    None
}

/// Types of C and of the coefficients.
fn gemm_types(d: &calls::GemmEx) -> Option<(Elem, Elem)> {
    Some(match d.c.dtype {
        data_type::R_16F => (Elem::F16, Elem::F32),
        data_type::R_16BF => (Elem::BF16, Elem::F32),
        data_type::R_32F => (Elem::F32, Elem::F32),
        data_type::R_64F => (Elem::F64, Elem::F64),
        data_type::C_32F => (Elem::C32, Elem::C32),
        data_type::C_64F => (Elem::C64, Elem::C64),
        _ => return None,
    })
}

/// Does a call whose alpha is zero, or may be. `None` for all others.
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
    let (alpha, effect) = effect(types, args)?;
    // No products are as good as products by zero, and cuBLAS does not always take k = 0.
    let empty = (args as &dyn Any).downcast_ref::<calls::GemmEx>().is_some_and(|d| d.k == 0);
    let known = if empty { Some(true) } else { alpha.is_zero(h) };
    if known == Some(false) {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe {
        if form != Form::Plain {
            return Some(h.one_by_one(routine, types, form, args));
        }
        Some(match known {
            Some(_) => zero(h, effect),
            None => perhaps_zero(h, routine, types, alpha, effect, args),
        })
    }
}

/// A beta of zero.
const NO_BETA: Coef = Coef::zero();

/// The call for an alpha of zero.
unsafe fn zero<A>(h: &CudaHandle, effect: Effect<A>) -> Result {
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        match effect {
            Effect::Product(beta, out) => {
                let beta = (beta.parts(), h.coef(beta.ptr, beta.elem.size()));
                scaled(h, (1, Coef::zero()), beta, out, out.operand)
            }
            Effect::Overwritten(out) => scaled(h, (1, Coef::zero()), (1, NO_BETA), out, out.operand),
            Effect::Updated(..) => Ok(()),
        }
    }
}

/// The call for an alpha that only the device knows.
unsafe fn perhaps_zero<A: Arguments>(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    alpha: Scalar,
    effect: Effect<A>,
    args: &A,
) -> Result {
    let a = (alpha.parts(), Coef::on_device(alpha.ptr));
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        match effect {
            Effect::Product(beta, out) => {
                let saved = Operand { ptr: room(h, routine, out)?, ld: out.m.max(1), ..out.operand };
                let Output { operand, elem, m, n, triangle, .. } = out;
                launch!(
                    h,
                    "save",
                    c_type(elem),
                    grid(m, n),
                    a.0,
                    a.1,
                    triangle,
                    m,
                    n,
                    operand.ptr,
                    operand.ld,
                    saved.ptr
                )?;
                h.native(routine, types, Form::Plain, args)?;
                let beta = (beta.parts(), Coef::on_device(beta.ptr));
                scaled(h, a, beta, out, saved)
            }
            Effect::Overwritten(out) => {
                h.native(routine, types, Form::Plain, args)?;
                scaled(h, a, (1, NO_BETA), out, out.operand)
            }
            Effect::Updated(n, vectors, with) => {
                let of = c_type(alpha.elem);
                let mut copies = Vec::with_capacity(vectors.len());
                for x in vectors {
                    let copy = room(h, routine, row(x, n, alpha.elem))?;
                    launch!(h, "unless_zero", of, [blocks(n), 1], a.0, a.1, n, x.ptr, x.ld, copy)?;
                    copies.push(Operand { ptr: copy, ld: 1, ..x });
                }
                h.pointer_mode(Location::Device)?;
                h.native(routine, types, Form::Plain, &with(args, &copies))
            }
        }
    }
}

/// Scratch memory for a copy of an output.
fn room(h: &CudaHandle, routine: &'static str, out: Output) -> Result<*mut c_void> {
    let size = |n: i64| usize::try_from(n).unwrap_or(0);
    let bytes = size(out.m).checked_mul(size(out.n)).and_then(|len| len.checked_mul(out.elem.size()));
    let Some(bytes) = bytes.filter(|&b| isize::try_from(b).is_ok()) else {
        let factors = [size(out.m), size(out.n)];
        return Err(Error::Overflow { routine, operand: "scratch", factors });
    };
    Ok(h.scratch(bytes)?.cast())
}

fn grid(m: i64, n: i64) -> [u32; 2] {
    [blocks(m), blocks(n.saturating_mul(256))]
}

/// output = beta * from, if alpha is zero.
unsafe fn scaled(
    h: &CudaHandle,
    alpha: (c_int, Coef),
    beta: (c_int, Coef),
    out: Output,
    from: Operand,
) -> Result {
    let Output { operand: to, elem, m, n, triangle, hermitian } = out;
    let hermitian = c_int::from(hermitian);
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        launch!(
            h,
            "scaled",
            c_type(elem),
            grid(m, n),
            alpha.0,
            alpha.1,
            beta.0,
            beta.1,
            triangle,
            hermitian,
            m,
            n,
            from.ptr,
            from.ld,
            to.ptr,
            to.ld
        )
    }
}

impl Coef {
    /// A zero of any type.
    const fn zero() -> Coef {
        Coef::new(null(), [0; 2])
    }

    /// What is in device memory.
    fn on_device(ptr: *const c_void) -> Coef {
        Coef::new(ptr, [0; 2])
    }
}
