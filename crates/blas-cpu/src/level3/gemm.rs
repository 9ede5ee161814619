//! gemm, gemm_ex.

use blas_api::*;

use crate::CpuHandle;
use crate::engine::{self, Dims, GRAIN, Native, Panel, work};
use crate::num::Elem;
use crate::operands::{coef, unsupported};
use crate::threads::for_each_entry;

pub(crate) unsafe fn gemm(h: &CpuHandle, d: &GemmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype(), T in S => unsafe { floating::<T, T>(h, d) },
        else return Err(unsupported(Routine::Gemm, d.dtype())));
    Ok(())
}

pub(crate) unsafe fn gemm_ex(h: &CpuHandle, d: &GemmDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        match (d.types.a, d.types.c) {
            (a, c) if a == c => return gemm(h, d),
            (DType::F16, DType::F32) => floating::<f16, f32>(h, d),
            (DType::BF16, DType::F32) => floating::<bf16, f32>(h, d),
            (DType::I8, DType::I32) => integer(h, d),
            _ => return Err(unsupported(Routine::GemmEx, d.dtype())),
        }
    }
    Ok(())
}

unsafe fn floating<A, C>(h: &CpuHandle, d: &GemmDesc)
where
    A: Elem<Coef: Native>,
    C: Elem<Coef = A::Coef>,
{
    // SAFETY: the caller's promise.
    unsafe {
        let (alpha, beta) = (coef::<A::Coef>(d.alpha), coef::<A::Coef>(d.beta));
        for_each_entry(h, d, work(d.m, d.n, d.k), GRAIN, |d, i, threads| {
            let (a, b) = (Panel::<A>::new(d.a, i, d.ta), Panel::<A>::new(d.b, i, d.tb));
            let c = Panel::<C>::new(d.c, i, Trans::N);
            engine::gemm(threads, Dims { m: d.m, n: d.n, k: d.k }, alpha, a, b, beta, c);
        });
    }
}

unsafe fn integer(h: &CpuHandle, d: &GemmDesc) {
    // SAFETY: the caller's promise.
    unsafe {
        let (alpha, beta) = (integer_coef(d.alpha), integer_coef(d.beta));
        for_each_entry(h, d, work(d.m, d.n, d.k), GRAIN, |d, i, threads| {
            let (a, b) = (Panel::new(d.a, i, d.ta), Panel::new(d.b, i, d.tb));
            let c = Panel::new(d.c, i, Trans::N);
            engine::gemm_i8(threads, Dims { m: d.m, n: d.n, k: d.k }, alpha, a, b, beta, c);
        });
    }
}

/// The value of an i32 coefficient, which a host coefficient holds exactly.
unsafe fn integer_coef(s: RawScalar) -> i32 {
    match s {
        RawScalar::Host([re, _]) => re as i32,
        // SAFETY: the caller's promise.
        RawScalar::Device(p) => unsafe { p.cast::<i32>().read() },
    }
}
