//! The C functions, made from the table.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use hipblas_abi::hip::{
    Device, Error, Event, Graph, GraphExec, GraphNode, HostFn, PointerAttributes, Stream, StreamCallback,
    error,
};

use super::error::Reply;
use super::{check, device};

/// Where each function is. It has the name of the C function.
mod functions {
    pub(super) use crate::hip::copy::*;
    pub(super) use crate::hip::device::*;
    pub(super) use crate::hip::error::*;
    pub(super) use crate::hip::event::*;
    pub(super) use crate::hip::graph::*;
    pub(super) use crate::hip::memory::*;
    pub(super) use crate::hip::pool::*;
    pub(super) use crate::hip::stream::*;
}

/// Functions that answer without a device.
const WITHOUT_DEVICE: &[&str] = &[
    "hipGetDeviceCount",
    "hipRuntimeGetVersion",
    "hipDriverGetVersion",
    "hipGetErrorName",
    "hipGetErrorString",
    "hipGetLastError",
    "hipPeekAtLastError",
    "hipExtGetLastError",
];

/// What every C function does.
fn call<R: Reply>(name: &'static str, function: impl FnOnce() -> R) -> R::C {
    let _function = super::error::enter(name);
    check::install();
    if !device::is_there() && !WITHOUT_DEVICE.contains(&name) {
        return R::failure(error::NO_DEVICE).reply();
    }
    // A panic must not cross into C. It is a fault of this library, and has been printed.
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|_| R::failure(error::UNKNOWN)).reply()
}

macro_rules! exports { ($($version:literal $name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $c:literal;)*) => {$(
    #[allow(unused_unsafe, reason = "those that take no pointers are safe")]
    #[unsafe(export_name = concat!("compat_", stringify!($name)))]
    pub(crate) unsafe extern "C" fn $name($($arg: $ty),*) -> $out {
        // SAFETY: the caller keeps the rules of HIP for this function.
        call(stringify!($name), || unsafe { functions::$name($($arg),*) })
    }
)*}}
hipblas_abi::for_each_hip_function!(exports);
