//! rotg: the values of a batch lie one after the other.

use blas_api::*;
use hipblas_abi::{Form, Operand, calls};

use crate::GpuHandle;
use crate::lower::{NO_OPERAND, elems, results};

pub(crate) unsafe fn rotg(h: &impl GpuHandle, d: &RotgDesc) -> Result {
    let value = |out| results(h, out).map(|ptr| Operand { ptr, stride: 1, ..NO_OPERAND });
    let (a, b, c, s) = (value(d.a)?, value(d.b)?, value(d.c)?, value(d.s)?);
    let form = if d.batch == 1 { Form::Plain } else { Form::Strided };
    let args = calls::Rotg { a, b, c, s, batch: d.batch as i64 };
    // SAFETY: the caller's promise.
    unsafe { h.call("rotg", elems(d.dtype), form, &args) }
}
