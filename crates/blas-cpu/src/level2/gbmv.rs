//! gbmv: y = alpha * op(A) * x + beta * y for a band matrix.

use blas_api::*;

use super::GRAIN;
use super::columns::BandColumns;
use crate::num::{Acc, Elem};
use crate::operands::{Vect, coef, unsupported};
use crate::threads::for_each_entry;
use crate::{CpuHandle, simd};

pub(crate) unsafe fn gbmv(h: &CpuHandle, d: &GbmvDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { typed::<T>(h, d) }, else return Err(unsupported(Routine::Gbmv, d.dtype)));
    Ok(())
}

unsafe fn typed<T: Elem<Coef = T> + Acc>(h: &CpuHandle, d: &GbmvDesc) {
    let (rows, cols) = if d.trans.is_transposed() { (d.n, d.m) } else { (d.m, d.n) };
    let work = d.n as f64 * d.m.min(d.kl.saturating_add(d.ku).saturating_add(1)) as f64;
    // SAFETY: the descriptor's promise; entries are distinct.
    unsafe {
        let (alpha, beta) = (coef::<T>(d.alpha), coef::<T>(d.beta));
        for_each_entry(h, d, work * size_of::<T>() as f64, GRAIN, |d, i, _| {
            let a = BandColumns::<T>::new(d.a, i, d.m, d.kl, d.ku);
            let (x, y) = (Vect::<T>::new(d.x, i, cols), Vect::<T>::new(d.y, i, rows));
            let (conj, mut copy) = (d.trans.is_conjugated(), Vec::new());
            y.update_all(!beta.is_zero(), |y| {
                simd::scal_or_clear(beta, y);
                if alpha.is_zero() {
                    return;
                }
                let x = x.load_all(&mut copy);
                for j in 0..d.n {
                    let (rows, a) = a.column(j);
                    if d.trans.is_transposed() {
                        y[j] += alpha * simd::dot(conj, a, &x[rows]);
                    } else {
                        simd::axpy_conj(conj, alpha * x[j], a, &mut y[rows]);
                    }
                }
            });
        });
    }
}
