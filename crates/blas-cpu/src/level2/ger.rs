//! ger, geru and gerc: A = alpha * x * y' + A.

use blas_api::*;

use super::rectangle::Rank1;
use super::whole::Whole;
use super::{GROUP, RECTANGLE_GRAIN};
use crate::CpuHandle;
use crate::lanes::run;
use crate::num::{Acc, Elem};
use crate::operands::{Vect, coef, entry, unsupported};
use crate::threads::{self, for_each_entry};

pub(crate) unsafe fn ger(h: &CpuHandle, d: &GerDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in R => unsafe { typed::<T>(h, d) }, else return Err(unsupported(Routine::Ger, d.dtype)));
    Ok(())
}

pub(crate) unsafe fn geru(h: &CpuHandle, d: &GerDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { typed::<T>(h, d) }, else return Err(unsupported(Routine::Geru, d.dtype)));
    Ok(())
}

/// The conjugations are in the descriptor.
pub(crate) unsafe fn gerc(h: &CpuHandle, d: &GerDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { typed::<T>(h, d) }, else return Err(unsupported(Routine::Gerc, d.dtype)));
    Ok(())
}

unsafe fn typed<T: Elem<Coef = T> + Acc>(h: &CpuHandle, d: &GerDesc) {
    // SAFETY: the descriptor's promise.
    let alpha = unsafe { coef::<T>(d.alpha) };
    if alpha.is_zero() {
        return;
    }
    let bytes = d.m as f64 * d.n as f64 * size_of::<T>() as f64;
    // SAFETY: the descriptor's promise; entries are distinct, and so are columns.
    unsafe {
        for_each_entry(h, d, bytes, RECTANGLE_GRAIN, |d, i, parts| {
            let mut copy = Vec::new();
            let x = Vect::<T>::new(d.x, i, d.m).load_all(&mut copy);
            let y = Vect::<T>::new(d.y, i, d.n);
            let a = Whole { first: entry::<T>(d.a.data, i), ld: d.a.ld };
            let GerDesc { m, n, conj_x, conj_y, .. } = *d;
            // Few columns are cut where that makes parts more equal.
            let unit = if n > 4 * GROUP * parts { GROUP } else { 1 };
            threads::for_each_of(bytes, parts, |p| {
                let r = threads::range(n, parts, unit, p);
                let a = a.from(0, r.start);
                let columns = Rank1 { rows: m, cols: r.len(), conj: conj_x, a, x: x.as_ptr() };
                run(&columns.with(
                    #[inline(always)]
                    |j| alpha * y.get(r.start + j).conj_if(conj_y),
                ));
            });
        });
    }
}
