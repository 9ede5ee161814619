//! Status words, which hipBLAS writes to device memory.

use std::ffi::c_void;

use blas_api::*;

use crate::GpuHandle;

const SIZE: usize = size_of::<i32>();

/// The status words of a call, one an entry.
pub(super) struct Info<'h, H> {
    h: &'h H,
    batch: usize,
    out: RawOut,
    device: *mut u8,
}

impl<'h, H: GpuHandle> Info<'h, H> {
    /// For words that go to `out`. Host words are waited for, which cannot be captured.
    pub(super) fn new(h: &'h H, batch: usize, out: RawOut) -> Result<Self> {
        let device = match out {
            RawOut::Device(p) => p,
            RawOut::Host(_) => {
                h.no_capture("a status word on the host while a graph is captured")?;
                h.scratch(batch * SIZE)?
            }
        };
        Ok(Info { h, batch, out, device })
    }

    /// Where the function writes them.
    pub(super) fn ptr(&self) -> *mut c_void {
        self.device.cast()
    }

    /// Brings them to the host if that is where they go.
    ///
    /// # Safety
    /// The function has been called; there is room for the words.
    pub(super) unsafe fn finish(self) -> Result {
        match self.out {
            RawOut::Device(_) => Ok(()),
            // SAFETY: the caller's promise.
            RawOut::Host(out) => unsafe { self.h.fetch(self.device, out, self.batch * SIZE) },
        }
    }

    /// As [`finish`](Self::finish), with 0 for words beyond `most`. That takes the host, so it waits in any case.
    ///
    /// # Safety
    /// As for [`finish`](Self::finish).
    pub(super) unsafe fn finish_within(self, most: usize) -> Result {
        self.h.no_capture("a status word that the host must see while a graph is captured")?;
        let mut words = vec![0i32; self.batch];
        let bytes = self.batch * SIZE;
        // SAFETY: the caller's promise.
        unsafe {
            self.h.fetch(self.device, words.as_mut_ptr().cast(), bytes)?;
            words.iter_mut().filter(|w| usize::try_from(**w).is_ok_and(|w| w > most)).for_each(|w| *w = 0);
            match self.out {
                RawOut::Device(out) => self.h.store(words.as_ptr().cast(), out, bytes),
                RawOut::Host(out) => {
                    out.copy_from_nonoverlapping(words.as_ptr().cast(), bytes);
                    Ok(())
                }
            }
        }
    }

    /// Sets all of them to 0, without a call.
    ///
    /// # Safety
    /// There is room for the words.
    pub(super) unsafe fn zero(h: &H, batch: usize, out: RawOut) -> Result {
        // SAFETY: the caller's promise.
        unsafe {
            match out {
                RawOut::Device(p) => h.fill(p, 0, batch * SIZE),
                RawOut::Host(p) => {
                    p.write_bytes(0, batch * SIZE);
                    Ok(())
                }
            }
        }
    }
}
