//! nrm2.

use blas_api::*;
use hipblas_abi::calls;

use super::any_order;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::half::is_half;
use crate::lower::{Batch, data_type, elems, results};

pub(crate) unsafe fn nrm2(h: &impl GpuHandle, d: &ReduceDesc) -> Result {
    // SAFETY: the caller's promise.
    let x = unsafe { any_order(&Problem::new(h, Routine::Nrm2, d), d.n, d.x)? };
    let (n, b) = (d.n as i64, Batch::new(h, d.batch, &[x.data]));
    let (x, batch) = (b.vector(x, d.dtype)?, b.count());
    let result = results(h, d.out)?;
    // SAFETY: the caller's promise.
    unsafe {
        if is_half(d.dtype) {
            let (result_type, execution_type) = (data_type(d.dtype), data_type(DType::F32));
            return b.call("nrm2", None, &calls::Nrm2Ex { n, x, batch, result, result_type, execution_type });
        }
        b.call("nrm2", elems(d.dtype), &calls::Nrm2 { n, x, batch, result })
    }
}
