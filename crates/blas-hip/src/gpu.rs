//! What the lowering of `blas-gpu` asks of a handle.

use std::ffi::{c_int, c_void};

use blas_api::*;
use blas_gpu::GpuHandle;
use hipblas_abi::hip::memcpy;
use hipblas_abi::{Abi, Arguments, Elem, Form, pointer_mode};

use crate::Hip;
use crate::handle::HipHandle;

impl GpuHandle for HipHandle {
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

    fn routine(&self) -> &'static str {
        self.routine.get()
    }

    fn pointer_mode(&self, on: Location) -> Result {
        if self.mode.get() == Some(on) {
            return Ok(());
        }
        let value = match on {
            Location::Host => pointer_mode::HOST,
            Location::Device => pointer_mode::DEVICE,
        };
        // Unknown, should the call fail.
        self.mode.set(None);
        self.context().set_mode(self.routine(), "SetPointerMode", value)?;
        self.mode.set(Some(on));
        Ok(())
    }

    fn scratch(&self, bytes: usize) -> Result<*mut u8> {
        self.scratch.take(self.context(), self.routine(), bytes)
    }

    fn upload_async(&self, data: &[u8]) -> Result<*mut u8> {
        self.scratch.place(self.context(), self.routine(), data)
    }

    fn pointers(&self, host: Vec<*mut u8>) -> Result<*mut c_void> {
        let bytes: Vec<u8> = host.iter().flat_map(|p| p.addr().to_ne_bytes()).collect();
        Ok(self.upload_async(&bytes)?.cast())
    }

    unsafe fn fill(&self, dst: *mut u8, value: u8, bytes: usize) -> Result {
        if bytes == 0 {
            return Ok(());
        }
        let hip = &self.library().hip;
        // SAFETY: the caller's promise.
        unsafe { hip.hipMemsetAsync(self.routine(), dst.cast(), c_int::from(value), bytes, self.stream()) }
    }

    unsafe fn copy_2d(
        &self,
        dst: *mut u8,
        dst_pitch: usize,
        src: *const u8,
        src_pitch: usize,
        width: usize,
        rows: usize,
    ) -> Result {
        if width == 0 || rows == 0 {
            return Ok(());
        }
        let (hip, kind) = (&self.library().hip, memcpy::DEVICE_TO_DEVICE);
        let (routine, stream) = (self.routine(), self.stream());
        // SAFETY: the caller's promise.
        unsafe {
            hip.hipMemcpy2DAsync(
                routine,
                dst.cast(),
                dst_pitch,
                src.cast(),
                src_pitch,
                width,
                rows,
                kind,
                stream,
            )
        }
    }

    fn no_capture(&self, what: &'static str) -> Result {
        if self.capturing.get() {
            return Err(Error::NotAvailable { what, backend: Hip::NAME });
        }
        Ok(())
    }

    fn trmm_in_place(&self) -> bool {
        self.library().abi() < Abi::V2
    }
}
