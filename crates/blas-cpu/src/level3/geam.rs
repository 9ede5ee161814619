//! geam.

use blas_api::*;

use crate::CpuHandle;
use crate::engine::{Native, Panel, blocks, times};
use crate::operands::{coef, unsupported};
use crate::threads::{STREAM_GRAIN, for_each, for_each_entry, range};

/// Side of the squares in which transposed operands are walked, so that they stay in cache.
const BLOCK: usize = 32;

pub(crate) unsafe fn geam(h: &CpuHandle, d: &GeamDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d) },
        else return Err(unsupported(Routine::Geam, d.dtype)));
    Ok(())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &GeamDesc) {
    // SAFETY: the caller's promise.
    unsafe {
        let (alpha, beta) = (coef::<T>(d.alpha), coef::<T>(d.beta));
        for_each_entry(
            h,
            d,
            d.m as f64 * d.n as f64 * size_of::<T>() as f64,
            STREAM_GRAIN,
            |d, i, threads| {
                let (a, b) = (Panel::<T>::new(d.a, i, d.ta), Panel::<T>::new(d.b, i, d.tb));
                let c = Panel::<T>::new(d.c, i, Trans::N);
                let (m, parts, columns) = (d.m, threads.min(d.n), d.n);
                for_each(parts, |p| {
                    let r = range(columns, parts, 1, p);
                    let (a, b, c, n) = (a.sub(0, r.start), b.sub(0, r.start), c.sub(0, r.start), r.len());
                    // An operand whose coefficient is 0 is not read.
                    match (alpha.is_zero(), beta.is_zero()) {
                        (false, false) => {
                            fill(m, n, c, |i, j| times(alpha, a.get(i, j)) + times(beta, b.get(i, j)));
                        }
                        (false, true) => fill(m, n, c, |i, j| times(alpha, a.get(i, j))),
                        (true, false) => fill(m, n, c, |i, j| times(beta, b.get(i, j))),
                        (true, true) => fill(m, n, c, |_, _| T::zero()),
                    }
                });
            },
        );
    }
}

/// C = f, element by element. An element is written after `f` has been asked for it, and not before.
///
/// # Safety
/// All elements are there and not in use elsewhere.
unsafe fn fill<T: Native>(m: usize, n: usize, c: Panel<T>, f: impl Fn(usize, usize) -> T) {
    for (j0, n) in blocks(n, BLOCK) {
        for (i0, m) in blocks(m, BLOCK) {
            for j in j0..j0 + n {
                for i in i0..i0 + m {
                    // SAFETY: the caller's promise.
                    unsafe { c.set(i, j, f(i, j)) };
                }
            }
        }
    }
}
