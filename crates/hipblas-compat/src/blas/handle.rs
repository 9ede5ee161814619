//! `hipblasHandle_t`.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{LazyLock, PoisonError, RwLock};

use blas_api::Precision;
use hipblas_abi::{Abi, Handle, atomics, hip, int8, math, pointer_mode, status};

use super::Result;
use crate::abi;

/// What a handle stands for.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// Where the work goes.
    pub(crate) stream: hip::Stream,
    /// `hipblasPointerMode_t`
    pub(crate) pointer_mode: c_int,
    /// `hipblasAtomicsMode_t`. Results of this library never differ from run to run; programs read it back.
    pub(crate) atomics: c_int,
    /// `hipblasMath_t`
    pub(crate) math: c_int,
    /// `hipblasInt8Datatype_t`
    pub(crate) int8: c_int,
    /// Distance of the alphas of batch entries, in elements; 0 for one alpha. Of use in DEVICE pointer mode only.
    pub(crate) alpha_stride: i64,
    /// The same for beta.
    pub(crate) beta_stride: i64,
}

// SAFETY: a stream is a name here. Only the runtime follows it, and from any thread.
unsafe impl Send for Settings {}
// SAFETY: as above.
unsafe impl Sync for Settings {}

impl Settings {
    fn new() -> Self {
        Settings {
            stream: std::ptr::null_mut(),
            pointer_mode: pointer_mode::HOST,
            // As rocBLAS, which changed its default in 7.0.
            atomics: if abi::current() < Abi::V3 { atomics::ALLOWED } else { atomics::NOT_ALLOWED },
            math: math::DEFAULT_MATH,
            int8: int8::DEFAULT,
            alpha_stride: 0,
            beta_stride: 0,
        }
    }

    /// What the math mode lets f32 be.
    pub(crate) fn precision(&self) -> Precision {
        if self.math == math::DEFAULT_MATH { Precision::Exact } else { Precision::AllowTf32 }
    }
}

/// The handles that exist, by number. Numbers are not used again, so that a stale handle is known as such.
struct Handles {
    next: usize,
    by_number: HashMap<usize, Settings>,
}

static HANDLES: LazyLock<RwLock<Handles>> = LazyLock::new(|| {
    // Like an address, and unlike a small number that a program might pass by mistake.
    RwLock::new(Handles { next: 0xb1a5_0000, by_number: HashMap::new() })
});

/// Makes a handle.
pub(crate) fn create() -> Handle {
    let mut handles = HANDLES.write().unwrap_or_else(PoisonError::into_inner);
    let number = handles.next;
    handles.next += 16;
    handles.by_number.insert(number, Settings::new());
    std::ptr::without_provenance_mut(number)
}

/// Ends a handle.
pub(crate) fn destroy(handle: Handle) -> Result {
    let mut handles = HANDLES.write().unwrap_or_else(PoisonError::into_inner);
    handles.by_number.remove(&handle.addr()).map(|_| ()).ok_or(status::NOT_INITIALIZED)
}

/// The settings of a handle; NOT_INITIALIZED if there is no such handle.
pub(crate) fn settings(handle: Handle) -> Result<Settings> {
    let handles = HANDLES.read().unwrap_or_else(PoisonError::into_inner);
    handles.by_number.get(&handle.addr()).copied().ok_or(status::NOT_INITIALIZED)
}

/// Changes the settings of a handle.
pub(crate) fn change(handle: Handle, f: impl FnOnce(&mut Settings)) -> Result {
    let mut handles = HANDLES.write().unwrap_or_else(PoisonError::into_inner);
    handles.by_number.get_mut(&handle.addr()).map(f).ok_or(status::NOT_INITIALIZED)
}
