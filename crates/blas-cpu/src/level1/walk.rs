//! Walks over vectors: in chunks that kernels can compute on, spread over threads.

use std::ops::Range;

use super::bytes_of;
use crate::num::Elem;
use crate::operands::{CHUNK, Scratch, Vect};
use crate::threads;

/// Elements that one partial result of a reduction covers at most. Partial results are combined in order, so that a
/// reduction does not depend on the number of threads.
pub(super) const BLOCK: usize = 1 << 15;

/// Borders between threads are multiples of so many elements (a cache line or more).
const UNIT: usize = 64;

/// Runs `f` on each chunk of `r`.
fn chunks(r: Range<usize>, step: usize, mut f: impl FnMut(Range<usize>)) {
    let mut i = r.start;
    while i < r.end {
        let next = r.end.min(i.saturating_add(step));
        f(i..next);
        i = next;
    }
}

/// Runs `f` on ranges that make up 0..n, elements of each of `K` vectors, on several threads.
pub(super) fn spread<T, const K: usize>(n: usize, parts: usize, f: impl Fn(Range<usize>) + Sync) {
    threads::for_each_of(bytes_of::<T, K>(n), parts, |p| f(threads::range(n, parts, UNIT, p)));
}

/// x = f(x)
///
/// # Safety
/// The memory of x is valid and not in use elsewhere.
pub(super) unsafe fn map<T: Elem>(threads: usize, x: Vect<T>, f: impl Fn(&mut [T::Coef]) + Sync) {
    // Elements that share memory are visited one after the other.
    let (parts, step) = if x.is_repeated() { (1, 1) } else { (threads, step(x.is_direct())) };
    spread::<T, 1>(x.len(), parts, |r| {
        let mut scratch = Scratch::default();
        // SAFETY: the caller's promise; parts are distinct.
        chunks(r, step, |r| unsafe { x.update(r, true, &mut scratch, &f) });
    });
}

/// y = f(x, y). `read` as in [`Vect::update`].
///
/// # Safety
/// The memory of x and y is valid and that of y not in use elsewhere.
pub(super) unsafe fn zip<T: Elem>(
    threads: usize,
    x: Vect<T>,
    y: Vect<T>,
    read: bool,
    f: impl Fn(&[T::Coef], &mut [T::Coef]) + Sync,
) {
    let direct = x.is_direct() && y.is_direct();
    let (parts, step) = if y.is_repeated() { (1, 1) } else { (threads, step(direct)) };
    spread::<T, 2>(y.len(), parts, |r| {
        let (mut xs, mut ys) = (Scratch::default(), Scratch::default());
        chunks(r, step, |r| {
            // SAFETY: the caller's promise; parts are distinct.
            unsafe {
                let x = x.load(r.clone(), &mut xs);
                y.update(r, read, &mut ys, |y| f(x, y));
            }
        });
    });
}

/// (x, y) = f(x, y)
///
/// # Safety
/// The memory of x and y is valid and not in use elsewhere.
pub(super) unsafe fn zip_both<T: Elem>(
    threads: usize,
    x: Vect<T>,
    y: Vect<T>,
    f: impl Fn(&mut [T::Coef], &mut [T::Coef]) + Sync,
) {
    let direct = x.is_direct() && y.is_direct();
    let repeated = x.is_repeated() || y.is_repeated();
    let (parts, step) = if repeated { (1, 1) } else { (threads, step(direct)) };
    spread::<T, 2>(y.len(), parts, |r| {
        let (mut xs, mut ys) = (Scratch::default(), Scratch::default());
        chunks(r, step, |r| {
            // SAFETY: the caller's promise; parts are distinct.
            unsafe {
                x.update(r.clone(), true, &mut xs, |x| y.update(r, true, &mut ys, |y| f(x, y)));
            }
        });
    });
}

/// Values of f on the chunks of x, in order, joined.
///
/// # Safety
/// The memory of x is valid.
pub(super) unsafe fn fold<T: Elem, R: Copy + Send + Sync>(
    threads: usize,
    x: Vect<T>,
    f: impl Fn(usize, &[T::Coef]) -> R + Sync,
    join: impl Fn(R, R) -> R + Sync,
) -> Option<R> {
    reduce::<T, 1, _, _>(threads, x.len(), x.is_direct(), &join, |scratch: &mut Scratch<T::Coef>, r| {
        let start = r.start;
        // SAFETY: the caller's promise.
        f(start, unsafe { x.load(r, scratch) })
    })
}

/// Values of f on the chunks of x and y, in order, joined.
///
/// # Safety
/// The memory of x and y is valid.
pub(super) unsafe fn fold2<T: Elem, R: Copy + Send + Sync>(
    threads: usize,
    x: Vect<T>,
    y: Vect<T>,
    f: impl Fn(&[T::Coef], &[T::Coef]) -> R + Sync,
    join: impl Fn(R, R) -> R + Sync,
) -> Option<R> {
    type Pair<C> = (Scratch<C>, Scratch<C>);
    let direct = x.is_direct() && y.is_direct();
    reduce::<T, 2, _, _>(threads, x.len(), direct, &join, |(xs, ys): &mut Pair<T::Coef>, r| {
        // SAFETY: the caller's promise.
        unsafe { f(x.load(r.clone(), xs), y.load(r, ys)) }
    })
}

/// Elements that a kernel may be given at once.
fn step(direct: bool) -> usize {
    if direct { usize::MAX } else { CHUNK }
}

/// Joins the values of f on chunks of 0..n, elements of each of `K` vectors: within each block, then over the blocks.
fn reduce<T, const K: usize, S: Default, R: Copy + Send + Sync>(
    threads: usize,
    n: usize,
    direct: bool,
    join: &(impl Fn(R, R) -> R + Sync),
    f: impl Fn(&mut S, Range<usize>) -> R + Sync,
) -> Option<R> {
    // As many for one of two threads as for the other. An increment of 0 makes vectors of any length, which have no more.
    const MOST: usize = 1 << 20;
    let blocks = if n > BLOCK { n.div_ceil(BLOCK).next_multiple_of(2).min(MOST) } else { 1 };
    let block = |i: usize| {
        let mut scratch = S::default();
        let mut sum = None;
        chunks(threads::range(n, blocks, UNIT, i), step(direct), |r| {
            let next = f(&mut scratch, r);
            sum = Some(sum.map_or(next, |sum| join(sum, next)));
        });
        sum
    };
    if blocks == 1 {
        return block(0);
    }
    let mut sums = vec![None; blocks];
    let all = Vect::of(&mut sums);
    threads::for_each_of(bytes_of::<T, K>(n), threads, |p| {
        // SAFETY: each block is written by one part.
        threads::range(blocks, threads, 1, p).for_each(|i| unsafe { all.set(i, block(i)) });
    });
    sums.into_iter().flatten().reduce(join)
}
