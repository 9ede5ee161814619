//! The raw handle: policies, memory, and one line that sends every routine to its file.

use std::cell::Cell;

use blas_api::*;

use crate::engine::in_memory;
use crate::{Cpu, DEVICE};

/// Where each routine is. A routine's function has the routine's name.
mod routine {
    pub(super) use crate::level1::*;
    pub(super) use crate::level2::*;
    pub(super) use crate::level3::*;
    pub(super) use crate::solver::*;
}

/// The CPU's raw handle. It has no stream: calls are complete when they return.
#[derive(Debug, Default)]
pub struct CpuHandle {
    policy: Cell<Policy>,
}

impl CpuHandle {
    /// A handle with default policies.
    pub fn new() -> Self {
        Self::default()
    }
}

/// A call, within [`in_memory`] if it may ask for more. (gemm decides about a small product first.)
macro_rules! in_memory {
    (gemm, Three, $call:expr) => {
        $call
    };
    ($name:ident, Three, $call:expr) => {
        in_memory(|| $call)
    };
    ($name:ident, Solver, $call:expr) => {
        in_memory(|| $call)
    };
    ($name:ident, $level:ident, $call:expr) => {
        $call
    };
}

macro_rules! raw_handle { ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
    // SAFETY: each routine's function does what its descriptor states; host memory is device memory, and no pointer
    // is kept after a call.
    unsafe impl RawHandle for CpuHandle {
        fn device(&self) -> DeviceId { DEVICE }
        fn sync(&self) -> Result { Ok(()) }
        fn policy(&self) -> Policy { self.policy.get() }
        fn set_policy(&self, policy: Policy) -> Result {
            self.policy.set(policy);
            Ok(())
        }
        fn supports(&self, routine: Routine, types: Types) -> Support { Cpu::supports(routine, types) }
        fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> { Ok(Box::new(HostBlock::zeroed(DEVICE, bytes)?)) }
        unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise; a host slice and device memory are distinct.
            unsafe { dst.copy_from_nonoverlapping(src, bytes) };
            Ok(())
        }
        unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: as above.
            unsafe { dst.copy_from_nonoverlapping(src, bytes) };
            Ok(())
        }
        unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { dst.copy_from_nonoverlapping(src, bytes) };
            Ok(())
        }
        fn record(&self) -> Result<Box<dyn RawEvent>> { Ok(Box::new(Passed)) }
        // An event of this backend has passed; one of a GPU may not have.
        fn wait(&self, event: &dyn RawEvent) -> Result { event.sync() }
        // (Always: what decides about a short call is in there, and folds where the caller knows the type.)
        $(#[inline(always)]
        unsafe fn $name(&self, d: &$desc) -> Result {
            crate::isa::check()?;
            if d.is_noop() {
                return Ok(());
            }
            // SAFETY: the caller's promise.
            in_memory!($name, $level, unsafe { routine::$name(self, d) })
        })*
    }
}}
for_each_routine!(raw_handle);
