//! The processor. Its memory is the host's, and calls are complete when they return.

use std::ffi::{CStr, c_int, c_void};

use blas_cpu::CpuHandle;
use hipblas_abi::hip::error;

use super::{Arch, Block, Device, Facts, Queue, system};
use crate::hip::arena;
use crate::hip::error::Result;
use crate::hip::memory::Kind;

impl Queue for CpuHandle {}

/// The processor as a device.
pub(super) struct CpuDevice {
    facts: Facts,
}

impl CpuDevice {
    pub(super) fn new() -> Self {
        CpuDevice { facts: facts(c"anyblas CPU device", *b"anyblas-cpu-0000") }
    }
}

/// What the processor says of itself.
///
/// AMD's tests ask for the architecture. The 5.x ones take int8 operands unpacked on gfx908 only, and those of 7.x expect
/// extended math modes on it, but not on gfx1030.
pub(super) fn facts(name: &CStr, uuid: [u8; 16]) -> Facts {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Facts {
        name: name.to_owned(),
        arch: [
            Arch { name: c"gfx908".to_owned(), number: 908, major: 9, minor: 0, warp: 64 },
            Arch { name: c"gfx1030".to_owned(), number: 1030, major: 10, minor: 3, warp: 32 },
        ],
        bus_id: c"0000:00:00.0".to_owned(),
        uuid,
        memory: system::total_memory(),
        multiprocessors: c_int::try_from(cores).unwrap_or(c_int::MAX),
        threads: 2048,
        blocks: 2,
        registers: 1 << 16,
        shared: [1 << 16; 3],
        clock: system::clock(),
        memory_clock: 1_000_000,
        bus_width: 64,
        l2: 1 << 22,
        single_to_double: 2,
    }
}

impl Device for CpuDevice {
    fn open(&self) -> blas_api::Result<Box<dyn Queue>> {
        Ok(Box::new(CpuHandle::new()))
    }

    fn allocate(&self, bytes: usize, _: Kind) -> Result<Box<dyn Block>> {
        Ok(Box::new(arena::Block::new(bytes).ok_or(error::OUT_OF_MEMORY)?))
    }

    unsafe fn register(&self, _: *mut c_void, _: usize) -> Result<Option<Box<dyn Block>>> {
        Ok(None)
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn free_memory(&self) -> usize {
        system::free_memory()
    }

    fn used_memory(&self) -> usize {
        arena::used()
    }
}
