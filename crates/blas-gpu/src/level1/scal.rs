//! scal: in f32 for the half types, with a real coefficient where the descriptor says so.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::half::is_half;
use crate::lower::vectors::forwards;
use crate::lower::{Batch, Coefs, data_type, elem};

pub(crate) unsafe fn scal(h: &impl GpuHandle, d: &ScalDesc) -> Result {
    let coef = if d.real { d.dtype.real() } else { d.dtype.coef() };
    let (n, b) = (d.n as i64, Batch::new(h, d.batch, &[d.x.data]));
    // hipBLAS takes a vector of negative increment for empty.
    let x = b.vector(forwards(d.x), d.dtype)?;
    let coefs = Coefs::new(h, [(d.alpha, coef)])?;
    let (alpha, batch) = (coefs.at(0), b.count());
    // SAFETY: the caller's promise.
    unsafe {
        if is_half(d.dtype) {
            let (alpha_type, execution_type) = (data_type(coef), data_type(coef));
            return b.call("scal", None, &calls::ScalEx { n, alpha, alpha_type, x, batch, execution_type });
        }
        b.call("scal", elem(d.dtype).zip(elem(coef)), &calls::Scal { n, alpha, x, batch })
    }
}
