//! A handle, and calls of the exported functions by name.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use hipblas_abi::{Handle, Operand, status};
// The C functions are declared here by name. They are this crate's.
use hipblas_compat as _;

unsafe extern "C" {
    fn compat_hipblasCreate(handle: *mut Handle) -> c_int;
    fn compat_hipblasDestroy(handle: Handle) -> c_int;
    fn compat_hipblasSetPointerMode(handle: Handle, mode: c_int) -> c_int;
    fn compat_hipblasSetInt8Datatype(handle: Handle, mode: c_int) -> c_int;
    fn compat_hipDeviceSynchronize() -> c_int;
}

/// A handle.
pub(crate) struct Blas(pub(crate) Handle);

impl Blas {
    pub(crate) fn new() -> Self {
        let mut handle = null_mut();
        // SAFETY: there is room for a handle.
        assert_eq!(unsafe { compat_hipblasCreate(&mut handle) }, status::SUCCESS);
        Blas(handle)
    }

    pub(crate) fn pointer_mode(&self, mode: c_int) {
        // SAFETY: any handle and mode may be given.
        assert_eq!(unsafe { compat_hipblasSetPointerMode(self.0, mode) }, status::SUCCESS);
    }

    pub(crate) fn int8(&self, mode: c_int) {
        // SAFETY: as above.
        assert_eq!(unsafe { compat_hipblasSetInt8Datatype(self.0, mode) }, status::SUCCESS);
    }

    /// Waits for all work.
    pub(crate) fn wait(&self) {
        // SAFETY: it takes nothing.
        assert_eq!(unsafe { compat_hipDeviceSynchronize() }, 0);
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        // Operands are on the stack of the test: nothing may be at work on them when it ends.
        self.wait();
        // SAFETY: any handle may be given.
        unsafe { compat_hipblasDestroy(self.0) };
    }
}

/// `call!(blas, compat_hipblasSgemm, Plain, args)`: calls a function with the arguments of its family.
#[macro_export]
macro_rules! call {
    ($blas:expr, $function:ident, $form:ident, $args:expr) => {{
        unsafe extern "C" {
            fn $function();
        }
        // Declared without its arguments, which the compiler must not take at its word.
        let function = std::hint::black_box($function as *const std::ffi::c_void);
        let (blas, args) = (&$blas, $args);
        // SAFETY: the tests give each function what it wants, or what it must refuse.
        unsafe { hipblas_abi::Arguments::call(&args, function, blas.0, hipblas_abi::Form::$form, false) }
    }};
}

/// Elements as an operand. On this device, memory of the host is memory of the device.
pub(crate) fn operand<T>(data: &mut [T], dtype: c_int, ld: usize) -> Operand {
    Operand { ptr: data.as_mut_ptr().cast(), dtype, ld: ld as i64, stride: 0 }
}

/// A coefficient.
pub(crate) fn at<T>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}
