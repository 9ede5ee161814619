//! Device memory for the inside of routines, and the way of small host data to it.
//!
//! A routine takes pieces one after the other; the next routine takes the same memory again. That is safe without waiting,
//! since both work on one stream. While a graph is captured pieces come from the fixed workspace and are given once: a
//! graph's own piece stays untouched until the graph is dropped.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use blas_api::{Error, RawMemory, Result};

use crate::queue::{Direction, Queue};

/// Alignment of pieces, as that of allocations.
const ALIGN: usize = 256;
/// What is allocated for so many bytes. In the checking mode of hipblas-compat memory is aligned as its size is.
pub(crate) fn whole(bytes: usize) -> usize {
    bytes.checked_next_multiple_of(ALIGN).unwrap_or(bytes)
}

/// Smallest block that is allocated on demand.
const BLOCK: usize = 1 << 20;
/// Size of the pinned ring.
const RING: usize = 1 << 18;

/// The scratch memory of a handle.
pub(crate) struct Scratch<Q: Queue> {
    state: RefCell<State<Q>>,
    ring: RefCell<Ring<Q>>,
}

struct State<Q: Queue> {
    /// Where pieces are taken from.
    block: Option<Arc<Q::Memory>>,
    /// Its size, if that was asked for: then it is not to be replaced by a larger one.
    fixed: Option<usize>,
    /// Bytes taken of it.
    used: usize,
    /// Smaller blocks, of which the running routine has pieces.
    outgrown: Vec<Arc<Q::Memory>>,
    /// What graphs hold of the block.
    held: Vec<Weak<Held<Q>>>,
    /// While a graph is captured: what its pieces are to contain.
    captured: Option<Vec<(*mut u8, Vec<u8>)>>,
}

/// The pieces of a captured graph: everything of a block up to `end`.
pub(crate) struct Held<Q: Queue> {
    #[expect(dead_code, reason = "keeps the memory")]
    block: Option<Arc<Q::Memory>>,
    end: usize,
}

// SAFETY: the pointers are to device memory that the state owns.
unsafe impl<Q: Queue> Send for State<Q> {}

impl<Q: Queue> Default for State<Q> {
    fn default() -> Self {
        State { block: None, fixed: None, used: 0, outgrown: Vec::new(), held: Vec::new(), captured: None }
    }
}

impl<Q: Queue> Default for Scratch<Q> {
    fn default() -> Self {
        Scratch { state: RefCell::default(), ring: RefCell::new(Ring { memory: None, used: 0 }) }
    }
}

impl<Q: Queue> Scratch<Q> {
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
    pub(crate) fn replace(&self, block: Option<Q::Memory>, fixed: Option<usize>) {
        *self.state.borrow_mut() = State { block: block.map(Arc::new), fixed, ..State::default() };
    }

    /// A piece of device memory with any contents, until the next routine.
    pub(crate) fn take(&self, queue: &Q, routine: &'static str, bytes: usize) -> Result<*mut u8> {
        let mut s = self.state.borrow_mut();
        let start = s.used.next_multiple_of(ALIGN);
        let have = s.fixed.or(s.block.as_ref().map(|b| b.len())).unwrap_or(0);
        let Some(need) = start.checked_add(bytes) else {
            return Err(Error::OutOfMemory { device: queue.device(), bytes });
        };
        let block = match &s.block {
            Some(block) if need <= have => Arc::clone(block),
            _ if s.fixed.is_some() => {
                return Err(Error::TooShort {
                    routine,
                    operand: "the fixed workspace, in bytes,",
                    need,
                    have,
                });
            }
            _ if s.captured.is_some() => {
                let what = "workspace on demand while a graph is captured (set Workspace::Fixed before)";
                return Err(Error::NotAvailable { what, backend: Q::NAME });
            }
            _ => {
                let block = Arc::new(queue.alloc(routine, whole(bytes.max(2 * have).max(BLOCK)))?);
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

    /// How far pieces are taken, for [`give_back`](Self::give_back).
    pub(crate) fn mark(&self) -> usize {
        self.state.borrow().used
    }

    /// Takes back the pieces since a mark, which the calls so far may still use: later ones come after them in the stream.
    /// While a graph is captured none is taken back, since what a piece is to contain is put there once.
    pub(crate) fn give_back(&self, mark: usize) {
        let mut s = self.state.borrow_mut();
        if s.captured.is_none() {
            s.used = s.used.min(mark);
        }
    }

    /// Puts contents into a piece, in stream order. Waits only if the data is large.
    pub(crate) fn put(&self, queue: &Q, routine: &'static str, dst: *mut u8, data: &[u8]) -> Result {
        if data.is_empty() {
            return Ok(());
        }
        if let Some(captured) = &mut self.state.borrow_mut().captured {
            // A copy in the graph would read the host's memory again with each launch.
            captured.push((dst, data.to_vec()));
            return Ok(());
        }
        let mut ring = self.ring.borrow_mut();
        let pinned = ring.put(queue, routine, data)?;
        let src = pinned.unwrap_or(data.as_ptr());
        // SAFETY: both are valid for the length. The ring stays until it has been waited for, and so does `data`.
        unsafe { queue.copy(routine, Direction::HostToDevice, src, dst, data.len()) }?;
        if pinned.is_none() {
            queue.sync(routine)?;
        }
        Ok(())
    }

    /// Starts to give pieces to a graph. The stream is idle.
    pub(crate) fn begin_capture(&self) {
        self.reset();
        self.state.borrow_mut().captured = Some(Vec::new());
    }

    /// Ends [`begin_capture`](Self::begin_capture), fills the graph's pieces, and gives what keeps them.
    pub(crate) fn end_capture(&self, queue: &Q) -> Result<Arc<Held<Q>>> {
        let mut s = self.state.borrow_mut();
        let contents = s.captured.take().unwrap_or_default();
        let held = Arc::new(Held { block: s.block.clone(), end: s.used });
        s.held.push(Arc::downgrade(&held));
        drop(s);
        for (dst, data) in contents {
            // SAFETY: `dst` is a piece of this length, which nothing uses yet.
            unsafe { queue.copy("capture", Direction::HostToDevice, data.as_ptr(), dst, data.len()) }?;
            queue.sync("capture")?;
        }
        Ok(held)
    }
}

/// Pinned host memory that small data waits in until the stream has copied it.
struct Ring<Q: Queue> {
    memory: Option<Q::Host>,
    used: usize,
}

impl<Q: Queue> Ring<Q> {
    /// A copy of the data that stays until the stream has passed. `None` if the data is too large for the ring.
    fn put(&mut self, queue: &Q, routine: &'static str, data: &[u8]) -> Result<Option<*const u8>> {
        if data.len() > RING {
            return Ok(None);
        }
        let memory = match &self.memory {
            Some(memory) => memory,
            None => self.memory.insert(queue.alloc_host(routine, RING)?),
        };
        let mut start = self.used.next_multiple_of(16);
        if start + data.len() > RING {
            // Once in a few thousand calls.
            queue.sync(routine)?;
            start = 0;
        }
        let ptr = memory.ptr().wrapping_add(start);
        // SAFETY: within the ring, and the stream has passed what was there.
        unsafe { ptr.copy_from_nonoverlapping(data.as_ptr(), data.len()) };
        self.used = start + data.len();
        Ok(Some(ptr.cast_const()))
    }
}
