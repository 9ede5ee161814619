//! The CPU backend of anyblas: pure Rust, every routine of the contract in every type and batch form.
//!
//! ```
//! use blas_api::{Layout, Level3, MatMut, MatRef};
//! use blas_cpu::Cpu;
//!
//! let blas = Cpu::handle();
//! let (a, b, mut c) = ([1.0f64, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [0.0; 4]);
//! let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?;
//! let b = MatRef::from_slice(&b, 2, 2, Layout::Row)?;
//! blas.gemm(1.0, a, b, 0.0, MatMut::from_slice(&mut c, 2, 2, Layout::Row)?)?;
//! assert_eq!(c, [19.0, 22.0, 43.0, 50.0]);
//! # Ok::<(), blas_api::Error>(())
//! ```
//!
//! Threads are those of the rayon pool that the caller is in; where the global one cannot be started, calls run on the caller's
//! thread. What Level 3 and the solvers need besides their operands (some MB a thread for packed ones) may be more than there is
//! left: then a call answers [`OutOfMemory`](blas_api::Error::OutOfMemory), and what is in its outputs is not said. (Where
//! panics abort, so does this; and `matrixmultiply`, whose kernels serve other processors than x86-64, aborts in any case.)
//! Copies of vectors, and sums that threads of Levels 1 and 2 keep apart, are allocated as Rust's collections do it. A call
//! needs less than 32 kB of its caller's stack.

mod engine;
mod halves;
mod handle;
mod isa;
mod lanes;
mod level1;
mod level2;
mod level3;
mod num;
mod operands;
mod simd;
mod solver;
mod threads;

use blas_api::{
    Backend, Device, DeviceId, Driver, Error, Handle, HostMemory, Result, Routine, Support, Types,
};

pub use handle::CpuHandle;

/// The CPU as a backend. Views are made from slices without a copy, and every call is complete when it returns.
pub struct Cpu;

impl Backend for Cpu {
    type Raw = CpuHandle;
    const NAME: &'static str = "cpu";
}

// SAFETY: memory of this backend is the host's, there is one device, and calls are synchronous.
unsafe impl HostMemory for Cpu {}

/// The one device.
const DEVICE: DeviceId = DeviceId { backend: Cpu::NAME, index: 0 };

impl Cpu {
    /// A handle with default policies. The one thing that can be amiss, an environment variable `ANYBLAS_CPU_ISA` that
    /// asks for instructions which the machine lacks, is the error of every routine called on the handle, as it is of
    /// [`Driver::open`].
    pub fn handle() -> Handle<Cpu> {
        Handle::from_raw(CpuHandle::new())
    }
}

impl Driver for Cpu {
    fn devices() -> Result<Vec<Device>> {
        let mut device = Device::new(DEVICE, "CPU");
        let kernels = isa::Isa::get().name();
        device.arch = format!("{} {kernels}", std::env::consts::ARCH);
        device.versions = vec![
            ("blas-cpu".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("kernels".to_owned(), kernels.to_owned()),
        ];
        Ok(vec![device])
    }

    fn open(index: usize) -> Result<Handle<Self>> {
        if index == 0 {
            isa::check()?;
            return Ok(Cpu::handle());
        }
        Err(Error::NoDevice {
            name: format!("cpu:{index}"),
            why: "there is one CPU device, cpu:0".to_owned(),
        })
    }

    fn supports(routine: Routine, types: Types) -> Support {
        if routine.types().contains(&types) {
            Support::Yes
        } else {
            Support::No("not defined by the contract")
        }
    }
}
