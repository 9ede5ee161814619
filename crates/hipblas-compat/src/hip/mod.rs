//! The HIP runtime.
//!
//! Each function of the table is written once, under its own name, in the module of its subject. [`exports`] makes the C
//! functions of the table from them: a function of the table that is not written does not compile.

mod arena;
mod backend;
pub(crate) mod check;
pub(crate) mod copy;
pub(crate) mod device;
pub(crate) mod error;
mod event;
pub(crate) mod exports;
mod graph;
pub(crate) mod memory;
mod pool;
pub(crate) mod stream;
#[cfg(test)]
#[allow(unused_unsafe, reason = "their macros call safe functions too")]
pub(crate) mod tests;

use error::Result;

/// Writes a result.
///
/// # Safety
/// The pointer is null or valid for a write.
unsafe fn put<T>(to: *mut T, value: T) -> Result {
    if to.is_null() {
        return Err(hipblas_abi::hip::error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { to.write(value) };
    Ok(())
}

/// Pointer of a job. Device memory is reached by the worker of a stream only, in the stream's order.
#[derive(Clone, Copy)]
struct Ptr(*mut u8);

// SAFETY: an address; who uses it keeps the order of its streams.
unsafe impl Send for Ptr {}
// SAFETY: as above.
unsafe impl Sync for Ptr {}

impl Ptr {
    fn get(self) -> *mut u8 {
        self.0
    }
}
