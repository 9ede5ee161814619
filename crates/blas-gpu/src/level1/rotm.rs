//! rotm.

use blas_api::*;
use hipblas_abi::calls;

use crate::GpuHandle;
use crate::lower::{Batch, coefs, elems};

/// The parameters are given on the device: batched functions with those of the host are not documented.
pub(crate) unsafe fn rotm(h: &impl GpuHandle, d: &RotmDesc) -> Result {
    let param = match d.param {
        RawParam::Device(data) => data,
        RawParam::Host(values) => Address::single(coefs::constants(h, &values, d.dtype)?),
    };
    let b = Batch::new(h, d.batch, &[d.x.data, d.y.data, param]);
    let (x, y) = (b.vector(d.x, d.dtype)?, b.vector(d.y, d.dtype)?);
    let param = b.packed(param, d.dtype)?;
    h.pointer_mode(Location::Device)?;
    let args = calls::Rotm { n: d.n as i64, x, y, param, batch: b.count() };
    // SAFETY: the caller's promise.
    unsafe { b.call("rotm", elems(d.dtype), &args) }
}
