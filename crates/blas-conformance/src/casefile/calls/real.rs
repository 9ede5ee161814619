//! Calls of the two real types only.

use blas_api::{Backend, Level1, Level2, RealField, RotmParam, Routine};

use super::super::front::{Front, Returned};
use super::field;

pub(super) fn call<T: RealField, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    match routine {
        Routine::Rotm => {
            let (n, x, incx, y, incy) = (f.count()?, f.output()?, f.inc()?, f.output()?, f.inc()?);
            let param = f.input()?;
            f.end()?;
            let param = RotmParam::from(f.vec(param, 5, 1)?);
            h.rotm(f.vec_mut(x, n, incx)?, f.vec_mut(y, n, incy)?, param)?;
        }
        Routine::Rotmg => {
            let (d1, d2, x1) = (f.output()?, f.output()?, f.output()?);
            let mut y1 = h.upload(&[f.coef::<T>()?])?;
            let param = f.output()?;
            f.end()?;
            let (d1, d2) = (f.scalar_mut(d1)?, f.scalar_mut(d2)?);
            let (x1, y1) = (f.scalar_mut(x1)?, y1.slice_mut().scalar(0)?);
            h.rotmg(d1, d2, x1, y1, f.vec_mut(param, 5, 1)?)?;
        }
        Routine::Ger => {
            let (m, n, alpha) = (f.size()?, f.size()?, f.coef::<T>()?);
            let (x, incx, y, incy) = (f.input()?, f.inc()?, f.input()?, f.inc()?);
            let (a, lda) = (f.output()?, f.size()?);
            f.end()?;
            let (x, y) = (f.vec(x, m, incx)?, f.vec(y, n, incy)?);
            h.ger(alpha, x, y, f.mat_mut(a, m, n, lda)?)?;
        }
        Routine::Sbmv => {
            let (uplo, n, k, alpha) = (f.uplo()?, f.size()?, f.size()?, f.coef::<T>()?);
            let (a, lda, x, incx) = (f.input()?, f.size()?, f.input()?, f.inc()?);
            let (beta, y, incy) = (f.coef::<T>()?, f.output()?, f.inc()?);
            f.end()?;
            let a = f.sym_band(a, n, k, uplo, lda)?;
            h.sbmv(alpha, a, f.vec(x, n, incx)?, beta, f.vec_mut(y, n, incy)?)?;
        }
        Routine::Spmv => {
            let (uplo, n, alpha, a) = (f.uplo()?, f.size()?, f.coef::<T>()?, f.input()?);
            let (x, incx, beta) = (f.input()?, f.inc()?, f.coef::<T>()?);
            let (y, incy) = (f.output()?, f.inc()?);
            f.end()?;
            let a = f.sym_packed(a, n, uplo)?;
            h.spmv(alpha, a, f.vec(x, n, incx)?, beta, f.vec_mut(y, n, incy)?)?;
        }
        Routine::Spr2 => {
            let (uplo, n, alpha) = (f.uplo()?, f.size()?, f.coef::<T>()?);
            let (x, incx, y, incy, a) = (f.input()?, f.inc()?, f.input()?, f.inc()?, f.output()?);
            f.end()?;
            let (x, y) = (f.vec(x, n, incx)?, f.vec(y, n, incy)?);
            h.spr2(alpha, x, y, f.sym_packed_mut(a, n, uplo)?)?;
        }
        _ => return field::call(routine, f),
    }
    Ok(None)
}
