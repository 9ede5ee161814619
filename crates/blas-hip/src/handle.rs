//! The raw handle: routines by the lowering of `blas-gpu`, everything else by its base.

use std::ffi::c_void;

use blas_api::*;
use blas_gpu::{Base, GpuHandle};
use hipblas_abi::{Abi, Arguments, Elem, Form, status as code};

use crate::context::Context;
use crate::library::Library;
use crate::{Hip, status, support};

/// An AMD GPU's raw handle: a stream, a hipBLAS handle, and scratch memory.
///
/// A new handle has [`Determinism::Required`]: hipBLAS's atomics are off, as they are by default from 3.0 on; with
/// [`Determinism::Allowed`] they are on. [`Workspace::Fixed`] gives that many bytes to the handle's own scratch memory, and as
/// many again to hipBLAS where it takes a workspace (3.0 and later).
///
/// Calls leave the handle's device the current one of the calling thread.
pub struct HipHandle {
    base: Base<Context>,
}

impl HipHandle {
    /// Opens device number `index` of a library, with a stream of its own.
    pub fn new(library: &'static Library, index: usize) -> Result<Self> {
        Ok(Self::on(Context::new(library, library.device_id(index)?)?))
    }

    /// Opens device number `index` of a library on a stream that exists, a `hipStream_t`. The stream is not destroyed with the
    /// handle.
    ///
    /// # Safety
    /// The stream is one of this device, made by the library's HIP runtime, and stays until the handle, its graphs and its
    /// events are gone. It is not being captured.
    pub unsafe fn with_stream(library: &'static Library, index: usize, stream: *mut c_void) -> Result<Self> {
        let device = library.device_id(index)?;
        // SAFETY: the caller's promise.
        Ok(Self::on(unsafe { Context::adopt(library, device, stream) }?))
    }

    fn on(context: Context) -> Self {
        let mut policy = Policy::default();
        policy.determinism = Determinism::Required;
        HipHandle { base: Base::new(context, policy) }
    }

    /// The library that the handle calls.
    pub fn library(&self) -> &'static Library {
        self.context().library
    }

    /// The stream, a `hipStream_t`. It is destroyed with the handle (unless it was adopted).
    pub fn stream(&self) -> *mut c_void {
        self.context().stream
    }

    /// The `hipblasHandle_t`. Whoever changes its modes, stream or workspace must put them back before the next call of this
    /// handle.
    pub fn hipblas(&self) -> *mut c_void {
        self.context().blas
    }

    pub(crate) fn context(&self) -> &Context {
        self.base.queue()
    }

    /// A status that means that the library lacks the routine, as the error that says so.
    fn explain(&self, error: Error, call: Call<'_>) -> Error {
        if !status::is_hipblas(&error, code::NOT_SUPPORTED) {
            return error;
        }
        let why = match call.routine().level() {
            Level::Solver => "the library answered HIPBLAS_STATUS_NOT_SUPPORTED: it may lack rocSOLVER",
            _ => "the library answered HIPBLAS_STATUS_NOT_SUPPORTED",
        };
        Error::Unsupported { routine: call.routine().name(), types: call.types(), backend: Hip::NAME, why }
    }
}

impl GpuHandle for HipHandle {
    type Queue = Context;

    fn base(&self) -> &Base<Context> {
        &self.base
    }

    unsafe fn call<A: Arguments>(
        &self,
        routine: &'static str,
        types: Option<(Elem, Elem)>,
        form: Form,
        args: &A,
    ) -> Result {
        let beyond = args.beyond_i32(form);
        match self.find::<A>(types, form, beyond.is_some()) {
            // SAFETY: the caller's promise.
            Ok((f, name, address)) => unsafe { self.call_at(routine, f, name, address, args) },
            Err(missing) => match beyond {
                Some((what, value)) if self.has::<A>(types, form, false) => Err(Error::TooLarge {
                    routine,
                    what,
                    value: usize::try_from(value.unsigned_abs()).unwrap_or(usize::MAX),
                    max: i32::MAX as usize,
                }),
                _ => Err(missing),
            },
        }
    }

    fn trmm_in_place(&self) -> bool {
        self.library().abi() < Abi::V2
    }
}

macro_rules! raw_handle {
    ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
        // SAFETY: each routine's function does what its descriptor states, on the handle's stream; host memory is copied before
        // a call returns, or when the event says so; memory is of the handle's device.
        unsafe impl RawHandle for HipHandle {
            fn supports(&self, routine: Routine, types: Types) -> Support {
                support::supports(Some(self.library()), routine, types)
            }
            fn deviations(&self) -> &'static [Deviation] {
                support::deviations(self.library(), self.base.device())
            }
            blas_gpu::raw_handle_base!();
            fn begin_capture(&self) -> Result {
                self.base.begin_capture()
            }
            fn end_capture(&self) -> Result<Box<dyn RawGraph>> {
                self.base.end_capture()
            }
            $(unsafe fn $name(&self, d: &$desc) -> Result {
                if d.is_noop() {
                    return Ok(());
                }
                self.base.start(stringify!($name))?;
                // SAFETY: the caller's promise.
                unsafe { blas_gpu::routine::$name(self, d) }.map_err(|e| self.explain(e, Call::$variant(d)))
            })*
        }
    };
}
for_each_routine!(raw_handle);
