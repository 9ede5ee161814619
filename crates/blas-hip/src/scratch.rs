//! Device memory for the inside of routines, and the way of small host data to it.
//!
//! A routine takes pieces one after the other; the next routine takes the same memory again. That is safe without waiting,
//! since both work on one stream. While a graph is captured pieces come from the fixed workspace and are given once: a
//! graph's own piece stays untouched until the graph is dropped.

use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::{Arc, Weak};

use blas_api::{Backend, Error, RawMemory, Result};
use hipblas_abi::hip::memcpy;

use crate::Hip;
use crate::context::Context;
use crate::memory::{HipMemory, Pinned};

/// Alignment of pieces, as that of hipMalloc.
const ALIGN: usize = 256;
/// Smallest block that is allocated on demand.
const BLOCK: usize = 1 << 20;
/// Size of the pinned ring.
const RING: usize = 1 << 18;

/// The scratch memory of a handle.
#[derive(Default)]
pub(crate) struct Scratch {
    state: RefCell<State>,
    ring: RefCell<Ring>,
}

#[derive(Default)]
struct State {
    /// Where pieces are taken from.
    block: Option<Arc<HipMemory>>,
    /// Of a fixed size, not to be replaced by a larger one.
    fixed: bool,
    /// Bytes taken of it.
    used: usize,
    /// Smaller blocks, of which the running routine has pieces.
    outgrown: Vec<Arc<HipMemory>>,
    /// What graphs hold of the block.
    held: Vec<Weak<Held>>,
    /// While a graph is captured: what its pieces are to contain.
    captured: Option<Vec<(*mut u8, Vec<u8>)>>,
}

/// The pieces of a captured graph: everything of a block up to `end`.
pub(crate) struct Held {
    #[expect(dead_code, reason = "keeps the memory")]
    block: Option<Arc<HipMemory>>,
    end: usize,
}

// SAFETY: the pointers are to device memory that the state owns.
unsafe impl Send for State {}

impl Scratch {
    /// Starts a routine: takes back the pieces of the one before.
    pub(crate) fn reset(&self) {
        let mut s = self.state.borrow_mut();
        s.outgrown.clear();
        if s.captured.is_none() {
            s.held.retain(|h| h.strong_count() > 0);
            s.used = s.held.iter().filter_map(Weak::upgrade).map(|h| h.end).max().unwrap_or(0);
        }
    }

    /// Replaces the memory by a block of a fixed size, or by what later calls ask for.
    pub(crate) fn replace(&self, block: Option<HipMemory>) {
        let fixed = block.is_some();
        *self.state.borrow_mut() = State { block: block.map(Arc::new), fixed, ..State::default() };
    }

    /// A piece of device memory with any contents, until the next routine.
    pub(crate) fn take(&self, context: &Context, routine: &'static str, bytes: usize) -> Result<*mut u8> {
        let mut s = self.state.borrow_mut();
        let start = s.used.next_multiple_of(ALIGN);
        let have = s.block.as_ref().map_or(0, |b| b.len());
        let Some(need) = start.checked_add(bytes) else {
            return Err(Error::OutOfMemory { device: context.device, bytes });
        };
        let block = match &s.block {
            Some(block) if need <= have => Arc::clone(block),
            _ if s.fixed => {
                return Err(Error::TooShort {
                    routine,
                    operand: "the fixed workspace, in bytes,",
                    need,
                    have,
                });
            }
            _ if s.captured.is_some() => {
                let what = "workspace on demand while a graph is captured (set Workspace::Fixed before)";
                return Err(Error::NotAvailable { what, backend: Hip::NAME });
            }
            _ => {
                let block = Arc::new(HipMemory::new(context, routine, bytes.max(2 * have).max(BLOCK))?);
                if let Some(old) = s.block.replace(Arc::clone(&block)) {
                    s.outgrown.push(old);
                }
                s.used = bytes;
                return Ok(block.ptr());
            }
        };
        s.used = need;
        Ok(block.ptr().wrapping_add(start))
    }

    /// A piece of device memory with these contents, in stream order, until the next routine. Waits only if the data is
    /// large.
    pub(crate) fn place(&self, context: &Context, routine: &'static str, data: &[u8]) -> Result<*mut u8> {
        let dst = self.take(context, routine, data.len())?;
        if let Some(captured) = &mut self.state.borrow_mut().captured {
            // A copy in the graph would read the host's memory again with each launch.
            captured.push((dst, data.to_vec()));
            return Ok(dst);
        }
        if data.is_empty() {
            return Ok(dst);
        }
        let (library, stream) = (context.library, context.stream);
        let mut ring = self.ring.borrow_mut();
        let pinned = ring.put(context, routine, data)?;
        let src = pinned.unwrap_or(data.as_ptr().cast());
        // SAFETY: both are valid for the length. The ring stays until it has been waited for, and so does `data`.
        unsafe {
            library.hip.hipMemcpyAsync(routine, dst.cast(), src, data.len(), memcpy::HOST_TO_DEVICE, stream)
        }?;
        if pinned.is_none() {
            context.sync(routine)?;
        }
        Ok(dst)
    }

    /// Starts to give pieces to a graph. The stream is idle.
    pub(crate) fn begin_capture(&self) {
        self.reset();
        self.state.borrow_mut().captured = Some(Vec::new());
    }

    /// Ends [`begin_capture`](Self::begin_capture), fills the graph's pieces, and gives what keeps them.
    pub(crate) fn end_capture(&self, context: &Context) -> Result<Arc<Held>> {
        let mut s = self.state.borrow_mut();
        let contents = s.captured.take().unwrap_or_default();
        let held = Arc::new(Held { block: s.block.clone(), end: s.used });
        s.held.push(Arc::downgrade(&held));
        drop(s);
        for (dst, data) in contents {
            // SAFETY: `dst` is a piece of this length, which nothing uses yet.
            unsafe { upload(context, "capture", data.as_ptr(), dst, data.len()) }?;
        }
        Ok(held)
    }
}

/// Copies host memory to the device in stream order and waits for it.
///
/// # Safety
/// Both pointers are valid for `bytes`.
pub(crate) unsafe fn upload(
    context: &Context,
    routine: &'static str,
    src: *const u8,
    dst: *mut u8,
    bytes: usize,
) -> Result {
    if bytes == 0 {
        return Ok(());
    }
    let Context { library, stream, .. } = *context;
    // SAFETY: the caller's promise; `src` is not used after the wait.
    unsafe {
        library.hip.hipMemcpyAsync(routine, dst.cast(), src.cast(), bytes, memcpy::HOST_TO_DEVICE, stream)
    }?;
    context.sync(routine)
}

/// Pinned host memory that small data waits in until the stream has copied it.
#[derive(Default)]
struct Ring {
    memory: Option<Pinned>,
    used: usize,
}

impl Ring {
    /// A copy of the data that stays until the stream has passed. `None` if the data is too large for the ring.
    fn put(
        &mut self,
        context: &Context,
        routine: &'static str,
        data: &[u8],
    ) -> Result<Option<*const c_void>> {
        if data.len() > RING {
            return Ok(None);
        }
        let memory = match &self.memory {
            Some(memory) => memory,
            None => self.memory.insert(Pinned::zeroed(context, routine, RING)?),
        };
        let mut start = self.used.next_multiple_of(16);
        if start + data.len() > RING {
            // Once in a few thousand calls.
            context.sync(routine)?;
            start = 0;
        }
        let ptr = memory.ptr().wrapping_add(start);
        // SAFETY: within the ring, and the stream has passed what was there.
        unsafe { ptr.copy_from_nonoverlapping(data.as_ptr(), data.len()) };
        self.used = start + data.len();
        Ok(Some(ptr.cast_const().cast()))
    }
}
