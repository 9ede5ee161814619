//! hipBLAS.
//!
//! `exports.rs`, made from the ABI table, has the C functions: each puts its arguments into the struct of its family and
//! calls [`run`]. What a family does is written once, in its [`Routine`].

mod auxiliary;
mod check;
mod coef;
mod each;
mod handle;
mod level1;
mod level2;
mod level3;
mod lower;
mod solver;
mod status;
#[cfg(test)]
pub(crate) mod tests;

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hipblas_abi::{Arguments, Elem, Form, Handle, compute_of_data_type, from_old_data_type};

use crate::hip::error::enter;

/// What a function comes to. The error is a `hipblasStatus_t`.
pub(crate) type Result<T = ()> = std::result::Result<T, c_int>;

/// Which function was called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Its C name.
    pub(crate) name: &'static str,
    /// Element type, and that of the second coefficient; none for functions that are given types.
    pub(crate) types: Option<(Elem, Elem)>,
    /// Form of the batch.
    pub(crate) form: Form,
    /// Whether it is a `_64` function.
    pub(crate) wide: bool,
}

/// A family of hipBLAS functions.
pub(crate) trait Routine: Arguments {
    /// Checks the arguments as AMD's library does, and enqueues the work on the handle's stream.
    ///
    /// # Safety
    /// As the C function: pointers are valid for what the arguments say.
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result;
}

/// What every C function of BLAS does.
unsafe fn run<R: Routine>(handle: Handle, entry: &'static Entry, args: R) -> c_int {
    let _function = crate::hip::error::enter(entry.name);
    // SAFETY: the caller's promise.
    status_of(entry.name, || unsafe { args.run(handle, entry) })
}

/// What every C function does.
fn status_of(name: &'static str, function: impl FnOnce() -> Result) -> c_int {
    let _entered = enter(name);
    match catch_unwind(AssertUnwindSafe(function)) {
        Ok(Ok(())) => hipblas_abi::status::SUCCESS,
        Ok(Err(status)) => status,
        // A panic must not cross into C. It is a fault of this library, and has been printed.
        Err(_) => hipblas_abi::status::INTERNAL_ERROR,
    }
}

/// A data type given in the numbers of hipBLAS 0.x to 2.x.
fn new_type(old: c_int) -> c_int {
    from_old_data_type(old).unwrap_or(-1)
}

/// A compute type given as a data type in the numbers of hipBLAS 0.x to 2.x.
fn compute_type(old: c_int) -> c_int {
    from_old_data_type(old).and_then(compute_of_data_type).unwrap_or(-1)
}

/// The C functions.
#[allow(non_snake_case, reason = "they are C's names")]
mod exports {
    use std::ffi::{c_char, c_int, c_void};

    use hipblas_abi::{Elem, Form, Handle, Operand, calls};

    use super::each::run_each;
    use super::{Entry, auxiliary, compute_type, new_type, run, status_of};

    include!(concat!(env!("OUT_DIR"), "/exports.rs"));
}
