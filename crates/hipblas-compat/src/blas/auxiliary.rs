//! Handles, modes and copies: one function a row of the table, named as there. `exports.rs` has their C forms.
//!
//! All are `unsafe` as C functions are: pointers are NULL or valid for what the function does with them.

use std::ffi::{c_char, c_int, c_void};

use hipblas_abi::hip::{self, memcpy};
use hipblas_abi::{Handle, atomics, int8, math, pointer_mode, property, status as code};

use super::status::{self, of_runtime};
use super::{Result, check, handle};
use crate::hip::copy::{hipMemcpy2D, hipMemcpy2DAsync};
use crate::hip::device;

pub(super) unsafe fn create(out: *mut c_void) -> Result {
    if out.is_null() {
        return Err(code::HANDLE_IS_NULLPTR);
    }
    if !device::is_there() {
        return Err(of_runtime(hip::error::NO_DEVICE));
    }
    // SAFETY: the caller's promise.
    unsafe { store(out, handle::create()) }
}

pub(super) unsafe fn destroy(handle: Handle) -> Result {
    handle::destroy(handle)
}

pub(super) unsafe fn status_to_string(value: c_int) -> *const c_char {
    status::name(value)
}

pub(super) unsafe fn set_stream(handle: Handle, stream: hip::Stream) -> Result {
    handle::change(handle, |s| s.stream = stream)
}

pub(super) unsafe fn get_stream(handle: Handle, out: *mut c_void) -> Result {
    // SAFETY: the caller's promise.
    unsafe { store(out, handle::settings(handle)?.stream) }
}

pub(super) unsafe fn set_pointer_mode(handle: Handle, mode: c_int) -> Result {
    known(mode, pointer_mode::ALL)?;
    handle::change(handle, |s| s.pointer_mode = mode)
}

pub(super) unsafe fn get_pointer_mode(handle: Handle, out: *mut c_void) -> Result {
    // SAFETY: the caller's promise.
    unsafe { store(out, handle::settings(handle)?.pointer_mode) }
}

pub(super) unsafe fn set_atomics_mode(handle: Handle, mode: c_int) -> Result {
    known(mode, atomics::ALL)?;
    handle::change(handle, |s| s.atomics = mode)
}

pub(super) unsafe fn get_atomics_mode(handle: Handle, out: *mut c_void) -> Result {
    // SAFETY: the caller's promise.
    unsafe { store(out, handle::settings(handle)?.atomics) }
}

/// Beside the default there is TF32 on a GPU that has it, by NVIDIA's name for it or AMD's. f32 is f32 on every other device.
pub(super) unsafe fn set_math_mode(handle: Handle, mode: c_int) -> Result {
    known(mode, math::ALL)?;
    handle::settings(handle)?;
    match mode {
        math::DEFAULT_MATH => {}
        math::XF32_XDL_MATH | math::TF32_TENSOR_OP_MATH if device::has_tf32() => {}
        _ => return Err(code::NOT_SUPPORTED),
    }
    handle::change(handle, |s| s.math = mode)
}

pub(super) unsafe fn get_math_mode(handle: Handle, out: *mut c_void) -> Result {
    // SAFETY: the caller's promise.
    unsafe { store(out, handle::settings(handle)?.math) }
}

pub(super) unsafe fn set_int8_datatype(handle: Handle, mode: c_int) -> Result {
    known(mode, int8::ALL)?;
    handle::change(handle, |s| s.int8 = mode)
}

pub(super) unsafe fn get_int8_datatype(handle: Handle, out: *mut c_void) -> Result {
    // SAFETY: the caller's promise.
    unsafe { store(out, handle::settings(handle)?.int8) }
}

/// The backends have workspaces of their own: that of the program is not used.
pub(super) unsafe fn set_workspace(handle: Handle, _workspace: *mut c_void, _bytes: usize) -> Result {
    handle::settings(handle).map(|_| ())
}

/// The release of hipBLAS whose functions a library of the newest ABI has.
const VERSION: [c_int; 3] = [3, 7, 0];

/// The version is that of the library: any handle will do, and none.
pub(super) unsafe fn get_version(_handle: Handle, out: *mut c_void) -> Result {
    let [major, minor, patch] = VERSION;
    // SAFETY: the caller's promise.
    unsafe { store(out, major * 10_000 + minor * 100 + patch) }
}

pub(super) unsafe fn get_property(property: c_int, out: *mut c_void) -> Result {
    let [major, minor, patch] = VERSION;
    let value = match property {
        property::MAJOR_VERSION => major,
        property::MINOR_VERSION => minor,
        property::PATCH_LEVEL => patch,
        _ => return Err(code::INVALID_VALUE),
    };
    // SAFETY: the caller's promise.
    unsafe { store(out, value) }
}

pub(super) unsafe fn set_batch_alpha_stride(handle: Handle, stride: i64) -> Result {
    handle::change(handle, |s| s.alpha_stride = stride)
}

pub(super) unsafe fn get_batch_alpha_stride(handle: Handle, out: *mut c_void) -> Result {
    // SAFETY: the caller's promise.
    unsafe { store(out, handle::settings(handle)?.alpha_stride) }
}

pub(super) unsafe fn set_batch_beta_stride(handle: Handle, stride: i64) -> Result {
    handle::change(handle, |s| s.beta_stride = stride)
}

pub(super) unsafe fn get_batch_beta_stride(handle: Handle, out: *mut c_void) -> Result {
    // SAFETY: the caller's promise.
    unsafe { store(out, handle::settings(handle)?.beta_stride) }
}

/// INVALID_ENUM unless the number is one of the enum's.
fn known(value: c_int, all: &[(&str, c_int)]) -> Result {
    if all.iter().any(|(_, v)| *v == value) { Ok(()) } else { Err(code::INVALID_ENUM) }
}

/// Writes what was asked for; INVALID_VALUE if there is no place for it.
unsafe fn store<T>(out: *mut c_void, value: T) -> Result {
    check::pointers([out.cast_const()])?;
    // SAFETY: the caller's promise.
    unsafe { out.cast::<T>().write(value) };
    Ok(())
}

macro_rules! vectors { ($($name:ident $name_async:ident $kind:ident;)*) => {$(
    pub(super) unsafe fn $name(
        n: c_int, elem_size: c_int, x: *mut c_void, incx: c_int, y: *mut c_void, incy: c_int,
    ) -> Result {
        // A vector is a matrix of one row.
        // SAFETY: the caller's promise.
        unsafe { matrix(1, n, elem_size, x, incx, y, incy)?.copy(memcpy::$kind) }
    }

    pub(super) unsafe fn $name_async(
        n: c_int, elem_size: c_int, x: *mut c_void, incx: c_int, y: *mut c_void, incy: c_int, stream: hip::Stream,
    ) -> Result {
        // A vector is a matrix of one row.
        // SAFETY: the caller's promise.
        unsafe { matrix(1, n, elem_size, x, incx, y, incy)?.copy_async(memcpy::$kind, stream) }
    }
)*}}
vectors!(
    set_vector set_vector_async HOST_TO_DEVICE;
    get_vector get_vector_async DEVICE_TO_HOST;
);

macro_rules! matrices { ($($name:ident $name_async:ident $kind:ident;)*) => {$(
    pub(super) unsafe fn $name(
        rows: c_int, cols: c_int, elem_size: c_int, a: *mut c_void, lda: c_int, b: *mut c_void, ldb: c_int,
    ) -> Result {
        // SAFETY: the caller's promise.
        unsafe { matrix(rows, cols, elem_size, a, lda, b, ldb)?.copy(memcpy::$kind) }
    }

    pub(super) unsafe fn $name_async(
        rows: c_int, cols: c_int, elem_size: c_int, a: *mut c_void, lda: c_int, b: *mut c_void, ldb: c_int,
        stream: hip::Stream,
    ) -> Result {
        // SAFETY: the caller's promise.
        unsafe { matrix(rows, cols, elem_size, a, lda, b, ldb)?.copy_async(memcpy::$kind, stream) }
    }
)*}}
matrices!(
    set_matrix set_matrix_async HOST_TO_DEVICE;
    get_matrix get_matrix_async DEVICE_TO_HOST;
);

fn matrix(
    rows: c_int,
    cols: c_int,
    elem_size: c_int,
    src: *mut c_void,
    ld_src: c_int,
    dst: *mut c_void,
    ld_dst: c_int,
) -> Result<Transfer> {
    if rows == 0 || cols == 0 {
        return Ok(Transfer { dst, dpitch: 0, src, spitch: 0, width: 0, height: 0 });
    }
    check::sizes(rows > 0 && cols > 0 && elem_size > 0 && ld_src >= rows && ld_dst >= rows)?;
    check::pointers([src.cast_const(), dst.cast_const()])?;
    let size = |n: c_int| n.unsigned_abs() as usize;
    let bytes = |n: c_int| size(n) * size(elem_size);
    let (dpitch, spitch) = (bytes(ld_dst), bytes(ld_src));
    Ok(Transfer { dst, dpitch, src, spitch, width: bytes(rows), height: size(cols) })
}

/// A copy of columns: `height` pieces of `width` bytes.
struct Transfer {
    dst: *mut c_void,
    dpitch: usize,
    src: *mut c_void,
    spitch: usize,
    width: usize,
    height: usize,
}

impl Transfer {
    /// # Safety
    /// The memory is there.
    unsafe fn copy(self, kind: c_int) -> Result {
        let Transfer { dst, dpitch, src, spitch, width, height } = self;
        // SAFETY: the caller's promise.
        unsafe { hipMemcpy2D(dst, dpitch, src, spitch, width, height, kind) }.map_err(of_runtime)
    }

    /// # Safety
    /// The memory is there until the work is done.
    unsafe fn copy_async(self, kind: c_int, stream: hip::Stream) -> Result {
        let Transfer { dst, dpitch, src, spitch, width, height } = self;
        // SAFETY: the caller's promise.
        unsafe { hipMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream) }.map_err(of_runtime)
    }
}
