//! What computes: the device behind the functions of HIP, and what they need of it beyond a raw handle of `blas-api`.
//!
//! The environment variable HIP_COMPAT_DEVICE chooses: `cpu`, which is the default; `cuda:N`, an NVIDIA GPU; or `cpu-far`, the
//! processor as a device that is hard to please, for tests.

mod cpu;
mod cuda;
mod far;
pub(super) mod system;

use std::ffi::{CString, c_int, c_void};
use std::sync::OnceLock;

use blas_api::{Backend, Error, Location, RawHandle};
use blas_cpu::Cpu;
use blas_cuda::Cuda;
pub(super) use blas_cuda::Rows;
use hipblas_abi::hip::error;

use super::error::Result;
use super::memory::Kind;

/// The device.
pub(super) trait Device: Send + Sync {
    /// Opens a queue of work. Queues are of use to any thread, one at a time, and to each other's memory once they have been
    /// waited for.
    fn open(&self) -> blas_api::Result<Box<dyn Queue>>;

    /// Takes memory of at least `bytes`, which are not zero, for any queue.
    fn allocate(&self, bytes: usize, kind: Kind) -> Result<Box<dyn Block>>;

    /// Makes memory of the program known to the device. What is returned ends that when dropped.
    ///
    /// # Safety
    /// The memory is there until then.
    unsafe fn register(&self, ptr: *mut c_void, bytes: usize) -> Result<Option<Box<dyn Block>>>;

    /// What the device says of itself.
    fn facts(&self) -> &Facts;

    /// Whether it can multiply f32 in TF32, if that is asked for.
    fn has_tf32(&self) -> bool {
        false
    }

    /// What may still be allocated, in bytes.
    fn free_memory(&self) -> usize;

    /// Bytes of device memory in use.
    fn used_memory(&self) -> usize;

    /// An address in words that programs know, where memory is seen to lie elsewhere by who computes with it.
    fn known_as(&self, address: usize) -> usize {
        address
    }
}

/// A block of memory, given back when dropped.
pub(super) trait Block: Send {
    fn address(&self) -> usize;

    /// Checking mode: gives the memory back and, where that can be, keeps its addresses from being used again while the block is
    /// there. Whether nothing was written before its start.
    fn retire(&mut self) -> bool;
}

/// Bytes of a fill that are copied at a time: few enough for a cache, enough for speed.
const PATTERN: usize = 1 << 15;

/// A raw handle with what programs of HIP ask for beside BLAS. Work is done in order, and perhaps only when it is waited for.
pub(crate) trait Queue: RawHandle {
    /// Copies `rows` rows of `width` bytes, and waits for a copy that has a side on the host: at least until that memory may
    /// be used.
    ///
    /// # Safety
    /// Both sides are valid for the rows, which do not overlap. One of them is the device's.
    unsafe fn copy_rows(&self, src: Rows, dst: Rows, width: usize, rows: usize) -> blas_api::Result {
        for i in 0..rows {
            let (from, to) = (src.row(i), dst.row(i));
            // SAFETY: the caller's promise.
            unsafe {
                match (src.on, dst.on) {
                    (Location::Host, _) => self.upload(from, to, width),
                    (_, Location::Host) => self.download(from, to, width),
                    _ => self.copy_device(from, to, width),
                }
            }?;
        }
        Ok(())
    }

    /// Fills `rows` rows of `width` bytes of the device's memory with a value of 1, 2 or 4 bytes.
    ///
    /// # Safety
    /// The rows are valid, and as long as some whole values.
    unsafe fn fill_rows(&self, dst: Rows, value: &[u8], width: usize, rows: usize) -> blas_api::Result {
        let pattern = value.repeat(width.min(PATTERN) / value.len());
        for i in 0..rows {
            for start in (0..width).step_by(pattern.len()) {
                let bytes = pattern.len().min(width - start);
                // SAFETY: within the row.
                unsafe { self.upload(pattern.as_ptr(), dst.row(i).wrapping_add(start), bytes) }?;
            }
        }
        Ok(())
    }
}

/// An architecture, as the properties of a device tell it.
#[derive(Clone)]
pub(super) struct Arch {
    pub(super) name: CString,
    /// The number in the old layout of the properties: 908 for gfx908, 0 for one that is not AMD's.
    pub(super) number: c_int,
    /// Compute capability.
    pub(super) major: c_int,
    pub(super) minor: c_int,
    pub(super) warp: c_int,
}

/// What a device says of itself.
pub(super) struct Facts {
    pub(super) name: CString,
    /// What is told by the old layout of the properties, and with ABIs of HIP 5; and by the new one.
    pub(super) arch: [Arch; 2],
    pub(super) bus_id: CString,
    pub(super) uuid: [u8; 16],
    /// In bytes.
    pub(super) memory: usize,
    pub(super) multiprocessors: c_int,
    pub(super) threads: c_int,
    /// Of a multiprocessor, as are the registers.
    pub(super) blocks: c_int,
    pub(super) registers: c_int,
    /// Bytes of a block, of one that asks for more, and of a multiprocessor.
    pub(super) shared: [usize; 3],
    /// In kHz.
    pub(super) clock: c_int,
    pub(super) memory_clock: c_int,
    /// In bits.
    pub(super) bus_width: c_int,
    pub(super) l2: c_int,
    pub(super) single_to_double: c_int,
}

/// The device that HIP_COMPAT_DEVICE names, if there is one.
pub(super) fn device() -> Result<&'static dyn Device> {
    static DEVICE: OnceLock<Option<Box<dyn Device>>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| {
        // Said once here; the functions of HIP can only say that there is no device.
        find().inspect_err(|e| eprintln!("hipblas-compat: {e}")).ok()
    });
    device.as_deref().ok_or(error::NO_DEVICE)
}

fn find() -> blas_api::Result<Box<dyn Device>> {
    // What is not Unicode is no name, and is refused like any other that is none.
    let name = std::env::var_os("HIP_COMPAT_DEVICE").unwrap_or_default().to_string_lossy().into_owned();
    match name.split_once(':').unwrap_or((&name, "0")) {
        ("" | Cpu::NAME, "0") => Ok(Box::new(cpu::CpuDevice::new())),
        (far::NAME, "0") => Ok(Box::new(far::FarDevice::new())),
        (Cuda::NAME, index) if index.parse::<usize>().is_ok() => {
            Ok(Box::new(cuda::CudaDevice::open(index.parse().unwrap_or(0))?))
        }
        _ => Err(Error::NoDevice {
            name,
            why: "HIP_COMPAT_DEVICE must be cpu, cpu-far, or cuda:0 or another number".to_owned(),
        }),
    }
}

/// The HIP error of one of `blas-api`, which is printed if the number says little.
pub(super) fn hip_error(e: &Error) -> super::error::Error {
    match e {
        Error::OutOfMemory { .. } => error::OUT_OF_MEMORY,
        Error::NotAvailable { .. } => {
            eprintln!("hipblas-compat: {}: {e}", super::error::function());
            error::NOT_SUPPORTED
        }
        _ => {
            eprintln!("hipblas-compat: {}: {e}", super::error::function());
            error::LAUNCH_FAILURE
        }
    }
}
