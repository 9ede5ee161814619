//! getri: A⁻¹ = U⁻¹ L⁻¹ P.

use blas_api::{Diag, GetriDesc, Result, Routine, Side, Trans, Uplo, with_dtype};

use super::batch;
use super::mat::{Mat, MatMut, trsm, trtri_upper};
use crate::CpuHandle;
use crate::num::Acc;
use crate::operands::{store, unsupported};

pub(crate) unsafe fn getri(h: &CpuHandle, d: &GetriDesc) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        batch::check_pivots("getri", d.pivots, d.batch, d.n)?;
        with_dtype!(d.dtype, T in X => batch::each(h, d, entry::<T>), else Err(unsupported(Routine::Getri, d.dtype)))
    }
}

unsafe fn entry<T: Acc>(h: &CpuHandle, d: &GetriDesc, i: usize) -> Result {
    // SAFETY: A and the pivots are only read, C of each entry is written by this call alone.
    let (a, pivots, c) = unsafe {
        let a = Mat::<T>::entry(d.a, i, d.n, d.n);
        let pivots = batch::pivots(d.pivots, i, d.n);
        (a, pivots, MatMut::<T>::entry(d.c, i, d.n, d.n))
    };
    let info = a.zero_on_diagonal();
    if info == 0 {
        invert(h, a, pivots, c)?;
    }
    // SAFETY: `info` has a place for each entry.
    unsafe { store(d.info, i, info) };
    Ok(())
}

fn invert<T: Acc>(h: &CpuHandle, a: Mat<'_, T>, pivots: Option<&[i32]>, mut c: MatMut<'_, T>) -> Result {
    trtri_upper(h, a, c.rb())?;
    for j in 0..c.cols() {
        c.col(j)[j + 1..].fill(T::zero());
    }
    trsm(h, Side::Right, (Uplo::Lower, Trans::N, Diag::Unit), a, c.rb())?;
    for (j, &p) in pivots.unwrap_or_default().iter().enumerate().rev() {
        c.swap_cols(j, p as usize - 1);
    }
    Ok(())
}
