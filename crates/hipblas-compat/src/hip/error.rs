//! Errors: their names and texts, the last one of a thread, and the function that a thread is in.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char};
use std::sync::LazyLock;

pub(crate) use hipblas_abi::hip::Error;
use hipblas_abi::hip::error;

use crate::abi;

/// What the functions of the runtime return.
pub(crate) type Result<T = ()> = std::result::Result<T, Error>;

thread_local! {
    /// The last error that was not success, until it is read.
    static LAST_ERROR: Cell<Error> = const { Cell::new(error::SUCCESS) };
    /// What the last call returned, success or not.
    static LAST_OUTCOME: Cell<Error> = const { Cell::new(error::SUCCESS) };
    static FUNCTION: Cell<&'static str> = const { Cell::new("") };
}

/// What a function of the runtime answers, and what C gets of it.
pub(super) trait Reply {
    type C;

    /// The answer of a function that could not be called.
    fn failure(error: Error) -> Self;

    fn reply(self) -> Self::C;
}

/// The outcome of the call, which becomes the thread's last error.
impl Reply for Result {
    type C = Error;

    fn failure(error: Error) -> Self {
        Err(error)
    }

    fn reply(self) -> Error {
        let outcome = self.err().unwrap_or(error::SUCCESS);
        LAST_OUTCOME.set(outcome);
        // "Not ready" is an answer to a question, not an error.
        if outcome != error::SUCCESS && outcome != error::NOT_READY {
            LAST_ERROR.set(outcome);
        }
        outcome
    }
}

/// An answer about errors, which is not itself the outcome of a call.
pub(super) struct Answer<T>(pub(super) T);

impl Reply for Answer<Error> {
    type C = Error;

    fn failure(error: Error) -> Self {
        Answer(error)
    }

    fn reply(self) -> Error {
        self.0
    }
}

impl Reply for Answer<*const c_char> {
    type C = *const c_char;

    fn failure(_: Error) -> Self {
        Answer(std::ptr::null())
    }

    fn reply(self) -> *const c_char {
        self.0
    }
}

/// The C function that a thread is in, until it is dropped.
pub(crate) struct Entered {
    before: &'static str,
}

/// Notes that the thread is in a C function: work that it enqueues, and messages, bear its name.
pub(crate) fn enter(function: &'static str) -> Entered {
    Entered { before: FUNCTION.replace(function) }
}

impl Drop for Entered {
    fn drop(&mut self) {
        FUNCTION.set(self.before);
    }
}

/// Name of the C function that the thread is in, or whose work it does; empty outside of any.
pub(super) fn function() -> &'static str {
    // A thread that ends has no name any more.
    FUNCTION.try_with(Cell::get).unwrap_or("")
}

/// Name and text of each error as C strings.
static TEXTS: LazyLock<BTreeMap<Error, [CString; 2]>> = LazyLock::new(|| {
    let c = |text: &str| CString::new(text).unwrap_or_default();
    error::ALL.iter().map(|(name, value, text)| (*value, [c(name), c(text)])).collect()
});

fn text(error: Error, which: usize) -> Answer<*const c_char> {
    let texts = TEXTS.get(&error).or_else(|| TEXTS.get(&error::UNKNOWN));
    Answer(texts.map_or(std::ptr::null(), |t| t[which].as_ptr()))
}

pub(super) fn hipGetErrorName(error: Error) -> Answer<*const c_char> {
    text(error, 0)
}

pub(super) fn hipGetErrorString(error: Error) -> Answer<*const c_char> {
    text(error, 1)
}

/// Since HIP 7 the last error stays until it is read; before, it was the outcome of the last call.
fn last() -> &'static std::thread::LocalKey<Cell<Error>> {
    if abi::current().hip_major() < 7 { &LAST_OUTCOME } else { &LAST_ERROR }
}

pub(super) fn hipGetLastError() -> Answer<Error> {
    Answer(last().replace(error::SUCCESS))
}

pub(super) fn hipPeekAtLastError() -> Answer<Error> {
    Answer(last().get())
}

pub(super) fn hipExtGetLastError() -> Answer<Error> {
    Answer(LAST_OUTCOME.replace(error::SUCCESS))
}
