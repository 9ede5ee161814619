//! Memory for packed operands, which a thread keeps from call to call.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::ptr::NonNull;

/// A page, so that packed operands meet as few as they can.
const ALIGN: usize = 4096;

/// Memory without contents.
struct Block {
    ptr: NonNull<u8>,
    layout: Layout,
}

impl Block {
    fn new(bytes: usize) -> Self {
        let layout = Layout::from_size_align(bytes.max(ALIGN), ALIGN).unwrap_or(Layout::new::<u8>());
        // SAFETY: the size is not zero.
        let ptr = unsafe { alloc(layout) };
        Block { ptr: NonNull::new(ptr).unwrap_or_else(|| handle_alloc_error(layout)), layout }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout by `new`.
        unsafe { dealloc(self.ptr.as_ptr(), self.layout) }
    }
}

/// Calls `f` with room for `lens` elements, each part of it on a page of its own, not initialised.
pub(super) fn with<T, const N: usize, R>(lens: [usize; N], f: impl FnOnce([*mut T; N]) -> R) -> R {
    thread_local! {
        static KEPT: Cell<Option<Block>> = const { Cell::new(None) };
    }
    let starts = |i| lens[..i].iter().map(|n| (n * size_of::<T>()).next_multiple_of(ALIGN)).sum::<usize>();
    let bytes = starts(N);
    // A call inside `f`, or one from a destructor of this thread, finds nothing and makes a block for itself.
    let kept = KEPT.try_with(Cell::take).ok().flatten().filter(|b| b.layout.size() >= bytes);
    let block = kept.unwrap_or_else(|| Block::new(bytes));
    let result = f(std::array::from_fn(|i| block.ptr.as_ptr().wrapping_add(starts(i)).cast()));
    // Without a place to keep it, it is freed.
    let _ = KEPT.try_with(move |kept| kept.set(Some(block)));
    result
}
