//! Device memory of the processor: pages of the system, apart from the heap.
//!
//! Small blocks are pieces of larger mappings, in sizes that are powers of two; others have a mapping of their own. In
//! checking mode every block lies between pages that cannot be accessed.

use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::backend::{self, system};
use super::check;

/// Smallest block, and the alignment of all of them: what HIP promises.
pub(super) const ALIGN: usize = 256;
/// Sizes of small blocks: `ALIGN << 0` to `ALIGN << (CLASSES - 1)`, which is 64 KiB.
const CLASSES: usize = 9;
/// Size of the mappings that small blocks are pieces of.
const CHUNK: usize = 1 << 20;
const PAGE: usize = 4096;

/// Free small blocks by size.
static FREE: Mutex<[Vec<usize>; CLASSES]> = Mutex::new([const { Vec::new() }; CLASSES]);
/// Bytes in use.
static USED: AtomicUsize = AtomicUsize::new(0);

/// Bytes in use.
pub(super) fn used() -> usize {
    USED.load(Ordering::Relaxed)
}

/// A block of memory, given back when dropped.
#[derive(Debug)]
pub(super) struct Block {
    address: usize,
    bytes: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Small {
        class: usize,
    },
    Pages,
    /// The mapping with its guard pages.
    Guarded {
        map: usize,
        map_bytes: usize,
    },
}

impl Block {
    /// Takes a block of at least `bytes`, which are not zero. None if the machine does not have that much.
    pub(super) fn new(bytes: usize) -> Option<Block> {
        // Larger ones could not be addressed with their guards.
        if bytes > isize::MAX as usize / 2 {
            return None;
        }
        // What is free costs a system call, and small blocks hardly matter.
        let left = system::total_memory().saturating_sub(used());
        if bytes > left || (bytes > CHUNK && bytes > system::free_memory()) {
            return None;
        }
        let block = match class_of(bytes) {
            _ if check::is_on() => guarded(bytes)?,
            Some(class) => small(bytes, class)?,
            None => Block { address: map(round_up(bytes, PAGE), ACCESSIBLE)?, bytes, kind: Kind::Pages },
        };
        USED.fetch_add(bytes, Ordering::Relaxed);
        Some(block)
    }
}

impl backend::Block for Block {
    fn address(&self) -> usize {
        self.address
    }

    /// Makes the memory inaccessible.
    fn retire(&mut self) -> bool {
        let Kind::Guarded { map, map_bytes } = self.kind else { return true };
        let before = map + PAGE..self.address;
        // SAFETY: the bytes of the mapping before the block, which this module filled.
        let intact = before.into_iter().all(|a| unsafe { (a as *const u8).read() } == CANARY);
        // What is kept is an address, not memory.
        USED.fetch_sub(std::mem::take(&mut self.bytes), Ordering::Relaxed);
        // SAFETY: the mapping is this block's, and its user has given it back. Mapping it anew frees its memory.
        unsafe {
            libc::mmap(
                map as *mut _,
                map_bytes,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED,
                -1,
                0,
            )
        };
        intact
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        USED.fetch_sub(self.bytes, Ordering::Relaxed);
        match self.kind {
            Kind::Small { class } => free()[class].push(self.address),
            Kind::Pages => unmap(self.address, round_up(self.bytes, PAGE)),
            Kind::Guarded { map, map_bytes } => unmap(map, map_bytes),
        }
    }
}

fn free() -> std::sync::MutexGuard<'static, [Vec<usize>; CLASSES]> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn class_of(bytes: usize) -> Option<usize> {
    (0..CLASSES).find(|class| bytes <= ALIGN << class)
}

fn small(bytes: usize, class: usize) -> Option<Block> {
    let size = ALIGN << class;
    let list = &mut free()[class];
    if list.is_empty() {
        let chunk = map(CHUNK, ACCESSIBLE)?;
        // The lowest address is used first.
        list.extend((chunk..chunk + CHUNK).step_by(size).rev());
    }
    Some(Block { address: list.pop()?, bytes, kind: Kind::Small { class } })
}

/// What lies before a block in checking mode.
const CANARY: u8 = 0xa5;

/// A block that ends where a guard page starts. That takes precedence over its alignment, which is the largest power of
/// two that divides its size (at least 2, at most `ALIGN`): elements of any type stay aligned.
fn guarded(bytes: usize) -> Option<Block> {
    let align = (1 << bytes.trailing_zeros().min(ALIGN.trailing_zeros())).max(2);
    let pages = round_up(bytes, PAGE);
    let map_bytes = pages + 2 * PAGE;
    let map = map(map_bytes, libc::PROT_NONE)?;
    let start = map + PAGE;
    // SAFETY: within the new mapping.
    if unsafe { libc::mprotect(start as *mut _, pages, ACCESSIBLE) } != 0 {
        unmap(map, map_bytes);
        return None;
    }
    let address = start + pages - round_up(bytes, align);
    // SAFETY: within the accessible part of the new mapping. All bits set is NaN in every type: what was never written
    // shows in results.
    unsafe {
        (start as *mut u8).write_bytes(CANARY, address - start);
        (address as *mut u8).write_bytes(0xff, bytes);
    }
    Some(Block { address, bytes, kind: Kind::Guarded { map, map_bytes } })
}

const ACCESSIBLE: c_int = libc::PROT_READ | libc::PROT_WRITE;

fn map(bytes: usize, protection: c_int) -> Option<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping, at an address of the system's choice.
    let address = unsafe { libc::mmap(std::ptr::null_mut(), bytes, protection, flags, -1, 0) };
    (address != libc::MAP_FAILED).then_some(address as usize)
}

fn unmap(address: usize, bytes: usize) {
    // SAFETY: a mapping of this module that nobody uses any more.
    unsafe { libc::munmap(address as *mut _, bytes) };
}

fn round_up(bytes: usize, to: usize) -> usize {
    bytes.div_ceil(to) * to
}
