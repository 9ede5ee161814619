//! getrf: recursive, so that all but narrow panels is trsm and gemm.

use blas_api::{Diag, Error, GetrfDesc, Result, Routine, Side, Trans, Uplo, with_dtype};

use super::batch::{self, entry_slice};
use super::column::divide;
use super::mat::{MatMut, gemm, trsm};
use crate::CpuHandle;
use crate::level1::extreme;
use crate::num::Acc;
use crate::operands::{store, unsupported};
use crate::simd::axpy;

/// Panels of at most this many columns (or rows) are factored element by element.
const LEAF: usize = 16;

pub(crate) unsafe fn getrf(h: &CpuHandle, d: &GetrfDesc) -> Result {
    if d.pivots.is_some() && i32::try_from(d.m).is_err() {
        let max = i32::MAX as usize;
        return Err(Error::TooLarge { routine: "getrf", what: "rows of A", value: d.m, max });
    }
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { batch::each(h, d, entry::<T>) }, else Err(unsupported(Routine::Getrf, d.dtype)))
}

unsafe fn entry<T: Acc>(h: &CpuHandle, d: &GetrfDesc, i: usize) -> Result {
    // SAFETY: A and the pivots of each entry are written by this call alone.
    let (a, pivots) = unsafe {
        let a = MatMut::<T>::entry(d.a, i, d.m, d.n);
        (a, d.pivots.map(|p| entry_slice::<i32>(p, i, d.m.min(d.n))))
    };
    let zero = factor(h, a, pivots)?;
    // SAFETY: `info` has a place for each entry.
    unsafe { store(d.info, i, zero.map_or(0, |j| j as i32 + 1)) };
    Ok(())
}

/// Factors A; returns the index of the first pivot that is exactly zero.
fn factor<T: Acc>(h: &CpuHandle, a: MatMut<'_, T>, mut pivots: Option<&mut [i32]>) -> Result<Option<usize>> {
    let k = a.rows().min(a.cols());
    if k <= LEAF {
        return Ok(leaf(a, pivots));
    }
    let k1 = (k / 2).next_multiple_of(LEAF);
    let (mut left, mut right) = a.split_cols(k1);
    let zero1 = factor(h, left.rb(), pivots.as_deref_mut().map(|p| &mut p[..k1]))?;
    if let Some(p) = &pivots {
        swap_rows(&mut right, &p[..k1]);
    }
    let (top, mut bottom) = left.split_rows(k1);
    let (mut above, mut rest) = right.split_rows(k1);
    trsm(h, Side::Left, (Uplo::Lower, Trans::N, Diag::Unit), top.as_ref(), above.rb())?;
    gemm(h, -1.0, (Trans::N, bottom.as_ref()), (Trans::N, above.as_ref()), 1.0, rest.rb())?;
    let zero2 = factor(h, rest, pivots.as_deref_mut().map(|p| &mut p[k1..]))?;
    if let Some(p) = pivots {
        swap_rows(&mut bottom, &p[k1..]);
        p[k1..].iter_mut().for_each(|p| *p += k1 as i32);
    }
    Ok(zero1.or(zero2.map(|j| j + k1)))
}

/// Column by column, without Level 3.
fn leaf<T: Acc>(mut a: MatMut<'_, T>, mut pivots: Option<&mut [i32]>) -> Option<usize> {
    let mut first_zero = None;
    for j in 0..a.rows().min(a.cols()) {
        if let Some(pivots) = &mut pivots {
            let (p, _) = extreme::<T, true>(j, &a.col(j)[j..]);
            pivots[j] = p as i32 + 1;
            for c in 0..a.cols() {
                a.col(c).swap(j, p);
            }
        }
        let (mut left, mut right) = a.rb().split_cols(j + 1);
        let Some((pivot, below)) = left.col(j)[j..].split_first_mut() else { break };
        if *pivot == T::zero() {
            first_zero = first_zero.or(Some(j));
        } else {
            divide(below, *pivot);
        }
        for c in 0..right.cols() {
            let (head, tail) = right.col(c).split_at_mut(j + 1);
            axpy(-head[j], below, tail);
        }
    }
    first_zero
}

/// Exchanges row i with row `pivots[i]` (from 1), in order.
pub(super) fn swap_rows<T: Acc>(a: &mut MatMut<'_, T>, pivots: &[i32]) {
    for j in 0..a.cols() {
        let col = a.col(j);
        for (i, &p) in pivots.iter().enumerate() {
            col.swap(i, p as usize - 1);
        }
    }
}
