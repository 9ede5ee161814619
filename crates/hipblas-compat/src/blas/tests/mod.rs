//! hipBLAS through its C functions.

mod handle;
mod level1;
mod level2;
mod stream;

use std::ffi::{c_int, c_void};
use std::sync::MutexGuard;

use hipblas_abi::hip::memcpy;
use hipblas_abi::{Handle, hip, pointer_mode, status};

use super::exports::*;
use crate::hip::exports::hipMemcpy;
use crate::hip::tests::{alone, malloc};

/// Calls functions that must succeed.
macro_rules! ok {
    ($($call:expr);* $(;)?) => {$(
        // SAFETY: the test keeps the rules of the function.
        assert_eq!(unsafe { $call }, status::SUCCESS, "{}", stringify!($call));
    )*};
}

/// Calls a function that must return a status.
macro_rules! fails {
    ($status:ident, $call:expr) => {
        // SAFETY: the test keeps the rules of the function, but for what is an error.
        assert_eq!(unsafe { $call }, status::$status, "{}", stringify!($call))
    };
}
use {fails, ok};

const NULL: *mut c_void = std::ptr::null_mut();

/// Makes a handle. The error is a status.
pub(crate) fn create() -> Result<Handle, c_int> {
    let mut handle = NULL;
    // SAFETY: there is room for a handle.
    match unsafe { hipblasCreate((&raw mut handle).cast()) } {
        status::SUCCESS => Ok(handle),
        other => Err(other),
    }
}

/// A handle, while no other test runs: graph capture restricts the whole process.
struct Blas {
    handle: Handle,
    _alone: MutexGuard<'static, ()>,
}

impl Blas {
    fn new() -> Self {
        let alone = alone();
        Blas { handle: create().unwrap(), _alone: alone }
    }

    fn device_mode(&self) {
        ok!(hipblasSetPointerMode(self.handle, pointer_mode::DEVICE));
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        // SAFETY: the handle is there.
        unsafe { hipblasDestroy(self.handle) };
    }
}

/// Device memory with these elements.
fn device<T: Copy>(elements: &[T]) -> *mut c_void {
    let ptr = malloc(size_of_val(elements));
    // SAFETY: the memory is as large as the elements.
    let copied =
        unsafe { hipMemcpy(ptr, elements.as_ptr().cast(), size_of_val(elements), memcpy::HOST_TO_DEVICE) };
    assert_eq!(copied, hip::error::SUCCESS);
    ptr
}

/// Elements in device memory, once all work is done.
fn host<T: Copy + Default, const N: usize>(device: *mut c_void) -> [T; N] {
    let mut elements = [T::default(); N];
    let to = elements.as_mut_ptr().cast();
    // SAFETY: the tests ask for what is there.
    let copied = unsafe { hipMemcpy(to, device, size_of::<[T; N]>(), memcpy::DEVICE_TO_HOST) };
    assert_eq!(copied, hip::error::SUCCESS);
    elements
}

/// The address of a coefficient or result.
fn at<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}
