//! rotmg.

use blas_api::Result;
use hipblas_abi::{Elem, Operand, calls};

use super::scalars::{Value, on_device};
use crate::handle::CudaHandle;
use crate::kernels::{c_type, launch};

/// rotmg, for which cuBLAS does not end on infinite numbers.
pub(super) unsafe fn rotmg(h: &CudaHandle, elem: Elem, d: &calls::Rotmg) -> Result {
    let size = elem.size();
    let value = |o: Operand, n: usize, written| Value { at: o.ptr, bytes: n * size, written };
    // What the flag implies of the parameters is not written.
    let values = [
        value(d.d1, 1, true),
        value(d.d2, 1, true),
        value(d.x1, 1, true),
        value(d.y1, 1, false),
        value(d.param, 5, true),
    ];
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe {
        on_device(h, values, |[d1, d2, x1, y1, param]| {
            launch!(h, "rotmg", c_type(elem), [1, 1], d1, d2, x1, y1, param)
        })
    }
}
