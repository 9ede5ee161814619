//! dot, dotc, dsdot.

use blas_api::*;
use hipblas_abi::{Operand, calls};

use crate::GpuHandle;
use crate::lower::half::is_half;
use crate::lower::{Batch, data_type, elems, results};

pub(crate) unsafe fn dot(h: &impl GpuHandle, d: &DotDesc) -> Result {
    if is_half(d.dtype) {
        // SAFETY: the caller's promise.
        return unsafe { by_types(h, "dot", d, d.dtype, DType::F32) };
    }
    let (n, b) = (d.n as i64, Batch::new(h, d.batch, &[d.x.data, d.y.data]));
    let (x, y, batch) = operands(&b, d)?;
    let result = results(h, d.out)?;
    // SAFETY: the caller's promise.
    unsafe {
        if d.dtype.is_complex() {
            return b.call("dot", elems(d.dtype), &calls::Dotu { n, x, y, batch, result });
        }
        b.call("dot", elems(d.dtype), &calls::Dot { n, x, y, batch, result })
    }
}

pub(crate) unsafe fn dotc(h: &impl GpuHandle, d: &DotDesc) -> Result {
    let (n, b) = (d.n as i64, Batch::new(h, d.batch, &[d.x.data, d.y.data]));
    let (x, y, batch) = operands(&b, d)?;
    let result = results(h, d.out)?;
    // SAFETY: the caller's promise.
    unsafe { b.call("dotc", elems(d.dtype), &calls::Dotc { n, x, y, batch, result }) }
}

pub(crate) unsafe fn dsdot(h: &impl GpuHandle, d: &DotDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe { by_types(h, "dsdot", d, DType::F64, DType::F64) }
}

fn operands(b: &Batch<'_, impl GpuHandle>, d: &DotDesc) -> Result<(Operand, Operand, i64)> {
    Ok((b.vector(d.x, d.dtype)?, b.vector(d.y, d.dtype)?, b.count()))
}

/// With the types of the result and of the sum.
unsafe fn by_types(
    h: &impl GpuHandle,
    routine: &'static str,
    d: &DotDesc,
    result: DType,
    sum: DType,
) -> Result {
    let b = Batch::new(h, d.batch, &[d.x.data, d.y.data]);
    let (x, y, batch) = operands(&b, d)?;
    let args = calls::DotEx {
        n: d.n as i64,
        x,
        y,
        batch,
        result: results(h, d.out)?,
        result_type: data_type(result),
        execution_type: data_type(sum),
    };
    // SAFETY: the caller's promise.
    unsafe { b.call(routine, None, &args) }
}
