//! axpy: in f32 for the half types.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::half::is_half;
use crate::lower::{Batch, Coefs, data_type, elems};

pub(crate) unsafe fn axpy(h: &impl GpuHandle, d: &AxpyDesc) -> Result {
    let coef = d.dtype.coef();
    let (n, b) = (d.n as i64, Batch::new(h, d.batch, &[d.x.data, d.y.data]));
    let (x, y, batch) = (b.vector(d.x, d.dtype)?, b.vector(d.y, d.dtype)?, b.count());
    let coefs = Coefs::new(h, [(d.alpha, coef)])?;
    let alpha = coefs.at(0);
    // SAFETY: the caller's promise.
    unsafe {
        if is_half(d.dtype) {
            let (alpha_type, execution_type) = (data_type(coef), data_type(coef));
            let args = calls::AxpyEx { n, alpha, alpha_type, x, y, batch, execution_type };
            return b.call("axpy", None, &args);
        }
        b.call("axpy", elems(d.dtype), &calls::Axpy { n, alpha, x, y, batch })
    }
}
