//! The runtime through its C functions.

mod check;
mod copy;
mod device;
mod far;
mod graph;
mod memory;
mod stream;

use std::ffi::{c_int, c_void};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hipblas_abi::hip::{self, Error, error, memcpy};

use super::exports::*;

const NULL: hip::Stream = std::ptr::null_mut();

/// Graph capture restricts the whole process, so that tests run one at a time.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls functions that must succeed.
macro_rules! ok {
    ($($call:expr);* $(;)?) => {{$(
        // SAFETY: the test keeps the rules of the function.
        assert_eq!(unsafe { $call }, error::SUCCESS, "{}", stringify!($call));
    )*}};
}

/// Calls a function that must return an error.
macro_rules! fails {
    ($error:ident, $call:expr) => {
        // SAFETY: the test keeps the rules of the function, but for what is an error.
        assert_eq!(unsafe { $call }, error::$error, "{}", stringify!($call))
    };
}
use {fails, ok};

pub(crate) fn malloc(bytes: usize) -> *mut c_void {
    let mut ptr = std::ptr::null_mut();
    ok!(hipMalloc(&mut ptr, bytes));
    ptr
}

/// Device memory with these numbers.
pub(crate) fn device(numbers: &[f32]) -> *mut c_void {
    let ptr = malloc(size_of_val(numbers));
    ok!(hipMemcpy(ptr, numbers.as_ptr().cast(), size_of_val(numbers), memcpy::HOST_TO_DEVICE));
    ptr
}

pub(crate) fn numbers(device: *mut c_void, n: usize) -> Vec<f32> {
    let mut host = vec![0.0f32; n];
    ok!(hipMemcpy(host.as_mut_ptr().cast(), device, 4 * n, memcpy::DEVICE_TO_HOST));
    host
}

pub(crate) fn stream() -> hip::Stream {
    let mut stream = NULL;
    ok!(hipStreamCreateWithFlags(&mut stream, hip::flag::STREAM_NON_BLOCKING));
    stream
}

fn event() -> hip::Event {
    let mut event = std::ptr::null_mut();
    ok!(hipEventCreate(&mut event));
    event
}

/// Work of a stream that takes a while.
pub(crate) fn slow(stream: hip::Stream) {
    unsafe extern "C" fn sleep(ms: *mut c_void) {
        std::thread::sleep(std::time::Duration::from_millis(ms as u64));
    }
    ok!(hipLaunchHostFunc(stream, Some(sleep), std::ptr::without_provenance_mut(30)));
}

/// Appends a fill of an int on a device.
fn set(ptr: *mut c_void, value: c_int, stream: hip::Stream) -> Error {
    // SAFETY: the tests pass an int.
    unsafe { hipMemsetD32Async(ptr, value, 1, stream) }
}

fn get(ptr: *mut c_void) -> c_int {
    let mut value = -1;
    ok!(hipMemcpy((&raw mut value).cast(), ptr, 4, memcpy::DEVICE_TO_HOST));
    value
}

/// Runs the body of the test `name` in a process of its own, with another environment. The body ends with the outcome.
fn in_child(name: &str, variables: &[(&str, &str)], body: impl FnOnce()) -> Option<Output> {
    const CHILD: &str = "HIP_COMPAT_TEST_CHILD";
    if std::env::var(CHILD).is_ok_and(|child| child == name) {
        body();
        return None;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("hip::tests::{name}"), "--nocapture", "--test-threads=1"])
        .env(CHILD, name)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    Some(output)
}
