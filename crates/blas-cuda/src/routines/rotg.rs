//! rotg of complex types.

use blas_api::Result;
use hipblas_abi::{Elem, Operand, calls};

use super::scalars::{Value, on_device};
use crate::handle::CudaHandle;
use crate::kernels::{c_type, launch};

/// rotg of complex types, for which cuBLAS loses tiny numbers.
pub(super) unsafe fn rotg(h: &CudaHandle, elem: Elem, d: &calls::Rotg) -> Result {
    let (whole, real) = (elem.size(), elem.real().size());
    let value = |o: Operand, bytes, written| Value { at: o.ptr, bytes, written };
    let values =
        [value(d.a, whole, true), value(d.b, whole, false), value(d.c, real, true), value(d.s, whole, true)];
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe { on_device(h, values, |[a, b, c, s]| launch!(h, "rotg", c_type(elem), [1, 1], a, b, c, s)) }
}
