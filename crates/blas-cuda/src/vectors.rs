//! Routines of Level 1 by kernels of our own or by other functions of cuBLAS.

use std::ffi::{c_int, c_void};

use blas_api::{Location, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, Form, Operand, calls, data_type};

use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

/// The place on the device for a result of so many bytes that is to go where the pointer mode says, and whether it must be
/// brought to the host.
fn place(h: &CudaHandle, result: *mut c_void, bytes: usize) -> Result<(*mut u8, bool)> {
    match h.base().mode() {
        Some(Location::Device) => Ok((result.cast(), false)),
        _ => Ok((h.scratch(bytes)?, true)),
    }
}

/// iamax, iamin: the first NaN if there is one, which cuBLAS passes over. In two steps: the best of each block, and of those.
pub(crate) unsafe fn extreme(
    h: &CudaHandle,
    [first, last]: [&'static str; 2],
    types: NameTypes,
    n: i64,
    x: Operand,
    result: *mut c_void,
    wide: bool,
) -> Result {
    let elem = types.map_or(Elem::F32, |(t, _)| t);
    let count = blocks(n);
    let values = h.scratch(count as usize * elem.real().size())?;
    let indices = h.scratch(count as usize * size_of::<i64>())?;
    let bytes = if wide { size_of::<i64>() } else { size_of::<i32>() };
    let (out, fetch) = place(h, result, bytes)?;
    let (of, real) = (c_type(elem), c_type(elem.real()));
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        launch!(h, first, of, [count, 1], n, x.ptr, x.ld, values, indices)?;
        launch!(h, last, real, [1, 1], count, values, indices, out, c_int::from(wide))?;
        if fetch { h.fetch(out, result.cast(), bytes) } else { Ok(()) }
    }
}

/// nrm2: cuBLAS loses subnormal results, and gives infinity for a vector with a NaN and an infinity. `to` is the type of
/// the result.
pub(crate) unsafe fn nrm2(
    h: &CudaHandle,
    (from, to): (Elem, Elem),
    n: i64,
    x: Operand,
    result: *mut c_void,
) -> Result {
    /// Three sums of f64.
    const SUMS: usize = 3 * size_of::<f64>();
    let count = blocks(n);
    let sums = h.scratch(count as usize * SUMS)?;
    let (out, fetch) = place(h, result, to.size())?;
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        launch!(h, "nrm2", c_type(from), [count, 1], n, x.ptr, x.ld, sums)?;
        launch!(h, "nrm2_last", c_type(to), [1, 1], count, sums, out)?;
        if fetch { h.fetch(out, result.cast(), to.size()) } else { Ok(()) }
    }
}

/// The half type of a vector, if it has one.
pub(crate) fn half(dtype: c_int) -> Option<Elem> {
    match dtype {
        data_type::R_16F => Some(Elem::F16),
        data_type::R_16BF => Some(Elem::BF16),
        _ => None,
    }
}

/// dsdot, in f64 throughout.
pub(crate) unsafe fn double_dot(h: &CudaHandle, routine: &'static str, d: &calls::DotEx) -> Result {
    let n = usize::try_from(d.n).unwrap_or(0);
    let widened = |v: Operand| -> Result<Operand> {
        let wide = h.scratch(n * size_of::<f64>())?;
        // SAFETY: the caller's promise; the arguments are the kernel's own.
        unsafe { launch!(h, "widen", "float", [blocks(d.n), 1], d.n, v.ptr, v.ld, wide) }?;
        Ok(Operand { ptr: wide.cast(), dtype: data_type::R_64F, ld: 1, stride: 0 })
    };
    let (x, y) = (widened(d.x)?, widened(d.y)?);
    let args = calls::Dot { n: d.n, x, y, batch: 1, result: d.result };
    // SAFETY: the caller's promise.
    unsafe { h.call(routine, Some((Elem::F64, Elem::F64)), Form::Plain, &args) }
}

/// A complex vector by a real alpha, as two real vectors: cuBLAS multiplies by a complex number with a zero.
pub(crate) unsafe fn real_scal(h: &CudaHandle, routine: &'static str, real: Elem, d: &calls::Scal) -> Result {
    let types = Some((real, real));
    // SAFETY: the caller's promise.
    unsafe {
        if d.x.ld == 1 && d.n <= i64::MAX / 2 {
            return h.call(routine, types, Form::Plain, &calls::Scal { n: 2 * d.n, ..*d });
        }
        for part in 0..2 {
            let ptr = d.x.ptr.wrapping_byte_add(part * real.size());
            let x = Operand { ptr, ld: 2 * d.x.ld, ..d.x };
            h.call(routine, types, Form::Plain, &calls::Scal { x, ..*d })?;
        }
        Ok(())
    }
}

/// A scalar that a routine reads or overwrites.
struct Value {
    at: *mut c_void,
    bytes: usize,
    written: bool,
}

/// Lets a kernel work on scalars that are where the pointer mode says: those of the host by way of scratch memory.
unsafe fn on_device<const N: usize>(
    h: &CudaHandle,
    values: [Value; N],
    run: impl FnOnce([*mut c_void; N]) -> Result,
) -> Result {
    if h.base().mode() == Some(Location::Device) {
        return run(values.map(|v| v.at));
    }
    let mut places = [std::ptr::null_mut::<c_void>(); N];
    // SAFETY: the caller's promise; each place has the size of its value.
    unsafe {
        for (place, v) in places.iter_mut().zip(&values) {
            *place = h.scratch(v.bytes)?.cast();
            h.store(v.at.cast(), place.cast(), v.bytes)?;
        }
        run(places)?;
        for (place, v) in places.iter().zip(&values).filter(|(_, v)| v.written) {
            h.fetch(place.cast(), v.at.cast(), v.bytes)?;
        }
    }
    Ok(())
}

/// rotg of complex types, for which cuBLAS loses tiny numbers.
pub(crate) unsafe fn rotg(h: &CudaHandle, elem: Elem, d: &calls::Rotg) -> Result {
    let (whole, real) = (elem.size(), elem.real().size());
    let value = |o: Operand, bytes, written| Value { at: o.ptr, bytes, written };
    let values =
        [value(d.a, whole, true), value(d.b, whole, false), value(d.c, real, true), value(d.s, whole, true)];
    // SAFETY: the caller's promise; the arguments are the kernel's own.
    unsafe { on_device(h, values, |[a, b, c, s]| launch!(h, "rotg", c_type(elem), [1, 1], a, b, c, s)) }
}

/// rotmg, for which cuBLAS does not end on infinite numbers.
pub(crate) unsafe fn rotmg(h: &CudaHandle, elem: Elem, d: &calls::Rotmg) -> Result {
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

/// Whether a result of `iamax` is an `int64_t`: that of the `_64` functions is.
pub(crate) fn is_wide<A: Arguments>(args: &A) -> bool {
    args.beyond_i32(Form::Plain).is_some()
}
