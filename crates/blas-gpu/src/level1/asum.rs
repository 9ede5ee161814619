//! asum: of the half types in f32, rounded once.

use blas_api::*;
use hipblas_abi::calls;

use super::any_order;
use crate::GpuHandle;
use crate::level3::gemm;
use crate::lower::copies::Problem;
use crate::lower::half::{self, is_half};
use crate::lower::{Batch, coefs::constant, elems, results};

pub(crate) unsafe fn asum(h: &impl GpuHandle, d: &ReduceDesc) -> Result {
    let p = Problem::new(h, Routine::Asum, d);
    // SAFETY: the caller's promise.
    unsafe {
        let x = any_order(&p, d.n, d.x)?;
        if !is_half(d.dtype) {
            return sums(h, &ReduceDesc { x, ..*d });
        }
        let x = half::widened(&p, d.n, x)?;
        let d = ReduceDesc { dtype: DType::F32, x, ..*d };
        match d.out {
            RawOut::Host(out) => {
                let mut wide = vec![0.0f32; d.batch];
                sums(h, &ReduceDesc { out: RawOut::Host(wide.as_mut_ptr().cast()), ..d })?;
                for (i, &sum) in wide.iter().enumerate() {
                    match p.dtype {
                        DType::F16 => out.cast::<f16>().add(i).write(f16::from_f32(sum)),
                        _ => out.cast::<bf16>().add(i).write(bf16::from_f32(sum)),
                    }
                }
                Ok(())
            }
            RawOut::Device(out) => {
                let wide = h.scratch(d.batch * size_of::<f32>())?;
                sums(h, &ReduceDesc { out: RawOut::Device(wide), ..d })?;
                round(&p, wide, out)
            }
        }
    }
}

unsafe fn sums(h: &impl GpuHandle, d: &ReduceDesc) -> Result {
    let b = Batch::new(h, d.batch, &[d.x.data]);
    let (x, batch) = (b.vector(d.x, d.dtype)?, b.count());
    let args = calls::Asum { n: d.n as i64, x, batch, result: results(h, d.out)? };
    // SAFETY: the caller's promise.
    unsafe { b.call("asum", elems(d.dtype), &args) }
}

/// Rounds each result: it is the coefficient of a product of ones.
unsafe fn round(p: &Problem<'_, impl GpuHandle>, wide: *const u8, out: *mut u8) -> Result {
    let (one, zero) = (constant(p.h, 1.0, p.dtype)?, constant(p.h, 0.0, DType::F32)?);
    let number = |ptr| Matrix { data: Address::single(ptr), ld: 1 };
    for i in 0..p.batch {
        let d = GemmDesc {
            types: GemmTypes::plain(p.dtype),
            batch: 1,
            ta: Trans::N,
            tb: Trans::N,
            m: 1,
            n: 1,
            k: 1,
            alpha: RawScalar::Device(wide.wrapping_add(i * size_of::<f32>())),
            a: number(one),
            b: number(one),
            beta: RawScalar::Device(zero),
            c: number(out.wrapping_add(i * p.dtype.size())),
        };
        // SAFETY: the caller's promise.
        unsafe { gemm::by_types(p.h, p.routine, &d)? };
    }
    Ok(())
}
