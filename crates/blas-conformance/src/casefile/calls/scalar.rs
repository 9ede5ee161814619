//! Calls of every type.

use blas_api::{Backend, Level1, Level2, Level3, Routine, Scalar};

use super::super::front::{Front, Returned};
use super::super::name::Form;
use super::{op, unknown};

pub(super) fn call<T: Scalar, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    match routine {
        Routine::Swap => {
            let (n, x, incx, y, incy) = (f.count()?, f.output()?, f.inc()?, f.output()?, f.inc()?);
            f.end()?;
            h.swap(f.vec_mut(x, n, incx)?, f.vec_mut(y, n, incy)?)?;
        }
        Routine::Scal => {
            let (n, alpha, x, incx) = (f.count()?, f.coef::<T::Coef>()?, f.output()?, f.inc()?);
            f.end()?;
            // F77 returns at once; the views of the library would walk backwards.
            if incx > 0 {
                h.scal(alpha, f.vec_mut(x, n, incx)?)?;
            }
        }
        Routine::Copy => {
            let (n, x, incx, y, incy) = (f.count()?, f.input()?, f.inc()?, f.output()?, f.inc()?);
            f.end()?;
            h.copy(f.vec(x, n, incx)?, f.vec_mut(y, n, incy)?)?;
        }
        Routine::Axpy => {
            let (n, alpha) = (f.count()?, f.coef::<T::Coef>()?);
            let (x, incx, y, incy) = (f.input()?, f.inc()?, f.output()?, f.inc()?);
            f.end()?;
            h.axpy(alpha, f.vec(x, n, incx)?, f.vec_mut(y, n, incy)?)?;
        }
        Routine::Axpby => {
            let (n, alpha) = (f.count()?, f.coef::<T::Coef>()?);
            let (x, incx) = (f.input()?, f.inc()?);
            let (beta, y, incy) = (f.coef::<T::Coef>()?, f.output()?, f.inc()?);
            f.end()?;
            h.axpby(alpha, f.vec(x, n, incx)?, beta, f.vec_mut(y, n, incy)?)?;
        }
        Routine::Dot | Routine::Dotc => {
            let (n, x, incx, y, incy) = (f.count()?, f.input()?, f.inc()?, f.input()?, f.inc()?);
            let result = if f.form == Form::Sub { Some(f.output()?) } else { None };
            f.end()?;
            let (x, y) = (f.vec(x, n, incx)?, f.vec(y, n, incy)?);
            match (routine, result) {
                (Routine::Dot, None) => return Ok(Some(h.dot(x, y)?.parts())),
                (_, None) => return Ok(Some(h.dotc(x, y)?.parts())),
                (Routine::Dot, Some(r)) => h.dot_into(x, y, f.scalar_mut(r)?)?,
                (_, Some(r)) => h.dotc_into(x, y, f.scalar_mut(r)?)?,
            }
        }
        Routine::Nrm2 => {
            let (n, x, incx) = (f.count()?, f.input()?, f.inc()?);
            f.end()?;
            return Ok(Some(h.nrm2(f.vec(x, n, incx)?)?.parts()));
        }
        Routine::Asum | Routine::Iamax | Routine::Iamin => {
            let (n, x, incx) = (f.count()?, f.input()?, f.inc()?);
            f.end()?;
            // F77 returns 0 at once, unlike nrm2, which walks any increment.
            if incx <= 0 {
                return Ok(Some([0.0; 2]));
            }
            let x = f.vec(x, n, incx)?;
            let index = match routine {
                Routine::Asum => return Ok(Some(h.asum(x)?.parts())),
                Routine::Iamax => h.iamax(x)?,
                _ => h.iamin(x)?,
            };
            return Ok(Some([index.map_or(0.0, |i| (i + 1) as f64), 0.0]));
        }
        Routine::Rot => {
            let (n, x, incx, y, incy) = (f.count()?, f.output()?, f.inc()?, f.output()?, f.inc()?);
            let (c, s) = (f.coef::<<T::Coef as Scalar>::Real>()?, f.coef::<T::Coef>()?);
            f.end()?;
            h.rot(f.vec_mut(x, n, incx)?, f.vec_mut(y, n, incy)?, c, s)?;
        }
        Routine::Gemv => {
            let (trans, m, n, alpha) = (f.trans()?, f.size()?, f.size()?, f.coef::<T::Coef>()?);
            let (a, lda, x, incx) = (f.input()?, f.size()?, f.input()?, f.inc()?);
            let (beta, y, incy) = (f.coef::<T::Coef>()?, f.output()?, f.inc()?);
            f.end()?;
            let a = op!(f.mat(a, m, n, lda)?, trans);
            let (rows, cols) = (a.rows(), a.cols());
            h.gemv(alpha, a, f.vec(x, cols, incx)?, beta, f.vec_mut(y, rows, incy)?)?;
        }
        Routine::Gemm => {
            let (ta, tb, m, n, k) = (f.trans()?, f.trans()?, f.size()?, f.size()?, f.size()?);
            let (alpha, a, lda, b, ldb) =
                (f.coef::<T::Coef>()?, f.input()?, f.size()?, f.input()?, f.size()?);
            let (beta, c, ldc) = (f.coef::<T::Coef>()?, f.output()?, f.size()?);
            f.end()?;
            let (ra, ca) = if ta.is_transposed() { (k, m) } else { (m, k) };
            let (rb, cb) = if tb.is_transposed() { (n, k) } else { (k, n) };
            let a = op!(f.mat(a, ra, ca, lda)?, ta);
            let b = op!(f.mat(b, rb, cb, ldb)?, tb);
            h.gemm(alpha, a, b, beta, f.mat_mut(c, m, n, ldc)?)?;
        }
        _ => return unknown::<T>(routine),
    }
    Ok(None)
}
