//! rotmg: the values of a batch lie one after the other.

use blas_api::*;
use hipblas_abi::{Form, Operand, calls};

use crate::GpuHandle;
use crate::lower::{NO_OPERAND, elems, results};

pub(crate) unsafe fn rotmg(h: &impl GpuHandle, d: &RotmgDesc) -> Result {
    let values = |out, stride| results(h, out).map(|ptr| Operand { ptr, stride, ..NO_OPERAND });
    let form = if d.batch == 1 { Form::Plain } else { Form::Strided };
    let args = calls::Rotmg {
        d1: values(d.d1, 1)?,
        d2: values(d.d2, 1)?,
        x1: values(d.x1, 1)?,
        y1: values(d.y1, 1)?,
        param: values(d.param, 5)?,
        batch: d.batch as i64,
    };
    // SAFETY: the caller's promise.
    unsafe { h.call("rotmg", elems(d.dtype), form, &args) }
}
