//! getrs: two triangular solves and the exchanges of rows.

use blas_api::{Diag, GetrsDesc, Result, Routine, Side, Trans, Uplo, with_dtype};

use super::batch;
use super::getrf::swap_rows;
use super::mat::{Mat, MatMut, trsm};
use crate::CpuHandle;
use crate::num::Acc;
use crate::operands::unsupported;

pub(crate) unsafe fn getrs(h: &CpuHandle, d: &GetrsDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        batch::check_pivots("getrs", d.pivots, d.batch, d.n)?;
        with_dtype!(d.dtype, T in X => batch::each(h, d, entry::<T>), else Err(unsupported(Routine::Getrs, d.dtype)))
    }
}

unsafe fn entry<T: Acc>(h: &CpuHandle, d: &GetrsDesc, i: usize) -> Result {
    // SAFETY: A and the pivots are only read, B of each entry is written by this call alone.
    let (a, pivots, b) = unsafe {
        let a = Mat::<T>::entry(d.a, i, d.n, d.n);
        let pivots = batch::pivots(d.pivots, i, d.n);
        (a, pivots, MatMut::<T>::entry(d.b, i, d.n, d.nrhs))
    };
    solve(h, d.trans, a, pivots, b)
}

/// A = Pᵀ L U, so that op(A) is Pᵀ op(L) op(U), or op(U) op(L) P where op transposes.
fn solve<T: Acc>(
    h: &CpuHandle,
    trans: Trans,
    a: Mat<'_, T>,
    pivots: Option<&[i32]>,
    mut b: MatMut<'_, T>,
) -> Result {
    let (lower, upper) = ((Uplo::Lower, trans, Diag::Unit), (Uplo::Upper, trans, Diag::NonUnit));
    if trans.is_transposed() {
        trsm(h, Side::Left, upper, a, b.rb())?;
        trsm(h, Side::Left, lower, a, b.rb())?;
        if let Some(pivots) = pivots {
            swap_rows_back(&mut b, pivots);
        }
    } else {
        if let Some(pivots) = pivots {
            swap_rows(&mut b, pivots);
        }
        trsm(h, Side::Left, lower, a, b.rb())?;
        trsm(h, Side::Left, upper, a, b.rb())?;
    }
    Ok(())
}

/// Undoes [`swap_rows`].
fn swap_rows_back<T: Acc>(b: &mut MatMut<'_, T>, pivots: &[i32]) {
    for j in 0..b.cols() {
        let col = b.col(j);
        for (i, &p) in pivots.iter().enumerate().rev() {
            col.swap(i, p as usize - 1);
        }
    }
}
