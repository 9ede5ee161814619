//! Handles, modes and copies: one function a row of the table, named as there. `exports.rs` has their C forms.
//!
//! All are `unsafe` as C functions are: pointers are NULL or valid for what the function does with them.

use std::ffi::{c_char, c_int, c_void};

use blas_api::RawHandle;
use hipblas_abi::{Handle, atomics, hip, int8, math, pointer_mode, status as code};

use super::status::{self, of_runtime};
use super::{Result, check, handle, lower};
use crate::hip::stream;

pub(super) unsafe fn create(out: *mut c_void) -> Result {
    if out.is_null() {
        return Err(code::HANDLE_IS_NULLPTR);
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

/// f32 is f32 on every device of this library: there is no other mode.
pub(super) unsafe fn set_math_mode(handle: Handle, mode: c_int) -> Result {
    known(mode, math::ALL)?;
    handle::settings(handle)?;
    if mode != math::DEFAULT_MATH {
        return Err(code::NOT_SUPPORTED);
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

macro_rules! vectors { ($($name:ident $asynchronous:ident $from:ident;)*) => {$(
    pub(super) unsafe fn $name(
        n: c_int, elem_size: c_int, x: *mut c_void, incx: c_int, y: *mut c_void, incy: c_int,
    ) -> Result {
        // SAFETY: the caller's promise.
        unsafe { $asynchronous(n, elem_size, x, incx, y, incy, std::ptr::null_mut())? };
        stream::synchronize(std::ptr::null_mut()).map_err(of_runtime)
    }

    pub(super) unsafe fn $asynchronous(
        n: c_int, elem_size: c_int, x: *mut c_void, incx: c_int, y: *mut c_void, incy: c_int, stream: hip::Stream,
    ) -> Result {
        if n == 0 {
            return Ok(());
        }
        check::sizes(n > 0 && incx > 0 && incy > 0 && elem_size > 0)?;
        check::pointers([x.cast_const(), y.cast_const()])?;
        // A vector is a matrix of one row.
        Transfer { from: Source::$from, rows: 1, cols: n, elem_size, src: x, ld_src: incx, dst: y, ld_dst: incy }.enqueue(stream)
    }
)*}}
vectors!(
    set_vector set_vector_async Host;
    get_vector get_vector_async Device;
);

macro_rules! matrices { ($($name:ident $asynchronous:ident $from:ident;)*) => {$(
    pub(super) unsafe fn $name(
        rows: c_int, cols: c_int, elem_size: c_int, a: *mut c_void, lda: c_int, b: *mut c_void, ldb: c_int,
    ) -> Result {
        // SAFETY: the caller's promise.
        unsafe { $asynchronous(rows, cols, elem_size, a, lda, b, ldb, std::ptr::null_mut())? };
        stream::synchronize(std::ptr::null_mut()).map_err(of_runtime)
    }

    pub(super) unsafe fn $asynchronous(
        rows: c_int, cols: c_int, elem_size: c_int, a: *mut c_void, lda: c_int, b: *mut c_void, ldb: c_int,
        stream: hip::Stream,
    ) -> Result {
        if rows == 0 || cols == 0 {
            return Ok(());
        }
        check::sizes(rows > 0 && cols > 0 && lda >= rows && ldb >= rows && elem_size > 0)?;
        check::pointers([a.cast_const(), b.cast_const()])?;
        Transfer { from: Source::$from, rows, cols, elem_size, src: a, ld_src: lda, dst: b, ld_dst: ldb }.enqueue(stream)
    }
)*}}
matrices!(
    set_matrix set_matrix_async Host;
    get_matrix get_matrix_async Device;
);

/// Where a copy starts. It ends on the other side.
#[derive(Clone, Copy)]
enum Source {
    Host,
    Device,
}

/// A copy of a matrix, of which columns are in one piece.
#[derive(Clone, Copy)]
struct Transfer {
    from: Source,
    rows: c_int,
    cols: c_int,
    elem_size: c_int,
    src: *mut c_void,
    ld_src: c_int,
    dst: *mut c_void,
    ld_dst: c_int,
}

impl Transfer {
    fn enqueue(self, stream: hip::Stream) -> Result {
        stream::enqueue(stream, lower::job(move |raw| self.run(raw))).map_err(of_runtime)
    }

    fn run(self, raw: &dyn RawHandle) -> blas_api::Result {
        let bytes = |n: c_int| n.unsigned_abs() as usize * self.elem_size.unsigned_abs() as usize;
        let cols = self.cols.unsigned_abs() as usize;
        let whole = self.ld_src == self.rows && self.ld_dst == self.rows;
        let (pieces, len) = if whole { (1, cols * bytes(self.rows)) } else { (cols, bytes(self.rows)) };
        for j in 0..pieces {
            let src = self.src.cast::<u8>().wrapping_add(j * bytes(self.ld_src));
            let dst = self.dst.cast::<u8>().wrapping_add(j * bytes(self.ld_dst));
            // SAFETY: the caller of the C function has promised the memory on both sides.
            unsafe {
                match self.from {
                    Source::Host => raw.upload(src, dst, len)?,
                    Source::Device => raw.download(src, dst, len)?,
                }
            }
        }
        Ok(())
    }
}
