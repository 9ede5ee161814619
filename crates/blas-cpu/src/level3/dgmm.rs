//! dgmm.

use blas_api::*;

use crate::CpuHandle;
use crate::engine::{Native, Panel};
use crate::operands::{Vect, unsupported};
use crate::threads::{STREAM_GRAIN, for_each, for_each_entry, range};

pub(crate) unsafe fn dgmm(h: &CpuHandle, d: &DgmmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d) },
        else return Err(unsupported(Routine::Dgmm, d.dtype)));
    Ok(())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &DgmmDesc) {
    // SAFETY: the caller's promise.
    unsafe {
        for_each_entry(
            h,
            d,
            d.m as f64 * d.n as f64 * size_of::<T>() as f64,
            STREAM_GRAIN,
            |d, i, threads| {
                let (a, c) = (Panel::<T>::new(d.a, i, d.ta), Panel::<T>::new(d.c, i, Trans::N));
                let (m, n, left) = (d.m, d.n, d.side == Side::Left);
                let x = Vect::<T>::new(d.x, i, if left { m } else { n });
                let parts = threads.min(n);
                for_each(parts, |p| {
                    for j in range(n, parts, 1, p) {
                        for i in 0..m {
                            c.set(i, j, x.get(if left { i } else { j }) * a.get(i, j));
                        }
                    }
                });
            },
        );
    }
}
