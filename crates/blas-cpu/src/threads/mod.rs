//! Thread count, the work-based cut-off, and how work gets to threads.
//!
//! Work is cut into parts by index, never by who is free: for a fixed thread count the same call does the same
//! arithmetic in the same order.

mod team;

use std::error::Error as _;
use std::ops::Range;
use std::sync::OnceLock;

use blas_api::{Descriptor, RawHandle, Threads};
use rayon::ThreadPoolBuilder;

use crate::CpuHandle;

/// Bytes that are worth a thread which has to be woken. A core takes 1 to 4 microseconds for them, to wake one takes up to 5.
pub(crate) const STREAM_GRAIN: f64 = 131072.0;

/// The threads that one call on this handle may use: at least 1.
pub(crate) fn limit(h: &CpuHandle) -> usize {
    let most = match h.policy().threads {
        Threads::Max(n) => n,
        _ => usize::MAX,
    };
    if most <= 1 { 1 } else { pool().min(most).max(1) }
}

/// Threads of the pool that the caller is in: 1 where the global one cannot be started, of which rayon would panic.
fn pool() -> usize {
    static GLOBAL: OnceLock<bool> = OnceLock::new();
    let is_there = rayon::current_thread_index().is_some()
        || *GLOBAL.get_or_init(|| match ThreadPoolBuilder::new().build_global() {
            Ok(()) => true,
            // Without a source, the error is that there is one already.
            Err(why) => why.source().is_none(),
        });
    if is_there { rayon::current_num_threads() } else { 1 }
}

/// Parts worth making of `work` units where one part should have `grain` of them: from 1 to `limit`.
pub(crate) fn worthwhile(work: f64, grain: f64, limit: usize) -> usize {
    // A float is cast with saturation, and NaN to 0.
    ((work / grain) as usize).clamp(1, limit.max(1))
}

/// [`worthwhile`] within the limit of a handle. Small work does not even ask for the pool.
pub(crate) fn parts(h: &CpuHandle, work: f64, grain: f64) -> usize {
    if worthwhile(work, grain, 2) == 1 { 1 } else { worthwhile(work, grain, limit(h)) }
}

/// Part `i` of `n` items cut into `parts` near-equal ranges, whose inner borders are multiples of `unit`.
pub(crate) fn range(n: usize, parts: usize, unit: usize, i: usize) -> Range<usize> {
    let units = n.div_ceil(unit);
    let (each, more) = (units / parts, units % parts);
    let border = |i: usize| ((i * each + i.min(more)) * unit).min(n);
    border(i)..border(i + 1)
}

/// Runs `f(0)`, ..., `f(parts - 1)`, on as many threads if there are that many. The caller's own is one of them, so that
/// no more are woken than needed. Parts must not wait for one another: one thread may compute them all.
#[inline]
pub(crate) fn for_each(parts: usize, f: impl Fn(usize) + Sync) {
    for_each_of(f64::INFINITY, parts, f);
}

/// [`for_each`] for work on so many bytes. What is too little to wake a worker for is shared with one that is awake; if none is,
/// one is woken for the next call where calls follow each other closely.
#[inline]
pub(crate) fn for_each_of(bytes: f64, parts: usize, f: impl Fn(usize) + Sync) {
    if parts == 1 {
        return f(0);
    }
    team::run(parts, bytes < 2.0 * STREAM_GRAIN, &f);
}

/// A value that threads may share although it holds raw pointers.
#[derive(Clone, Copy)]
pub(crate) struct Shared<T>(T);

impl<T> Shared<T> {
    /// # Safety
    /// What the threads do through the pointers does not conflict.
    pub(crate) unsafe fn new(value: T) -> Self {
        Shared(value)
    }

    /// The value. (A method, so that closures capture the wrapper and not the field.)
    pub(crate) fn get(&self) -> &T {
        &self.0
    }
}

// SAFETY: promised by the caller of `new`.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: promised by the caller of `new`.
unsafe impl<T> Sync for Shared<T> {}

/// Runs `f(d, entry, threads)` for each entry of the batch: see [`for_each_range`].
///
/// # Safety
/// As for `for_each_range`.
#[inline]
pub(crate) unsafe fn for_each_entry<D: Descriptor>(
    h: &CpuHandle,
    d: &D,
    work: f64,
    grain: f64,
    f: impl Fn(&D, usize, usize) + Sync,
) {
    // SAFETY: the caller's promise.
    unsafe {
        for_each_range(h, d, work, grain, |d, entries, threads| entries.for_each(|i| f(d, i, threads)));
    }
}

/// Runs `f(d, entries, threads)` for ranges that are the batch together, where `threads` is how many each entry may use
/// itself. One entry is `work` units, and `grain` of them are worth a thread. Either the entries are spread over the
/// threads, or each uses several in its turn.
///
/// # Safety
/// Entries may run at the same time: outputs of different entries do not overlap, as every descriptor promises.
#[inline]
pub(crate) unsafe fn for_each_range<D: Descriptor>(
    h: &CpuHandle,
    d: &D,
    work: f64,
    grain: f64,
    f: impl Fn(&D, Range<usize>, usize) + Sync,
) {
    // One small entry is the common case, and the one in which a call must cost next to nothing.
    if d.batch() == 1 && work < 2.0 * grain {
        return f(d, 0..1, 1);
    }
    // SAFETY: the caller's promise.
    let shared = unsafe { Shared::new(*d) };
    spread_entries(h, d.batch(), work, grain, &|entries, threads| f(shared.get(), entries, threads));
}

/// [`for_each_range`] of many or large entries, for `f(entries, threads)`. (Not generic: the compiler would make it
/// again for each caller.)
#[inline(never)]
fn spread_entries(
    h: &CpuHandle,
    batch: usize,
    work: f64,
    grain: f64,
    f: &(dyn Fn(Range<usize>, usize) + Sync),
) {
    let all = parts(h, work * batch as f64, grain);
    let inside = worthwhile(work, grain, all);
    if batch == 1 || all == 1 || inside == all {
        return f(0..batch, inside);
    }
    let outer = all.min(batch);
    for_each(outer, |p| f(range(batch, outer, 1, p), 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_does_not_overflow() {
        let f = |m: u64, n: u64, k: u64| worthwhile(m as f64 * n as f64 * k as f64, 1e5, 64);
        assert_eq!(f(2048, 2048, 2048), 64);
        assert_eq!(f(70_000, 70_000, 1), 64);
        assert_eq!(f(1, 1, 1 << 33), 64);
        assert_eq!(f(u64::MAX, u64::MAX, u64::MAX), 64);
        assert_eq!(f(1, 1, 1), 1);
        assert_eq!(f(0, 70_000, 70_000), 1);
        assert_eq!(worthwhile(f64::NAN, 1.0, 0), 1);
        assert!((0..40).all(|b| f(1, 1, 1 << b) <= f(1, 1, 2 << b)), "not monotone");
    }

    #[test]
    fn ranges_cover_everything_once() {
        for (n, parts, unit) in [(0, 3, 8), (1, 4, 8), (100, 3, 8), (64, 2, 32), (1000, 7, 1), (17, 5, 4)] {
            let mut end = 0;
            for i in 0..parts {
                let r = range(n, parts, unit, i);
                assert_eq!(r.start, end);
                assert!(r.end == n || r.end.is_multiple_of(unit));
                end = r.end;
            }
            assert_eq!(end, n);
        }
    }

    #[test]
    fn a_handle_limits_its_threads() {
        let h = CpuHandle::new();
        for (max, most) in [(0, 1), (1, 1), (2, 2)] {
            let mut policy = h.policy();
            policy.threads = Threads::Max(max);
            h.set_policy(policy).unwrap();
            assert!(limit(&h) <= most);
            assert!(parts(&h, 1e18, 1.0) <= most);
        }
    }

    #[test]
    fn every_part_runs_once() {
        let count = std::sync::atomic::AtomicUsize::new(0);
        for_each(13, |i| {
            count.fetch_add(1 << (4 * (i % 4)), std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(count.into_inner(), 0x3334);
    }
}
