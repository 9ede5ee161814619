//! gemv: of the half types as a product of matrices, with x and y as rows.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::level3::gemm;
use crate::lower::copies::Problem;
use crate::lower::half::is_half;
use crate::lower::vectors::{forwards, row};
use crate::lower::{Batch, Coefs, elems, op};

pub(crate) unsafe fn gemv(h: &impl GpuHandle, d: &GemvDesc) -> Result {
    let p = Problem::new(h, Routine::Gemv, d);
    let [ny, nx] = if d.trans.is_transposed() { [d.n, d.m] } else { [d.m, d.n] };
    if is_half(d.dtype) {
        // SAFETY: the caller's promise.
        return unsafe { of_half(&p, d, [ny, nx]) };
    }
    if d.trans == Trans::ConjN {
        // SAFETY: the caller's promise.
        return unsafe {
            p.conjugated_product((d.alpha, nx, d.x), (d.beta, ny, d.y), |alpha, x, beta, y| {
                gemv(h, &GemvDesc { trans: Trans::N, alpha, x, beta, y, ..*d })
            })
        };
    }
    let (t, b) = (d.dtype, Batch::new(h, d.batch, &[d.a.data, d.x.data, d.y.data]));
    let (a, x, y) = (b.matrix(d.a, t)?, b.vector(d.x, t)?, b.vector(d.y, t)?);
    let coefs = Coefs::new(h, [(d.alpha, t), (d.beta, t)])?;
    let args = calls::Gemv {
        trans: op(d.trans),
        m: d.m as i64,
        n: d.n as i64,
        alpha: coefs.at(0),
        a,
        x,
        beta: coefs.at(1),
        y,
        batch: b.count(),
    };
    // SAFETY: the caller's promise.
    unsafe { b.call(p.routine, elems(t), &args) }
}

/// y' = alpha * x' * op(A)' + beta * y' of rows that run forwards.
unsafe fn of_half(p: &Problem<'_, impl GpuHandle>, d: &GemvDesc, [ny, nx]: [usize; 2]) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        let x = p.aligned(nx, d.x, 1)?;
        let y = p.aligned(ny, d.y, 1)?;
        let d3 = GemmDesc {
            types: GemmTypes::plain(d.dtype),
            batch: d.batch,
            ta: Trans::N,
            tb: if d.trans.is_transposed() { Trans::N } else { Trans::T },
            m: 1,
            n: ny,
            k: nx,
            alpha: d.alpha,
            a: row(forwards(x)),
            b: d.a,
            beta: d.beta,
            c: row(forwards(y)),
        };
        gemm::by_types(p.h, p.routine, &d3)?;
        if y == d.y { Ok(()) } else { p.copy_vector(ny, y, d.y) }
    }
}
