//! Calls of the four types of the classic BLAS.

use blas_api::{Backend, Buffer, Field, Level1, Level2, Level3, Routine, Scalar, Side};

use super::super::front::{Front, Returned, Stop};
use super::super::name::Form;
use super::{op, scalar};

pub(super) fn call<T: Field, B: Backend>(routine: Routine, f: Front<'_, T, B>) -> Returned {
    match routine {
        Routine::Scal | Routine::Rot | Routine::Rotg => level1(routine, f),
        Routine::Gbmv | Routine::Symv | Routine::Hemv | Routine::Hbmv | Routine::Hpmv => product(routine, f),
        Routine::Geru | Routine::Gerc => rank1(routine, f),
        Routine::Syr | Routine::Her | Routine::Spr | Routine::Hpr => symmetric_rank1(routine, f),
        Routine::Syr2 | Routine::Her2 | Routine::Hpr2 => symmetric_rank2(routine, f),
        Routine::Trmv | Routine::Trsv | Routine::Tbmv | Routine::Tbsv | Routine::Tpmv | Routine::Tpsv => {
            triangular(routine, f)
        }
        Routine::Symm | Routine::Hemm => symmetric_product(routine, f),
        Routine::Syrk | Routine::Herk => rank_k(routine, f),
        Routine::Syr2k | Routine::Her2k => rank_2k(routine, f),
        Routine::Syrkx if f.form == Form::Gemmtr => gemmtr(f),
        Routine::Trmm | Routine::Trsm => triangular_product(routine, f),
        _ => scalar::call(routine, f),
    }
}

fn level1<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    match routine {
        Routine::Scal if f.form == Form::RealCoef => {
            let (n, alpha, x, incx) = (f.count()?, f.coef::<T::Real>()?, f.output()?, f.inc()?);
            f.end()?;
            // F77 returns at once; the views of the library would walk backwards.
            if incx > 0 {
                h.scal_real(alpha, f.vec_mut(x, n, incx)?)?;
            }
        }
        Routine::Rot if f.form == Form::RealCoef => {
            let (n, x, incx, y, incy) = (f.count()?, f.output()?, f.inc()?, f.output()?, f.inc()?);
            let (c, s) = (f.coef::<T::Real>()?, f.coef::<T::Real>()?);
            f.end()?;
            h.rot_real(f.vec_mut(x, n, incx)?, f.vec_mut(y, n, incy)?, c, s)?;
        }
        Routine::Rotg => {
            let [a, b, c, s] = [f.output()?, f.output()?, f.output()?, f.output()?];
            f.end()?;
            // c is real also where the others are complex, and all four must be in one place: the host.
            let (mut av, mut bv) = (first(&f, a)?, first(&f, b)?);
            let (mut cv, mut sv) = (T::Real::from_parts(first(&f, c)?.parts()), first(&f, s)?);
            h.rotg(&mut av, &mut bv, &mut cv, &mut sv)?;
            for (buffer, value) in [(a, av), (b, bv), (c, T::from_parts(cv.parts())), (s, sv)] {
                let mut all = buffer.to_vec(h)?;
                all[0] = value;
                buffer.upload(h, &all)?;
            }
        }
        _ => return scalar::call(routine, f),
    }
    Ok(None)
}

/// The first element of an array, of which there must be one.
fn first<T: Scalar, B: Backend>(f: &Front<'_, T, B>, array: &Buffer<T, B>) -> Result<T, Stop> {
    f.vec(array, 1, 1)?;
    Ok(array.to_vec(f.handle)?[0])
}

/// y = alpha * A * x + beta * y
fn product<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    if routine == Routine::Gbmv {
        let (trans, m, n, kl, ku) = (f.trans()?, f.size()?, f.size()?, f.size()?, f.size()?);
        let (alpha, a, lda, x, incx) = (f.coef::<T>()?, f.input()?, f.size()?, f.input()?, f.inc()?);
        let (beta, y, incy) = (f.coef::<T>()?, f.output()?, f.inc()?);
        f.end()?;
        let a = op!(f.band(a, m, n, kl, ku, lda)?, trans);
        let (rows, cols) = (a.rows(), a.cols());
        h.gbmv(alpha, a, f.vec(x, cols, incx)?, beta, f.vec_mut(y, rows, incy)?)?;
        return Ok(None);
    }
    let (uplo, n) = (f.uplo()?, f.size()?);
    let k = if routine == Routine::Hbmv { f.size()? } else { 0 };
    let (alpha, a) = (f.coef::<T>()?, f.input()?);
    let lda = if routine == Routine::Hpmv { 0 } else { f.size()? };
    let (x, incx, beta, y, incy) = (f.input()?, f.inc()?, f.coef::<T>()?, f.output()?, f.inc()?);
    f.end()?;
    let (x, y) = (f.vec(x, n, incx)?, f.vec_mut(y, n, incy)?);
    match routine {
        Routine::Symv => h.symv(alpha, f.mat(a, n, n, lda)?.sym(uplo), x, beta, y)?,
        Routine::Hemv => h.hemv(alpha, f.mat(a, n, n, lda)?.herm(uplo), x, beta, y)?,
        Routine::Hbmv => h.hbmv(alpha, f.herm_band(a, n, k, uplo, lda)?, x, beta, y)?,
        _ => h.hpmv(alpha, f.herm_packed(a, n, uplo)?, x, beta, y)?,
    }
    Ok(None)
}

fn rank1<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let (m, n, alpha) = (f.size()?, f.size()?, f.coef::<T>()?);
    let (x, incx, y, incy, a, lda) = (f.input()?, f.inc()?, f.input()?, f.inc()?, f.output()?, f.size()?);
    f.end()?;
    let (x, y) = (f.vec(x, m, incx)?, f.vec(y, n, incy)?);
    let a = f.mat_mut(a, m, n, lda)?;
    if routine == Routine::Gerc {
        h.gerc(alpha, x, y, a)?
    } else {
        h.geru(alpha, x, y, a)?
    }
    Ok(None)
}

fn symmetric_rank1<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let (uplo, n) = (f.uplo()?, f.size()?);
    let hermitian = matches!(routine, Routine::Her | Routine::Hpr);
    let alpha = if hermitian { T::from_parts(f.coef::<T::Real>()?.parts()) } else { f.coef::<T>()? };
    let real = T::Real::from_parts(alpha.parts());
    let (x, incx, a) = (f.input()?, f.inc()?, f.output()?);
    let lda = if matches!(routine, Routine::Syr | Routine::Her) { f.size()? } else { 0 };
    f.end()?;
    let x = f.vec(x, n, incx)?;
    match routine {
        Routine::Syr => h.syr(alpha, x, f.mat_mut(a, n, n, lda)?.sym(uplo))?,
        Routine::Her => h.her(real, x, f.mat_mut(a, n, n, lda)?.herm(uplo))?,
        Routine::Spr => h.spr(alpha, x, f.sym_packed_mut(a, n, uplo)?)?,
        _ => h.hpr(real, x, f.herm_packed_mut(a, n, uplo)?)?,
    }
    Ok(None)
}

fn symmetric_rank2<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let (uplo, n, alpha) = (f.uplo()?, f.size()?, f.coef::<T>()?);
    let (x, incx, y, incy, a) = (f.input()?, f.inc()?, f.input()?, f.inc()?, f.output()?);
    let lda = if routine == Routine::Hpr2 { 0 } else { f.size()? };
    f.end()?;
    let (x, y) = (f.vec(x, n, incx)?, f.vec(y, n, incy)?);
    match routine {
        Routine::Syr2 => h.syr2(alpha, x, y, f.mat_mut(a, n, n, lda)?.sym(uplo))?,
        Routine::Her2 => h.her2(alpha, x, y, f.mat_mut(a, n, n, lda)?.herm(uplo))?,
        _ => h.hpr2(alpha, x, y, f.herm_packed_mut(a, n, uplo)?)?,
    }
    Ok(None)
}

fn triangular<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let (uplo, trans, diag, n) = (f.uplo()?, f.trans()?, f.diag()?, f.size()?);
    let k = if matches!(routine, Routine::Tbmv | Routine::Tbsv) { f.size()? } else { 0 };
    let a = f.input()?;
    let lda = if matches!(routine, Routine::Tpmv | Routine::Tpsv) { 0 } else { f.size()? };
    let (x, incx) = (f.output()?, f.inc()?);
    f.end()?;
    let x = f.vec_mut(x, n, incx)?;
    match routine {
        Routine::Trmv => h.trmv(op!(f.mat(a, n, n, lda)?.tri(uplo, diag), trans), x)?,
        Routine::Trsv => h.trsv(op!(f.mat(a, n, n, lda)?.tri(uplo, diag), trans), x)?,
        Routine::Tbmv => h.tbmv(op!(f.tri_band(a, n, k, uplo, diag, lda)?, trans), x)?,
        Routine::Tbsv => h.tbsv(op!(f.tri_band(a, n, k, uplo, diag, lda)?, trans), x)?,
        Routine::Tpmv => h.tpmv(op!(f.tri_packed(a, n, uplo, diag)?, trans), x)?,
        _ => h.tpsv(op!(f.tri_packed(a, n, uplo, diag)?, trans), x)?,
    }
    Ok(None)
}

fn symmetric_product<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let (side, uplo, m, n, alpha) = (f.side()?, f.uplo()?, f.size()?, f.size()?, f.coef::<T>()?);
    let (a, lda, b, ldb) = (f.input()?, f.size()?, f.input()?, f.size()?);
    let (beta, c, ldc) = (f.coef::<T>()?, f.output()?, f.size()?);
    f.end()?;
    let order = if side == Side::Left { m } else { n };
    let a = f.mat(a, order, order, lda)?;
    let (b, c) = (f.mat(b, m, n, ldb)?, f.mat_mut(c, m, n, ldc)?);
    if routine == Routine::Hemm {
        h.hemm(side, alpha, a.herm(uplo), b, beta, c)?;
    } else {
        h.symm(side, alpha, a.sym(uplo), b, beta, c)?;
    }
    Ok(None)
}

fn rank_k<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let hermitian = routine == Routine::Herk;
    let (uplo, trans, n, k) = (f.uplo()?, f.update_trans(hermitian)?, f.size()?, f.size()?);
    let coef = |f: &mut Front<'_, T, B>| {
        if hermitian { Ok(T::from_parts(f.coef::<T::Real>()?.parts())) } else { f.coef::<T>() }
    };
    let (alpha, a, lda) = (coef(&mut f)?, f.input()?, f.size()?);
    let (beta, c, ldc) = (coef(&mut f)?, f.output()?, f.size()?);
    f.end()?;
    let (rows, cols) = if trans.is_transposed() { (k, n) } else { (n, k) };
    let a = op!(f.mat(a, rows, cols, lda)?, trans);
    let c = f.mat_mut(c, n, n, ldc)?;
    if hermitian {
        let real = |v: T| T::Real::from_parts(v.parts());
        h.herk(real(alpha), a, real(beta), c.herm(uplo))?;
    } else {
        h.syrk(alpha, a, beta, c.sym(uplo))?;
    }
    Ok(None)
}

fn rank_2k<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let hermitian = routine == Routine::Her2k;
    let (uplo, trans, n, k) = (f.uplo()?, f.update_trans(hermitian)?, f.size()?, f.size()?);
    let (alpha, a, lda, b, ldb) = (f.coef::<T>()?, f.input()?, f.size()?, f.input()?, f.size()?);
    let beta = if hermitian { T::from_parts(f.coef::<T::Real>()?.parts()) } else { f.coef::<T>()? };
    let (c, ldc) = (f.output()?, f.size()?);
    f.end()?;
    let (rows, cols) = if trans.is_transposed() { (k, n) } else { (n, k) };
    let a = op!(f.mat(a, rows, cols, lda)?, trans);
    let b = op!(f.mat(b, rows, cols, ldb)?, trans);
    let c = f.mat_mut(c, n, n, ldc)?;
    if hermitian {
        h.her2k(alpha, a, b, T::Real::from_parts(beta.parts()), c.herm(uplo))?;
    } else {
        h.syr2k(alpha, a, b, beta, c.sym(uplo))?;
    }
    Ok(None)
}

/// One triangle of C = alpha * op(A) * op(B) + beta * C; the library's `syrkx` takes the transpose of B.
fn gemmtr<T: Field, B: Backend>(mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let (uplo, ta, tb, n, k) = (f.uplo()?, f.trans()?, f.trans()?, f.size()?, f.size()?);
    let (alpha, a, lda, b, ldb) = (f.coef::<T>()?, f.input()?, f.size()?, f.input()?, f.size()?);
    let (beta, c, ldc) = (f.coef::<T>()?, f.output()?, f.size()?);
    f.end()?;
    let (ra, ca) = if ta.is_transposed() { (k, n) } else { (n, k) };
    let (rb, cb) = if tb.is_transposed() { (n, k) } else { (k, n) };
    let a = op!(f.mat(a, ra, ca, lda)?, ta);
    let b = op!(f.mat(b, rb, cb, ldb)?, tb);
    h.syrkx(alpha, a, b.t(), beta, f.mat_mut(c, n, n, ldc)?.sym(uplo))?;
    Ok(None)
}

fn triangular_product<T: Field, B: Backend>(routine: Routine, mut f: Front<'_, T, B>) -> Returned {
    let h = f.handle;
    let (side, uplo, trans, diag) = (f.side()?, f.uplo()?, f.trans()?, f.diag()?);
    let (m, n, alpha) = (f.size()?, f.size()?, f.coef::<T>()?);
    let (a, lda, b, ldb) = (f.input()?, f.size()?, f.output()?, f.size()?);
    f.end()?;
    let order = if side == Side::Left { m } else { n };
    let a = op!(f.mat(a, order, order, lda)?.tri(uplo, diag), trans);
    let b = f.mat_mut(b, m, n, ldb)?;
    if routine == Routine::Trmm {
        h.trmm(side, alpha, a, b)?
    } else {
        h.trsm(side, alpha, a, b)?
    }
    Ok(None)
}
