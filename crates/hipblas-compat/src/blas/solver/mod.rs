//! The LAPACK-like functions, one file a family.

mod gels;
mod geqrf;
mod getrf;
mod getri;
mod getrs;

use std::ffi::{c_int, c_void};

use blas_api::{Address, RawOut};
use hipblas_abi::{Form, Operand, data_type, status};

use super::lower::Call;
use super::{Result, check};

/// A rule of an argument: its number in the plain and the batched form, how many operands with strides stand before it
/// in the strided form, and whether it is kept.
type Rule = (c_int, c_int, bool);

/// LAPACK's report on the arguments, on the host: `info` becomes minus the number of the first at fault, or 0.
///
/// # Safety
/// `info` is NULL or can be written.
unsafe fn report<const N: usize>(call: &Call, info: *mut c_void, rules: [Rule; N]) -> Result {
    check::pointers([info.cast_const()])?;
    let strides = |n| if call.form() == Form::Strided { n } else { 0 };
    let fault = rules.iter().find(|rule| !rule.2).map(|&(number, before, _)| number + strides(before));
    // SAFETY: the caller's promise.
    unsafe { info.cast::<c_int>().write(-fault.unwrap_or(0)) };
    if fault.is_none() { Ok(()) } else { Err(status::INVALID_VALUE) }
}

/// `n` pivots of each entry. Those of a batch of pointers are one array.
fn pivots(call: &Call, pivots: Operand, n: i64) -> Result<Option<Address>> {
    if pivots.ptr.is_null() {
        return Ok(None);
    }
    let stride = if call.form() == Form::Batched { n } else { pivots.stride };
    call.strided("ipiv", Operand { dtype: data_type::R_32I, stride, ..pivots }, n).map(Some)
}

/// One number of each entry, on the device.
fn device_info(call: &Call, ptr: *mut c_void) -> Result<RawOut> {
    call.strided("info", Operand { ptr, dtype: data_type::R_32I, ld: 1, stride: 1 }, 1)?;
    Ok(RawOut::Device(ptr.cast()))
}
