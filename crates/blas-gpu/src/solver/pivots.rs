//! Pivots, which hipBLAS takes in fewer places than descriptors have them in: strided, or one entry after the other.

use blas_api::*;
use hipblas_abi::{Form, Operand};

use crate::GpuHandle;
use crate::lower::{Batch, NO_OPERAND, entries};

const SIZE: usize = size_of::<i32>();

/// Pivots where a function can find them.
pub(super) struct Pivots {
    /// The argument; null for none.
    pub(super) operand: Operand,
    /// Whether these are not the caller's own.
    copied: bool,
}

impl Pivots {
    /// Room for `n` pivots an entry: the caller's own, which has `len` an entry, if a function of this form can use it.
    pub(super) fn new(
        h: &impl GpuHandle,
        b: &Batch<'_, impl GpuHandle>,
        data: Option<Address>,
        len: usize,
        n: usize,
    ) -> Result<Self> {
        let operand =
            |ptr: *mut u8, stride: usize| Operand { ptr: ptr.cast(), stride: stride as i64, ..NO_OPERAND };
        let own = match (data, b.form()) {
            (None, _) => return Ok(Pivots { operand: NO_OPERAND, copied: false }),
            // SAFETY: the count is 1, and an array is the host's.
            (Some(data), Form::Plain) => Some((unsafe { data.entry(0, SIZE) }, 0)),
            (Some(Address::Strided { ptr, stride }), form) => {
                let stride = usize::try_from(stride).ok();
                stride.filter(|&s| form == Form::Strided || s == n).map(|s| (ptr, s))
            }
            (Some(Address::Array { .. }), _) => None,
        };
        match own {
            Some((ptr, stride)) if len == n => Ok(Pivots { operand: operand(ptr, stride), copied: false }),
            _ => {
                let ptr = h.scratch(b.count() as usize * n * SIZE)?;
                Ok(Pivots { operand: operand(ptr, n), copied: true })
            }
        }
    }

    fn address(&self) -> Address {
        Address::Strided { ptr: self.operand.ptr.cast(), stride: self.operand.stride as isize }
    }

    /// Fetches the caller's pivots, for a function that reads them.
    ///
    /// # Safety
    /// They are there.
    pub(super) unsafe fn load(
        &self,
        h: &impl GpuHandle,
        b: &Batch<'_, impl GpuHandle>,
        from: Option<Address>,
        len: usize,
    ) -> Result {
        match from {
            // SAFETY: the caller's promise.
            Some(from) if self.copied => unsafe { copy(h, b.count() as usize, len, from, self.address()) },
            _ => Ok(()),
        }
    }

    /// Hands the pivots that a function has written to the caller.
    ///
    /// # Safety
    /// There is room for them.
    pub(super) unsafe fn store(
        &self,
        h: &impl GpuHandle,
        b: &Batch<'_, impl GpuHandle>,
        to: Option<Address>,
        len: usize,
    ) -> Result {
        match to {
            // SAFETY: the caller's promise.
            Some(to) if self.copied => unsafe { copy(h, b.count() as usize, len, self.address(), to) },
            _ => Ok(()),
        }
    }
}

/// Copies `len` pivots of each entry.
unsafe fn copy(h: &impl GpuHandle, batch: usize, len: usize, from: Address, to: Address) -> Result {
    let pitch = |a| match a {
        Address::Strided { ptr, stride } => Some(ptr).zip(usize::try_from(stride).ok().filter(|&s| s >= len)),
        Address::Array { .. } => None,
    };
    // SAFETY: the caller's promise.
    unsafe {
        if let (Some((from, from_pitch)), Some((to, to_pitch))) = (pitch(from), pitch(to)) {
            return h.copy_2d(to, to_pitch * SIZE, from, from_pitch * SIZE, len * SIZE, batch);
        }
        let (from, to) = (entries(h, from, batch, SIZE)?, entries(h, to, batch, SIZE)?);
        for (from, to) in from.into_iter().zip(to) {
            h.copy_2d(to, len * SIZE, from, len * SIZE, len * SIZE, 1)?;
        }
    }
    Ok(())
}
