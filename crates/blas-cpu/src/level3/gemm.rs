//! gemm, gemm_ex.

use blas_api::*;

use crate::CpuHandle;
use crate::engine::{self, Dims, GRAIN, Native, Panel, work};
use crate::level2::gemv;
use crate::num::Elem;
use crate::operands::{coef, unsupported};
use crate::threads::{for_each_entry, for_each_range};

#[inline(always)]
pub(crate) unsafe fn gemm(h: &CpuHandle, d: &GemmDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        if with_dtype!(d.types.c, T in X => engine::small::<T>(d), else false) {
            return Ok(());
        }
        // Of a copy, so that the descriptor of a small product is not needed in memory.
        let d = *d;
        any_gemm(h, &d)
    }
}

#[inline(never)]
unsafe fn any_gemm(h: &CpuHandle, d: &GemmDesc) -> Result {
    if let Some(d) = as_gemv(d) {
        // SAFETY: the caller's promise; the operands are the same.
        return unsafe { gemv(h, &d) };
    }
    engine::in_memory(|| {
        // SAFETY: the caller's promise.
        with_dtype!(d.dtype(), T in S => unsafe { floating::<T, T>(h, d) },
            else return Err(unsupported(Routine::Gemm, d.dtype())));
        Ok(())
    })
}

/// The same product with a vector, which waits for memory and has its own ways to do so: C with one column or one row, if
/// the vector is not conjugated and there is something to sum up.
fn as_gemv(d: &GemmDesc) -> Option<GemvDesc> {
    if d.m != 1 && d.n != 1 || d.k == 0 {
        return None;
    }
    let column = d.n == 1;
    // The row is taken as the column of the transposed product.
    let ((ta, a), (tb, b)) = if column { ((d.ta, d.a), (d.tb, d.b)) } else { ((d.tb, d.b), (d.ta, d.a)) };
    if tb.is_conjugated() {
        return None;
    }
    let trans = if column { ta } else { Trans::new(!ta.is_transposed(), ta.is_conjugated()) };
    let rows = if column { d.m } else { d.n };
    let (m, n) = if trans.is_transposed() { (d.k, rows) } else { (rows, d.k) };
    let vector = |x: Matrix, along: bool| Vector { data: x.data, inc: if along { 1 } else { x.ld as isize } };
    Some(GemvDesc {
        dtype: d.dtype(),
        batch: d.batch,
        trans,
        m,
        n,
        alpha: d.alpha,
        a,
        x: vector(b, tb.is_transposed() != column),
        beta: d.beta,
        y: vector(d.c, column),
    })
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
        for_each_range(h, d, work(d.m, d.n, d.k), GRAIN, |d, entries, threads| {
            let entry = |i| {
                let (a, b) = (Panel::<A>::new(d.a, i, d.ta), Panel::<A>::new(d.b, i, d.tb));
                (a, b, Panel::<C>::new(d.c, i, Trans::N))
            };
            engine::gemm_each(threads, Dims { m: d.m, n: d.n, k: d.k }, alpha, beta, entries, entry);
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
