//! cuSOLVER's functions: QR and LU of one matrix.

use std::ffi::{c_int, c_void};
use std::mem::transmute_copy;

use blas_api::Result;
use hipblas_abi::{Elem, Handle};

use crate::driver::Stream;
use crate::functions::{functions, missing};
use crate::status;

const TOO_OLD: &str = "this cuSOLVER is too old, that of CUDA 12 is the first";

functions! {
    /// Handles.
    Handles("this cuSOLVER is too old, that of CUDA 12 is the first") {
        cusolverDnCreate(handle: *mut Handle);
        cusolverDnDestroy(handle: Handle);
        cusolverDnSetStream(handle: Handle, stream: Stream);
    }
}

/// Makes a struct of functions that there are for four types.
macro_rules! per_type {
    ($($name:ident [$($symbol:literal)*] ($($arg:ident: $ty:ty),* $(,)?);)*) => {
        /// The functions of cuSOLVER. Any of them may be missing, which is an error of the call that needs it.
        pub(crate) struct Cusolver {
            pub(crate) handles: Handles,
            $($name: [Option<unsafe extern "C" fn(Handle, $($ty),*) -> c_int>; 4],)*
        }

        impl Cusolver {
            /// Takes the address of each function from `lookup`.
            ///
            /// # Safety
            /// An address that is not null is that of the function of this name, and stays valid for ever.
            pub(crate) unsafe fn new(lookup: impl Fn(&str) -> *const c_void) -> Self {
                // SAFETY: of one size; null is None; else the caller's promise, and the table's types.
                unsafe {
                    Cusolver {
                        $($name: [$($symbol),*].map(|name| transmute_copy::<
                            *const c_void,
                            Option<unsafe extern "C" fn(Handle, $($ty),*) -> c_int>,
                        >(&lookup(name))),)*
                        handles: Handles::new(lookup),
                    }
                }
            }

            $(
                #[doc = concat!("`", stringify!($name), "` of a type.")]
                ///
                /// # Safety
                /// As in C.
                pub(crate) unsafe fn $name(
                    &self, routine: &'static str, elem: Elem, handle: Handle, $($arg: $ty),*
                ) -> Result {
                    const SYMBOLS: [&str; 4] = [$($symbol),*];
                    let i = number(elem);
                    let Some(function) = self.$name[i] else { return Err(missing(SYMBOLS[i], TOO_OLD)) };
                    // SAFETY: the caller's promise.
                    status::result(routine, SYMBOLS[i], unsafe { function(handle, $($arg),*) })
                }
            )*
        }
    };
}

/// Place of a type in the lists; the half types are not asked for.
fn number(elem: Elem) -> usize {
    match elem {
        Elem::F64 => 1,
        Elem::C32 => 2,
        Elem::C64 => 3,
        _ => 0,
    }
}

per_type! {
    getrf_size ["cusolverDnSgetrf_bufferSize" "cusolverDnDgetrf_bufferSize"
                "cusolverDnCgetrf_bufferSize" "cusolverDnZgetrf_bufferSize"]
        (m: c_int, n: c_int, a: *mut c_void, lda: c_int, len: *mut c_int);
    getrf ["cusolverDnSgetrf" "cusolverDnDgetrf" "cusolverDnCgetrf" "cusolverDnZgetrf"]
        (m: c_int, n: c_int, a: *mut c_void, lda: c_int, work: *mut c_void, pivots: *mut c_void, info: *mut c_void);
    getrs ["cusolverDnSgetrs" "cusolverDnDgetrs" "cusolverDnCgetrs" "cusolverDnZgetrs"]
        (trans: c_int, n: c_int, nrhs: c_int, a: *mut c_void, lda: c_int, pivots: *mut c_void, b: *mut c_void,
         ldb: c_int, info: *mut c_void);
    geqrf_size ["cusolverDnSgeqrf_bufferSize" "cusolverDnDgeqrf_bufferSize"
                "cusolverDnCgeqrf_bufferSize" "cusolverDnZgeqrf_bufferSize"]
        (m: c_int, n: c_int, a: *mut c_void, lda: c_int, len: *mut c_int);
    geqrf ["cusolverDnSgeqrf" "cusolverDnDgeqrf" "cusolverDnCgeqrf" "cusolverDnZgeqrf"]
        (m: c_int, n: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void, work: *mut c_void, len: c_int,
         info: *mut c_void);
    mqr_size ["cusolverDnSormqr_bufferSize" "cusolverDnDormqr_bufferSize"
              "cusolverDnCunmqr_bufferSize" "cusolverDnZunmqr_bufferSize"]
        (side: c_int, trans: c_int, m: c_int, n: c_int, k: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void,
         c: *mut c_void, ldc: c_int, len: *mut c_int);
    mqr ["cusolverDnSormqr" "cusolverDnDormqr" "cusolverDnCunmqr" "cusolverDnZunmqr"]
        (side: c_int, trans: c_int, m: c_int, n: c_int, k: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void,
         c: *mut c_void, ldc: c_int, work: *mut c_void, len: c_int, info: *mut c_void);
}
