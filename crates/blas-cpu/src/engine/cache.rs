//! How large blocks are, from the sizes of caches.

use std::sync::OnceLock;

/// Sizes in bytes of what is packed, and the room for what is not.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Lines of the first-level cache.
    pub(super) lines: usize,
    /// Rows of A: half of the second-level cache.
    pub(super) rows: usize,
    /// Columns of B: a quarter of the third-level cache, which others use too.
    pub(super) columns: usize,
}

impl Blocks {
    /// Those for this processor.
    pub(super) fn get() -> Blocks {
        static BLOCKS: OnceLock<Blocks> = OnceLock::new();
        *BLOCKS.get_or_init(|| Blocks {
            lines: bytes(1).unwrap_or(32 << 10) / 64,
            rows: (bytes(2).unwrap_or(512 << 10) / 2).clamp(128 << 10, 1 << 20),
            columns: (bytes(3).unwrap_or(8 << 20) / 4).clamp(1 << 20, 4 << 20),
        })
    }
}

/// Lines of a first-level cache, or fewer: 64 sets of 8.
pub(super) const LEAST: usize = 512;

/// Whether the first rows of k columns, a stride apart, stay in the first-level cache.
pub(super) fn stays_cached<T>(stride: isize, k: usize) -> bool {
    is_spread::<T>(stride, k, LEAST) || is_spread::<T>(stride, k, Blocks::get().lines)
}

/// Whether the first rows of k columns stay in a cache of 64 sets with so many lines: a stride that is a large power of 2 finds
/// few of them.
#[inline(always)]
pub(super) fn is_spread<T>(stride: isize, k: usize, lines: usize) -> bool {
    let power = (stride.unsigned_abs() * size_of::<T>()).trailing_zeros().saturating_sub(6);
    k <= lines >> power.min(6)
}

/// The size of the cache of a level, if the processor tells.
#[cfg(target_arch = "x86_64")]
fn bytes(level: u32) -> Option<usize> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // The leaf is 4 on processors by Intel, and 0x8000001d with the same layout on those by AMD, which answer 4 with
    // zeros. Caches follow one another until one has no type.
    // SAFETY: all processors have the instruction. (Newer compilers know.)
    #[allow(unused_unsafe)]
    let (last, last_extended) = unsafe { (__cpuid(0).eax, __cpuid(0x8000_0000).eax) };
    [(4, last), (0x8000_001d, last_extended)].into_iter().filter(|(leaf, last)| leaf <= last).find_map(
        |(leaf, _)| {
            (0..8)
                .map(|cache| {
                    #[allow(unused_unsafe)]
                    // SAFETY: as above.
                    unsafe {
                        __cpuid_count(leaf, cache)
                    }
                })
                .take_while(|r| r.eax & 31 != 0)
                .filter(|r| r.eax & 31 != 2 && r.eax >> 5 & 7 == level)
                .map(|r| {
                    let field = |shift: u32, bits: u32| (r.ebx >> shift & ((1 << bits) - 1)) as usize + 1;
                    field(22, 10) * field(12, 10) * field(0, 12) * (r.ecx as usize + 1)
                })
                .next()
        },
    )
}

#[cfg(not(target_arch = "x86_64"))]
fn bytes(_level: u32) -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_caches() {
        let sizes = [1, 2, 3].map(bytes);
        if let [Some(first), Some(second), third] = sizes {
            assert!((8 << 10..1 << 20).contains(&first), "{first}");
            assert!(first < second && third.is_none_or(|third| second <= third), "{sizes:?}");
        }
        assert!(Blocks::get().rows < Blocks::get().columns);
    }
}
