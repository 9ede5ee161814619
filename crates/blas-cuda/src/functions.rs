//! Tables of C functions found at run time.

use blas_api::Error;

/// Makes a struct of the pointers to some C functions that answer with a status, of which any may be missing: that is an
/// error of the call that needs it. Each method has the function's own arguments after the routine that an
/// error is to name. The text tells what it means that a function is missing.
macro_rules! functions {
    ($(#[$doc:meta])* $api:ident($missing:literal) { $($name:ident($($arg:ident: $ty:ty),* $(,)?);)* }) => {
        $(#[$doc])*
        #[allow(non_snake_case, reason = "they have the functions' names")]
        pub(crate) struct $api {
            $($name: Option<unsafe extern "C" fn($($ty),*) -> std::ffi::c_int>,)*
        }

        #[allow(non_snake_case, reason = "they have the functions' names")]
        impl $api {
            /// Takes the address of each function from `lookup`.
            ///
            /// # Safety
            /// An address that is not null is that of the function of this name, and stays valid for ever.
            pub(crate) unsafe fn new(lookup: impl Fn(&str) -> *const std::ffi::c_void) -> Self {
                $api { $($name: {
                    let address = lookup(stringify!($name));
                    // SAFETY: of one size; null is None; else the caller's promise, and the table's types.
                    unsafe {
                        std::mem::transmute_copy::<
                            *const std::ffi::c_void,
                            Option<unsafe extern "C" fn($($ty),*) -> std::ffi::c_int>,
                        >(&address)
                    }
                },)* }
            }

            $(
                #[doc = concat!("`", stringify!($name), "`")]
                ///
                /// # Safety
                /// As in C.
                pub(crate) unsafe fn $name(&self, routine: &'static str, $($arg: $ty),*) -> blas_api::Result {
                    let Some(function) = self.$name else {
                        return Err($crate::functions::missing(stringify!($name), $missing));
                    };
                    // SAFETY: the caller's promise.
                    $crate::status::result(routine, stringify!($name), unsafe { function($($arg),*) })
                }
            )*
        }
    };
}
pub(crate) use functions;

/// The error of a call whose function is not there.
pub(crate) fn missing(name: &str, why: &str) -> Error {
    Error::Load { what: name.to_owned(), tried: vec![why.to_owned()] }
}
