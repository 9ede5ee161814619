//! gels: by the QR factorisation of A, or of Aᴴ where that is the taller (the LQ factorisation of A).

use blas_api::{DType, Diag, GelsDesc, Result, Routine, Side, Trans, Uplo, with_dtype};

use super::batch;
use super::column::{max_part, scaled};
use super::geqrf::{apply_q, factor};
use super::mat::{Mat, MatMut, trsm, zeros};
use crate::CpuHandle;
use crate::num::{Acc, exponent};
use crate::operands::{store, unsupported};

pub(crate) unsafe fn gels(h: &CpuHandle, d: &GelsDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { batch::each(h, d, entry::<T>) }, else Err(unsupported(Routine::Gels, d.dtype)))
}

unsafe fn entry<T: Acc>(h: &CpuHandle, d: &GelsDesc, i: usize) -> Result {
    // SAFETY: A and B of each entry are written by this call alone.
    let (a, b) = unsafe {
        let a = MatMut::<T>::entry(d.a, i, d.m, d.n);
        (a, MatMut::<T>::entry(d.b, i, d.m.max(d.n), d.nrhs))
    };
    let info = solve(h, d.trans, a, b)?;
    // SAFETY: `info` has a place for each entry.
    unsafe { store(d.info, i, info) };
    Ok(())
}

fn solve<T: Acc>(h: &CpuHandle, trans: Trans, mut a: MatMut<'_, T>, mut b: MatMut<'_, T>) -> Result<i32> {
    let (m, n) = (a.rows(), a.cols());
    if m == 0 || n == 0 || b.cols() == 0 {
        b.map(|_| T::zero());
        return Ok(0);
    }
    let overdetermined = (m >= n) != trans.is_transposed();
    let scale = into_range(&mut a);
    let mut tau = zeros(m.min(n))?;
    if m >= n {
        factor(h, a.rb(), &mut tau)?;
        return solve_factored(h, overdetermined, scale, a.as_ref(), &tau, b);
    }
    let mut adjoint = zeros(n * m)?;
    let mut adjoint = MatMut::from_slice(&mut adjoint, n, m);
    adjoint.copy_adjoint(a.as_ref());
    factor(h, adjoint.rb(), &mut tau)?;
    a.copy_adjoint(adjoint.as_ref());
    solve_factored(h, overdetermined, scale, adjoint.as_ref(), &tau, b)
}

/// With F = Q * R of 2^`scale` times the taller of A and Aᴴ: min |F * X - B| is X = R⁻¹ Qᴴ B, and Fᴴ * X = B of least norm
/// is X = Q * R⁻ᴴ * B.
fn solve_factored<T: Acc>(
    h: &CpuHandle,
    overdetermined: bool,
    scale: i32,
    f: Mat<'_, T>,
    tau: &[T],
    mut b: MatMut<'_, T>,
) -> Result<i32> {
    let q = f.cols();
    let r = f.split_rows(q).0;
    let info = r.zero_on_diagonal();
    if info > 0 {
        return Ok(info);
    }
    let upper = |trans| (Uplo::Upper, trans, Diag::NonUnit);
    if overdetermined {
        let scale_b = into_range(&mut b);
        apply_q(h, Trans::C, f, tau, b.rb())?;
        let (mut x, mut rest) = b.split_rows(q);
        trsm(h, Side::Left, upper(Trans::N), r, x.rb())?;
        out_of_range(&mut x, scale - scale_b);
        out_of_range(&mut rest, -scale_b);
    } else {
        let (mut y, mut rest) = b.rb().split_rows(q);
        let scale_b = into_range(&mut y);
        trsm(h, Side::Left, upper(Trans::C), r, y)?;
        rest.map(|_| T::zero());
        apply_q(h, Trans::N, f, tau, b.rb())?;
        out_of_range(&mut b, scale - scale_b);
    }
    Ok(0)
}

/// Scales a matrix of very large or very small elements by a power of two, so that the squares of the largest and sums
/// of them neither overflow nor vanish. Returns the exponent.
fn into_range<T: Acc>(a: &mut MatMut<'_, T>) -> i32 {
    let (tiny, eps) = match T::DTYPE.real() {
        DType::F32 => (f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON)),
        _ => (f64::MIN_POSITIVE, f64::EPSILON),
    };
    let (low, high) = ((tiny / eps).sqrt(), (eps / tiny).sqrt());
    let max = (0..a.cols()).flat_map(|j| a.as_ref().col(j)).fold(0.0f64, |max, &v| max.max(max_part(v)));
    if max == 0.0 || !max.is_finite() || (low..=high).contains(&max) {
        return 0;
    }
    let e = exponent(max.clamp(low, high)) - exponent(max);
    a.map(|v| scaled(v, e));
    e
}

/// Multiplies by 2^e.
fn out_of_range<T: Acc>(x: &mut MatMut<'_, T>, e: i32) {
    if e != 0 {
        x.map(|v| scaled(v, e));
    }
}
