//! The HIP runtime's functions, as typed pointers that answer with results.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::mem::transmute_copy;

use blas_api::Result;
use hipblas_abi::hip::{
    Device, Error, Event, Graph, GraphExec, GraphNode, HostFn, PointerAttributes, Stream, StreamCallback,
    pointer,
};

use crate::status;

/// What a HIP function returns, as a result.
pub(crate) trait Answer {
    type Value;
    fn result(self, routine: &'static str, call: &'static str) -> Result<Self::Value>;
}

impl Answer for Error {
    type Value = ();
    fn result(self, routine: &'static str, call: &'static str) -> Result {
        status::of_hip(routine, call, self)
    }
}

impl Answer for *const c_char {
    type Value = String;
    fn result(self, _: &'static str, _: &'static str) -> Result<String> {
        if self.is_null() {
            return Ok(String::new());
        }
        // SAFETY: the runtime gives static texts.
        Ok(unsafe { CStr::from_ptr(self) }.to_string_lossy().into_owned())
    }
}

macro_rules! runtime { ($($version:literal $name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $c:literal;)*) => {
    /// The functions of a HIP runtime. Any of them may be missing, which is an error of the call that needs it. Each method
    /// has the function's own arguments after the routine that an error is to name.
    pub(crate) struct Runtime {
        $($name: Option<pointer::$name>,)*
    }

    #[allow(non_snake_case, dead_code, reason = "they have the functions' names; the table has more than are used")]
    impl Runtime {
        /// Takes the address of each function from `lookup`.
        ///
        /// # Safety
        /// An address that is not null is that of the HIP function of this name, and stays valid for ever.
        pub(crate) unsafe fn new(lookup: impl Fn(&str) -> *const c_void) -> Self {
            Runtime { $($name: {
                let address = lookup(stringify!($name));
                // SAFETY: of one size; null is None; else the caller's promise, and the table's types.
                unsafe { transmute_copy::<*const c_void, Option<pointer::$name>>(&address) }
            },)* }
        }

        $(
            #[doc = concat!("`", stringify!($name), "`")]
            ///
            /// # Safety
            /// As in C.
            pub(crate) unsafe fn $name(
                &self, routine: &'static str, $($arg: $ty),*
            ) -> Result<<$out as Answer>::Value> {
                let Some(function) = self.$name else { return Err(missing(stringify!($name), $version)) };
                // SAFETY: the caller's promise.
                unsafe { function($($arg),*) }.result(routine, stringify!($name))
            }
        )*
    }
}}
hipblas_abi::for_each_hip_function!(runtime);

fn missing(name: &str, version: &str) -> blas_api::Error {
    blas_api::Error::Load {
        what: name.to_owned(),
        tried: vec![format!("the HIP runtime has no such function; it came with {version}")],
    }
}
