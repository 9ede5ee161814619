//! Memory for packed operands, which a thread keeps from call to call.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;

use blas_api::{Error, Result};

use crate::DEVICE;

/// A page, so that packed operands meet as few as they can.
const ALIGN: usize = 4096;

/// A huge page of the usual size.
const HUGE: usize = 2 << 20;

/// Memory that is initialised: of zeros at first, then of what calls have left there.
struct Block {
    ptr: NonNull<u8>,
    layout: Layout,
}

impl Block {
    /// `None` where there is no memory.
    fn new(bytes: usize) -> Option<Self> {
        let align = if bytes >= HUGE / 4 { HUGE } else { ALIGN };
        let size = bytes.checked_next_multiple_of(align)?.max(ALIGN);
        let layout = Layout::from_size_align(size, align).ok()?;
        // SAFETY: the size is not zero.
        let ptr = NonNull::new(unsafe { alloc(layout) })?;
        #[cfg(target_os = "linux")]
        if align == HUGE {
            // Packed operands walk through their memory from end to end: small pages cost a tenth of the time. Where
            // there are no others, the answer is an error and nothing is lost.
            // SAFETY: the pages are this block's.
            unsafe { libc::madvise(ptr.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
        }
        // SAFETY: as above.
        unsafe { ptr.write_bytes(0, size) };
        Some(Block { ptr, layout })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout by `new`.
        unsafe { dealloc(self.ptr.as_ptr(), self.layout) }
    }
}

thread_local! {
    // One for each call that is inside another.
    static KEPT: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// A block of at least `bytes`.
fn take(bytes: usize) -> Option<Block> {
    // In a destructor of this thread there may be none left, and no place to keep one.
    let kept = KEPT.try_with(|kept| kept.borrow_mut().pop()).ok().flatten();
    kept.filter(|b| b.layout.size() >= bytes).or_else(|| Block::new(bytes))
}

/// Keeps a block for the next call, with a few for calls inside it.
fn keep(block: Block) {
    const MOST: usize = 3;
    let _ = KEPT.try_with(move |kept| {
        let mut kept = kept.borrow_mut();
        if kept.len() < MOST {
            kept.push(block);
        }
    });
}

/// Calls `f` with room for `lens` numbers, each part of it on a page of its own. All of it is initialised, with whatever has
/// been left there. Without memory, this unwinds to [`in_memory`].
pub(super) fn with<T, const N: usize, R>(lens: [usize; N], f: impl FnOnce([*mut T; N]) -> R) -> R {
    let starts = |i| lens[..i].iter().map(|n| (n * size_of::<T>()).next_multiple_of(ALIGN)).sum::<usize>();
    let Some(block) = take(starts(N)) else { resume_unwind(Box::new(Missing(starts(N)))) };
    let result = f(std::array::from_fn(|i| block.ptr.as_ptr().wrapping_add(starts(i)).cast()));
    keep(block);
    result
}

/// The bytes that were asked for in vain.
struct Missing(usize);

/// Runs a routine and tells where memory was missing, on whichever of its threads. It is asked for in the midst of loops, by
/// parts that have nobody to answer to: they unwind as panics do, but silently.
pub(crate) fn in_memory(routine: impl FnOnce() -> Result) -> Result {
    catch_unwind(AssertUnwindSafe(routine)).unwrap_or_else(|cause| match cause.downcast::<Missing>() {
        Ok(missing) => Err(Error::OutOfMemory { device: DEVICE, bytes: missing.0 }),
        Err(panic) => resume_unwind(panic),
    })
}
