//! Level 2: matrix-vector operations.

mod gbmv;
mod gemv;
mod ger;
mod sbmv;
mod spmv;
mod spr;
mod spr2;
mod symv;
mod syr;
mod syr2;
mod tbmv;
mod tpmv;
mod trmv;

use crate::lower::Refused;
use crate::*;

/// Level 2 BLAS on a handle.
///
/// Matrices may be row- or column-major, vectors have any increment but 0, each operand may be a batch (see
/// [`Batched`]), and every coefficient is a host value or a device scalar (see [`Coef`]). beta = 0 means that the output
/// is not read, alpha = 0 that the inputs are not. 0 * NaN and 0 * infinity inside A and x do count.
///
/// Of a symmetric, Hermitian or triangular A of order n, only the triangle that the view names is read or written, not the
/// diagonal of a unit triangle, and not the imaginary part of a Hermitian diagonal, which is written as 0. Vectors have n
/// elements then. With n = 0 or an empty batch, nothing is touched.
///
/// Each method takes a view of A with its transposition and conjugation, so there is no flag for op: see
/// [`MatRef::t`], [`MatRef::h`], [`TriRef::t`].
///
/// # Errors
/// [`Error::Shape`] if the sizes do not fit together, [`Error::Strides`] if neither stride of A is 1,
/// [`Error::Increment`], [`Error::BatchCount`], [`Error::WrongDevice`], [`Error::Unsupported`]. Nothing is launched or
/// written then.
pub trait Level2<B: Backend>: AsHandle<B> {
    /// y = alpha * A * x + beta * y
    ///
    /// A is m x n, x has n elements, y has m. If either is 0, y is untouched.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, x, mut y) = ([1.0f64, 2.0, 3.0, 4.0], [1.0f64, 10.0], [f64::NAN; 2]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?;
    /// blas.gemv(1.0, a.t(), VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [31.0, 42.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn gemv<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Coef, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Gemv);
        let d = gemv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::gemv)
    }

    /// y = alpha * A * x + beta * y, A an m x n band matrix: see [`band`](Ref::band) for its storage
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// // [1 2 0; 0 3 4; 0 0 5] by columns: the diagonal and the one above it.
    /// let (a, x, mut y) = ([0.0f64, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0f64; 3], [0.0f64; 3]);
    /// let a = SliceRef::from(&a[..]).band(3, 3, 0, 1, Layout::Col, 2)?;
    /// blas.gbmv(1.0, a, VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [3.0, 7.0, 5.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn gbmv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = BandRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Gbmv);
        let d = gbmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::gbmv)
    }

    /// y = alpha * A * x + beta * y, A symmetric
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, x, mut y) = ([1.0f64, 2.0, 3.0, 4.0], [1.0f64, 10.0], [f64::NAN; 2]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?.sym(Uplo::Lower); // [1 3; 3 4]
    /// blas.symv(1.0, a, VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [31.0, 43.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn symv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = SymRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Symv);
        let d = symv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::symv)
    }

    /// y = alpha * A * x + beta * y, A Hermitian; the same as [`symv`](Self::symv) for real types
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let c = Complex::<f64>::new;
    /// let (a, x, mut y) = ([c(1.0, 0.0), c(0.0, 0.0), c(0.0, 1.0), c(2.0, 0.0)], [c(1.0, 0.0); 2], [c(0.0, 0.0); 2]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?.herm(Uplo::Lower); // [1 -i; i 2]
    /// blas.hemv(1.0, a, VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [c(1.0, -1.0), c(2.0, 1.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn hemv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = HermRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Hemv);
        let d = symv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::hemv } else { RawHandle::symv })
    }

    /// y = alpha * A * x + beta * y, A a symmetric band matrix
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// // [1 2 0; 2 3 4; 0 4 5] by columns of the lower triangle.
    /// let (a, x, mut y) = ([1.0f64, 2.0, 3.0, 4.0, 5.0, 0.0], [1.0f64; 3], [0.0f64; 3]);
    /// let a = SliceRef::from(&a[..]).sym_band(3, 1, Uplo::Lower, Layout::Col, 2)?;
    /// blas.sbmv(1.0, a, VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [3.0, 9.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn sbmv<'a, T: RealField>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = SymBandRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Sbmv);
        let d = sbmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::sbmv)
    }

    /// y = alpha * A * x + beta * y, A a Hermitian band matrix; for real types `sbmv`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let c = Complex::<f64>::new;
    /// let (a, x, mut y) = ([c(1.0, 0.0), c(0.0, 1.0), c(2.0, 0.0), c(0.0, 0.0)], [c(1.0, 0.0); 2], [c(0.0, 0.0); 2]);
    /// let a = SliceRef::from(&a[..]).herm_band(2, 1, Uplo::Lower, Layout::Col, 2)?; // [1 -i; i 2]
    /// blas.hbmv(1.0, a, VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [c(1.0, -1.0), c(2.0, 1.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn hbmv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = HermBandRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Hbmv);
        let d = sbmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::hbmv } else { RawHandle::sbmv })
    }

    /// y = alpha * A * x + beta * y, A a packed symmetric matrix
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, x, mut y) = ([1.0f64, 2.0, 3.0], [1.0f64, 10.0], [0.0f64; 2]);
    /// let a = SliceRef::from(&a[..]).sym_packed(2, Uplo::Lower, Layout::Col)?; // [1 2; 2 3]
    /// blas.spmv(1.0, a, VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [21.0, 32.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn spmv<'a, T: RealField>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = SymPackedRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Spmv);
        let d = spmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::spmv)
    }

    /// y = alpha * A * x + beta * y, A a packed Hermitian matrix; for real types `spmv`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let c = Complex::<f64>::new;
    /// let (a, x, mut y) = ([c(1.0, 0.0), c(0.0, 1.0), c(2.0, 0.0)], [c(1.0, 0.0); 2], [c(0.0, 0.0); 2]);
    /// let a = SliceRef::from(&a[..]).herm_packed(2, Uplo::Lower, Layout::Col)?; // [1 -i; i 2]
    /// blas.hpmv(1.0, a, VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [c(1.0, -1.0), c(2.0, 1.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn hpmv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = HermPackedRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Hpmv);
        let d = spmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::hpmv } else { RawHandle::spmv })
    }

    /// A = alpha * x * yᵀ + A of real types
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, y, mut a) = ([1.0f64, 2.0], [3.0f64, 4.0], [1.0f64; 4]);
    /// let out = MatMut::from_slice(&mut a, 2, 2, Layout::Row)?;
    /// blas.ger(1.0, VecRef::from_slice(&x), VecRef::from_slice(&y), out)?;
    /// assert_eq!(a, [4.0, 5.0, 7.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn ger<'a, T: RealField>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Ger);
        let d = ger::lower(&l, false, alpha.into().operand(), x.operand(), y.operand(), a.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::ger)
    }

    /// A = alpha * x * yᵀ + A; for real types `ger`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let i = Complex::new(0.0f32, 1.0);
    /// let (x, mut a) = ([i], [i]);
    /// let x = VecRef::from_slice(&x);
    /// blas.geru(1.0, x, x, MatMut::from_slice(&mut a, 1, 1, Layout::Col)?)?;
    /// assert_eq!(a, [Complex::new(-1.0, 1.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn geru<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Geru);
        let d = ger::lower(&l, false, alpha.into().operand(), x.operand(), y.operand(), a.operand())
            .map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::geru } else { RawHandle::ger })
    }

    /// A = alpha * x * yᴴ + A; for real types `ger`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let i = Complex::new(0.0f32, 1.0);
    /// let (x, mut a) = ([i], [i]);
    /// let x = VecRef::from_slice(&x);
    /// blas.gerc(1.0, x, x, MatMut::from_slice(&mut a, 1, 1, Layout::Col)?)?;
    /// assert_eq!(a, [Complex::new(1.0, 1.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn gerc<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Gerc);
        let d = ger::lower(&l, true, alpha.into().operand(), x.operand(), y.operand(), a.operand())
            .map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::gerc } else { RawHandle::ger })
    }

    /// A = alpha * x * xᵀ + A, A symmetric
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut a) = ([1.0f64, 2.0], [0.0f64; 4]);
    /// let out = MatMut::from_slice(&mut a, 2, 2, Layout::Row)?.sym(Uplo::Lower);
    /// blas.syr(1.0, VecRef::from_slice(&x), out)?;
    /// assert_eq!(a, [1.0, 0.0, 2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn syr<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Syr);
        let d = syr::lower(&l, alpha.into().operand(), x.operand(), a.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::syr)
    }

    /// A = alpha * x * xᴴ + A, A Hermitian, alpha real; for real types `syr`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut a) = ([Complex::new(3.0f32, 4.0)], [Complex::new(1.0f32, 9.0)]);
    /// let out = MatMut::from_slice(&mut a, 1, 1, Layout::Row)?.herm(Uplo::Lower);
    /// blas.her(1.0, VecRef::from_slice(&x), out)?;
    /// assert_eq!(a, [Complex::new(26.0, 0.0)]); // a diagonal is real
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn her<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T::Real, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Her);
        let d = syr::lower(&l, alpha.into().operand(), x.operand(), a.operand()).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::her } else { RawHandle::syr })
    }

    /// A = alpha * x * xᵀ + A, A packed symmetric
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut a) = ([1.0f64, 2.0], [0.0f64; 3]);
    /// let out = SliceMut::from(&mut a[..]).sym_packed(2, Uplo::Lower, Layout::Col)?;
    /// blas.spr(1.0, VecRef::from_slice(&x), out)?;
    /// assert_eq!(a, [1.0, 2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn spr<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = SymPackedMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Spr);
        let d = spr::lower(&l, alpha.into().operand(), x.operand(), a.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::spr)
    }

    /// A = alpha * x * xᴴ + A, A packed Hermitian, alpha real; for real types `spr`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut a) = ([Complex::new(0.0f32, 1.0), Complex::new(1.0, 0.0)], [Complex::new(0.0f32, 0.0); 3]);
    /// let out = SliceMut::from(&mut a[..]).herm_packed(2, Uplo::Lower, Layout::Col)?;
    /// blas.hpr(1.0, VecRef::from_slice(&x), out)?;
    /// assert_eq!(a, [Complex::new(1.0, 0.0), Complex::new(0.0, -1.0), Complex::new(1.0, 0.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn hpr<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T::Real, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = HermPackedMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Hpr);
        let d = spr::lower(&l, alpha.into().operand(), x.operand(), a.operand()).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::hpr } else { RawHandle::spr })
    }

    /// A = alpha * (x * yᵀ + y * xᵀ) + A, A symmetric
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, y, mut a) = ([1.0f64, 2.0], [3.0f64, 4.0], [0.0f64; 4]);
    /// let out = MatMut::from_slice(&mut a, 2, 2, Layout::Row)?.sym(Uplo::Upper);
    /// blas.syr2(1.0, VecRef::from_slice(&x), VecRef::from_slice(&y), out)?;
    /// assert_eq!(a, [6.0, 10.0, 0.0, 16.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn syr2<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Syr2);
        let d = syr2::lower(&l, alpha.into().operand(), x.operand(), y.operand(), a.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::syr2)
    }

    /// A = alpha * x * yᴴ + conj(alpha) * y * xᴴ + A, A Hermitian; for real types `syr2`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, y) = ([Complex::new(0.0f32, 1.0)], [Complex::new(2.0f32, 0.0)]);
    /// let mut a = [Complex::new(0.0f32, 0.0)];
    /// let out = MatMut::from_slice(&mut a, 1, 1, Layout::Row)?.herm(Uplo::Lower);
    /// blas.her2(Complex::new(0.0, 1.0), VecRef::from_slice(&x), VecRef::from_slice(&y), out)?;
    /// assert_eq!(a, [Complex::new(-4.0, 0.0)]); // i * i * 2 and its conjugate
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn her2<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Her2);
        let d = syr2::lower(&l, alpha.into().operand(), x.operand(), y.operand(), a.operand())
            .map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::her2 } else { RawHandle::syr2 })
    }

    /// A = alpha * (x * yᵀ + y * xᵀ) + A, A packed symmetric
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, y, mut a) = ([1.0f64, 2.0], [3.0f64, 4.0], [0.0f64; 3]);
    /// let out = SliceMut::from(&mut a[..]).sym_packed(2, Uplo::Upper, Layout::Row)?;
    /// blas.spr2(1.0, VecRef::from_slice(&x), VecRef::from_slice(&y), out)?;
    /// assert_eq!(a, [6.0, 10.0, 16.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn spr2<'a, T: RealField>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = SymPackedMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Spr2);
        let d = spr2::lower(&l, alpha.into().operand(), x.operand(), y.operand(), a.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::spr2)
    }

    /// A = alpha * x * yᴴ + conj(alpha) * y * xᴴ + A, A packed Hermitian; for real types `spr2`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, y) = ([Complex::new(0.0f32, 1.0)], [Complex::new(2.0f32, 0.0)]);
    /// let mut a = [Complex::new(0.0f32, 0.0)];
    /// let out = SliceMut::from(&mut a[..]).herm_packed(1, Uplo::Upper, Layout::Row)?;
    /// blas.hpr2(Complex::new(0.0, 1.0), VecRef::from_slice(&x), VecRef::from_slice(&y), out)?;
    /// assert_eq!(a, [Complex::new(-4.0, 0.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn hpr2<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = HermPackedMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Hpr2);
        let d = spr2::lower(&l, alpha.into().operand(), x.operand(), y.operand(), a.operand())
            .map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::hpr2 } else { RawHandle::spr2 })
    }

    /// x = A * x in place, A triangular
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut x) = ([1.0f64, f64::NAN, 3.0, 4.0], [1.0f64, 10.0]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?.lower(Diag::NonUnit); // [1 0; 3 4]
    /// blas.trmv(a, VecMut::from_slice(&mut x))?;
    /// assert_eq!(x, [1.0, 43.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn trmv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d =
            trmv::lower(&h.lowering::<T>(Routine::Trmv), a.operand(), x.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::trmv)
    }

    /// Solves A * x = b in place of b, A triangular. Singularity is not tested: a zero on the diagonal divides.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut x) = ([1.0f64, f64::NAN, 3.0, 4.0], [1.0f64, 43.0]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?.lower(Diag::NonUnit);
    /// blas.trsv(a, VecMut::from_slice(&mut x))?;
    /// assert_eq!(x, [1.0, 10.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn trsv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d =
            trmv::lower(&h.lowering::<T>(Routine::Trsv), a.operand(), x.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::trsv)
    }

    /// x = A * x in place, A a triangular band matrix
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut x) = ([2.0f64, 3.0, 4.0, 0.0], [1.0f64, 10.0]);
    /// let a = SliceRef::from(&a[..]).tri_band(2, 1, Uplo::Lower, Diag::NonUnit, Layout::Col, 2)?; // [2 0; 3 4]
    /// blas.tbmv(a, VecMut::from_slice(&mut x))?;
    /// assert_eq!(x, [2.0, 43.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn tbmv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriBandRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d =
            tbmv::lower(&h.lowering::<T>(Routine::Tbmv), a.operand(), x.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::tbmv)
    }

    /// Solves A * x = b in place of b, A a triangular band matrix. Singularity is not tested: a zero on the diagonal divides.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut x) = ([2.0f64, 3.0, 4.0, 0.0], [2.0f64, 43.0]);
    /// let a = SliceRef::from(&a[..]).tri_band(2, 1, Uplo::Lower, Diag::NonUnit, Layout::Col, 2)?;
    /// blas.tbsv(a, VecMut::from_slice(&mut x))?;
    /// assert_eq!(x, [1.0, 10.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn tbsv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriBandRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d =
            tbmv::lower(&h.lowering::<T>(Routine::Tbsv), a.operand(), x.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::tbsv)
    }

    /// x = A * x in place, A a packed triangular matrix
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut x) = ([2.0f64, 3.0, 4.0], [1.0f64, 10.0]);
    /// let a = SliceRef::from(&a[..]).tri_packed(2, Uplo::Lower, Diag::NonUnit, Layout::Col)?; // [2 0; 3 4]
    /// blas.tpmv(a.t(), VecMut::from_slice(&mut x))?;
    /// assert_eq!(x, [32.0, 40.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn tpmv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriPackedRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d =
            tpmv::lower(&h.lowering::<T>(Routine::Tpmv), a.operand(), x.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::tpmv)
    }

    /// Solves A * x = b in place of b, A a packed triangular matrix. Singularity is not tested: a zero on the diagonal divides.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut x) = ([2.0f64, 3.0, 4.0], [32.0f64, 40.0]);
    /// let a = SliceRef::from(&a[..]).tri_packed(2, Uplo::Lower, Diag::NonUnit, Layout::Col)?;
    /// blas.tpsv(a.t(), VecMut::from_slice(&mut x))?;
    /// assert_eq!(x, [1.0, 10.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn tpsv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriPackedRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d =
            tpmv::lower(&h.lowering::<T>(Routine::Tpsv), a.operand(), x.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::tpsv)
    }
}

impl<B: Backend, H: AsHandle<B> + ?Sized> Level2<B> for H {}
