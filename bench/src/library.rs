//! What can be measured.

use blas_api::{Handle, Layout, Level3, MatMut, MatRef, Threads};
use blas_cpu::Cpu;

use crate::calls::{Call, Kind};
use crate::cblas::Cblas;
use crate::operands::Operands;

/// An implementation of BLAS, or of a part of it.
pub(crate) enum Library {
    /// blas-cpu, through the traits of blas-api.
    Anyblas(Handle<Cpu>),
    Cblas(Cblas),
    Matrixmultiply,
    Gemm,
    Faer,
}

impl Library {
    /// From an argument.
    pub(crate) fn open(argument: &str) -> crate::Result<Self> {
        if let Some((_, path)) = argument.split_once('=') {
            return Ok(Library::Cblas(Cblas::open(path).map_err(|e| format!("{argument}: {e}"))?));
        }
        match argument {
            "anyblas" => Ok(Library::Anyblas(handle()?)),
            "matrixmultiply" => Ok(Library::Matrixmultiply),
            "gemm" => Ok(Library::Gemm),
            "faer" => Ok(Library::Faer),
            other => Err(format!("no library {other:?}").into()),
        }
    }

    /// The call that solves a problem, if the library can.
    ///
    /// # Safety
    /// The operands outlive the call, and only one call runs at a time.
    pub(crate) unsafe fn call<T: Kind>(&self, o: &Operands<T>) -> Option<Call> {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Library::Anyblas(handle) => T::anyblas(handle, o),
                Library::Cblas(library) => T::cblas(library, o),
                Library::Matrixmultiply => T::matrixmultiply(o),
                Library::Gemm => T::gemm(o),
                Library::Faer => T::faer(o),
            }
        }
    }
}

/// As many threads as the environment says.
pub(crate) fn threads() -> usize {
    std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// A handle of blas-cpu.
fn handle() -> blas_api::Result<Handle<Cpu>> {
    let handle = Cpu::handle();
    let mut policy = handle.policy();
    policy.threads = Threads::Max(threads());
    handle.set_policy(policy)?;
    Ok(handle)
}

/// The first call that a program makes.
pub(crate) fn first_call() -> blas_api::Result<()> {
    let (a, mut c) = ([1.0f64; 64], [0.0; 64]);
    let a = MatRef::from_slice(&a, 8, 8, Layout::Col)?;
    handle()?.gemm(1.0, a, a, 0.0, MatMut::from_slice(&mut c, 8, 8, Layout::Col)?)
}
