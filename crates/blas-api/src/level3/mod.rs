//! Level 3: matrix-matrix operations, and the BLAS-like ones that hipBLAS and cuBLAS add.

mod dgmm;
mod geam;
mod gemm;
mod gemm_ex;
mod symm;
mod syr2k;
mod syrk;
mod trmm;
mod trsm;
mod trtri;

pub use gemm_ex::{GemmEx, GemmExTypes};

use crate::lower::Refused;
use crate::*;

/// Level 3 BLAS on a handle.
///
/// Every matrix may be row- or column-major, in any mix, each may be a batch (see [`Batched`]), and every coefficient
/// is a host value or a device scalar (see [`Coef`]). beta = 0 means that the output is not read, alpha = 0 that the
/// inputs are not. 0 * NaN and 0 * infinity inside the inputs do count.
///
/// C is m x n, and symmetric, Hermitian or triangular matrices are square. Of those, only the triangle that the view names
/// is read or written, not the diagonal of a unit triangle, and not the imaginary part of a Hermitian diagonal, which is
/// written as 0. With m = 0, n = 0 or an empty batch, nothing is touched; with an empty inner dimension, C becomes
/// beta * C.
///
/// # Errors
/// [`Error::Shape`] if the sizes do not fit together, [`Error::Strides`] if neither stride of a matrix is 1,
/// [`Error::BatchCount`], [`Error::WrongDevice`], [`Error::Unsupported`]. Nothing is launched or written then.
pub trait Level3<B: Backend>: AsHandle<B> {
    /// C = alpha * A * B + beta * C
    ///
    /// A is m x k, B k x n, C m x n. A and B may be transposed and conjugated views, in any mix of layouts. With k = 0
    /// or alpha = 0, A and B are not read and C becomes beta * C; with beta = 0, C is not read.
    ///
    /// For f16 and bf16, products and sums are formed in f32 and rounded once, and alpha and beta are f32.
    ///
    /// ```
    /// # use blas_api::{Layout, Level3, MatMut, MatRef};
    /// # use blas_cpu::Cpu;
    /// let blas = Cpu::handle();
    /// let (a, b, mut c) = ([1.0f32, 2.0, 3.0, 4.0], [1.0f32, 0.0, 0.0, 1.0], [f32::NAN; 4]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?;
    /// let b = MatRef::from_slice(&b, 2, 2, Layout::Row)?;
    /// blas.gemm(1.0, a, b.t(), 0.0, MatMut::from_slice(&mut c, 2, 2, Layout::Col)?)?;
    /// assert_eq!(c, [1.0, 3.0, 2.0, 4.0]);
    /// # Ok::<(), blas_api::Error>(())
    /// ```
    #[inline]
    fn gemm<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Coef, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Gemm);
        let d = gemm::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::gemm)
    }

    /// C = alpha * A * B + beta * C with mixed types: see [`GemmEx`].
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, b, mut c) = ([100i8, 100], [100i8, 100], [0i32]);
    /// let (a, b) = (MatRef::from_slice(&a, 1, 2, Layout::Row)?, MatRef::from_slice(&b, 2, 1, Layout::Row)?);
    /// blas.gemm_ex(a, b, MatMut::from_slice(&mut c, 1, 1, Layout::Row)?).alpha(2).run()?;
    /// assert_eq!(c, [40_000]);
    /// # Ok::<(), Error>(())
    /// ```
    fn gemm_ex<'a, A: Element, C: Element>(
        &self,
        a: impl Arg<View = MatRef<'a, A, B>>,
        b: impl Arg<View = MatRef<'a, A, B>>,
        c: impl Arg<View = MatMut<'a, C, B>>,
    ) -> GemmEx<'_, 'a, A, C, B>
    where
        (A, C): GemmExTypes,
    {
        GemmEx::new(self.as_handle(), a.batched(), b.batched(), c.batched())
    }

    /// C = alpha * A * B + beta * C (Left) or alpha * B * A + beta * C (Right), A symmetric
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, b, mut c) = ([1.0f64, 2.0, 3.0, 4.0], [1.0f64, 0.0, 0.0, 10.0], [f64::NAN; 4]);
    /// let (a, b) = (MatRef::from_slice(&a, 2, 2, Layout::Row)?, MatRef::from_slice(&b, 2, 2, Layout::Row)?);
    /// let out = MatMut::from_slice(&mut c, 2, 2, Layout::Row)?;
    /// blas.symm(Side::Left, 1.0, a.sym(Uplo::Lower), b, 0.0, out)?; // [1 3; 3 4]
    /// assert_eq!(c, [1.0, 30.0, 3.0, 40.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn symm<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = SymRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Symm);
        let d = symm::lower(&l, side, alpha, a.operand(), b.operand(), beta, c.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::symm)
    }

    /// C = alpha * A * B + beta * C (Left) or alpha * B * A + beta * C (Right), A Hermitian; the same as
    /// [`symm`](Self::symm) for real types
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let c = Complex::<f64>::new;
    /// let (a, b, mut out) = ([c(1.0, 0.0), c(0.0, 0.0), c(0.0, 1.0), c(2.0, 0.0)], [c(1.0, 0.0); 2], [c(0.0, 0.0); 2]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?.herm(Uplo::Lower); // [1 -i; i 2]
    /// let b = MatRef::from_slice(&b, 2, 1, Layout::Col)?;
    /// blas.hemm(Side::Left, 1.0, a, b, 0.0, MatMut::from_slice(&mut out, 2, 1, Layout::Col)?)?;
    /// assert_eq!(out, [c(1.0, -1.0), c(2.0, 1.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn hemm<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = HermRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Hemm);
        let d = symm::lower(&l, side, alpha, a.operand(), b.operand(), beta, c.operand())
            .map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::hemm } else { RawHandle::symm })
    }

    /// C = alpha * A * Aᵀ + beta * C, A n x k, C symmetric; for Aᵀ * A pass `a.t()`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut c) = ([1.0f64, 2.0], [f64::NAN; 4]);
    /// let a = MatRef::from_slice(&a, 2, 1, Layout::Col)?;
    /// blas.syrk(1.0, a, 0.0, MatMut::from_slice(&mut c, 2, 2, Layout::Row)?.sym(Uplo::Lower))?;
    /// assert_eq!((c[0], c[2], c[3]), (1.0, 2.0, 4.0));
    /// assert!(c[1].is_nan()); // the other triangle is left alone
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn syrk<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d = syrk::lower(&h.lowering::<T>(Routine::Syrk), alpha, a.operand(), beta, c.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::syrk)
    }

    /// C = alpha * A * Aᴴ + beta * C, A n x k, C Hermitian, alpha and beta real; the same as [`syrk`](Self::syrk) for
    /// real types; for Aᴴ * A pass `a.h()`
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let i = Complex::new(0.0f64, 1.0);
    /// let (a, mut c) = ([i], [Complex::new(1.0, 7.0)]);
    /// let a = MatRef::from_slice(&a, 1, 1, Layout::Col)?;
    /// let out = MatMut::from_slice(&mut c, 1, 1, Layout::Col)?.herm(Uplo::Lower);
    /// blas.herk(2.0, a, 1.0, out)?;
    /// assert_eq!(c, [Complex::new(3.0, 0.0)]); // the diagonal becomes real
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn herk<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T::Real, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Real, B>>,
        c: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d = syrk::lower(&h.lowering::<T>(Routine::Herk), alpha, a.operand(), beta, c.operand())
            .map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::herk } else { RawHandle::syrk })
    }

    /// C = alpha * (A * Bᵀ + B * Aᵀ) + beta * C, A and B n x k, C symmetric
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, b, mut c) = ([1.0f64, 2.0], [3.0f64, 4.0], [0.0f64; 4]);
    /// let (a, b) = (MatRef::from_slice(&a, 2, 1, Layout::Col)?, MatRef::from_slice(&b, 2, 1, Layout::Col)?);
    /// let out = MatMut::from_slice(&mut c, 2, 2, Layout::Row)?.sym(Uplo::Lower);
    /// blas.syr2k(1.0, a, b, 0.0, out)?;
    /// assert_eq!(c, [6.0, 0.0, 10.0, 16.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn syr2k<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Syr2k);
        let d = syr2k::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::syr2k)
    }

    /// C = alpha * A * Bᴴ + conj(alpha) * B * Aᴴ + beta * C, C Hermitian, beta real; the same as
    /// [`syr2k`](Self::syr2k) for real types
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let i = Complex::new(0.0f64, 1.0);
    /// let (a, mut c) = ([i], [Complex::new(1.0, 7.0)]);
    /// let a = MatRef::from_slice(&a, 1, 1, Layout::Col)?;
    /// let out = MatMut::from_slice(&mut c, 1, 1, Layout::Col)?.herm(Uplo::Lower);
    /// blas.her2k(i, a, a, 1.0, out)?; // i + conj(i) = 0
    /// assert_eq!(c, [Complex::new(1.0, 0.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn her2k<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Real, B>>,
        c: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Her2k);
        let d = syr2k::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand()).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::her2k } else { RawHandle::syr2k })
    }

    /// C = alpha * A * Bᵀ + beta * C, of which one triangle is computed: for products known to be symmetric
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, b, mut c) = ([1.0f64, 2.0], [3.0f64, 4.0], [0.0f64; 4]);
    /// let (a, b) = (MatRef::from_slice(&a, 2, 1, Layout::Col)?, MatRef::from_slice(&b, 2, 1, Layout::Col)?);
    /// let out = MatMut::from_slice(&mut c, 2, 2, Layout::Row)?.sym(Uplo::Lower);
    /// blas.syrkx(1.0, a, b, 0.0, out)?;
    /// assert_eq!(c, [3.0, 0.0, 6.0, 8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn syrkx<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Syrkx);
        let d = syr2k::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::syrkx)
    }

    /// C = alpha * A * Bᴴ + beta * C, of which one triangle is computed: for products known to be Hermitian; beta
    /// real; the same as [`syrkx`](Self::syrkx) for real types
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let i = Complex::new(0.0f64, 1.0);
    /// let (a, mut c) = ([i], [Complex::new(1.0, 7.0)]);
    /// let a = MatRef::from_slice(&a, 1, 1, Layout::Col)?;
    /// let out = MatMut::from_slice(&mut c, 1, 1, Layout::Col)?.herm(Uplo::Lower);
    /// blas.herkx(2.0, a, a, 1.0, out)?;
    /// assert_eq!(c, [Complex::new(3.0, 0.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn herkx<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Real, B>>,
        c: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Herkx);
        let d = syr2k::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand()).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::herkx } else { RawHandle::syrkx })
    }

    /// B = alpha * A * B (Left) or alpha * B * A (Right) in place, A triangular
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut b) = ([1.0f64, f64::NAN, 3.0, 4.0], [1.0f64, 10.0]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?.lower(Diag::NonUnit); // [1 0; 3 4]
    /// blas.trmm(Side::Left, 1.0, a, MatMut::from_slice(&mut b, 2, 1, Layout::Col)?)?;
    /// assert_eq!(b, [1.0, 43.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn trmm<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = TriRef<'a, T, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Trmm);
        let d = trmm::lower(&l, side, alpha.into().operand(), a.operand(), b.operand(), b.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::trmm)
    }

    /// C = alpha * A * B (Left) or alpha * B * A (Right), A triangular
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, b, mut c) = ([1.0f64, 2.0, 3.0, 4.0], [1.0f64, 0.0, 0.0, 10.0], [f64::NAN; 4]);
    /// let (a, b) = (MatRef::from_slice(&a, 2, 2, Layout::Row)?, MatRef::from_slice(&b, 2, 2, Layout::Row)?);
    /// let out = MatMut::from_slice(&mut c, 2, 2, Layout::Row)?;
    /// blas.trmm_into(Side::Right, 1.0, a.upper(Diag::Unit), b, out)?; // B * [1 2; 0 1]
    /// assert_eq!(c, [1.0, 2.0, 0.0, 10.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn trmm_into<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = TriRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Trmm);
        let d = trmm::lower(&l, side, alpha.into().operand(), a.operand(), b.operand(), c.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::trmm)
    }

    /// Solves A * X = alpha * B (Left) or X * A = alpha * B (Right) in place of B, A triangular. Singularity is not
    /// tested: a zero on the diagonal divides.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut b) = ([1.0f64, f64::NAN, 3.0, 4.0], [1.0f64, 43.0]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?.lower(Diag::NonUnit);
    /// blas.trsm(Side::Left, 1.0, a, MatMut::from_slice(&mut b, 2, 1, Layout::Col)?)?;
    /// assert_eq!(b, [1.0, 10.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn trsm<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = TriRef<'a, T, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Trsm);
        let d =
            trsm::lower(&l, side, alpha.into().operand(), a.operand(), b.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::trsm)
    }

    /// A = A⁻¹ in place, A triangular. Singularity is not tested: a zero on the diagonal divides.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let mut a = [2.0f64, 9.0, 1.0, 4.0];
    /// blas.trtri(MatMut::from_slice(&mut a, 2, 2, Layout::Row)?.lower(Diag::NonUnit))?;
    /// assert_eq!(a, [0.5, 9.0, -0.125, 0.25]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn trtri<'a, T: Field>(&self, a: impl Arg<View = TriMut<'a, T, B>>) -> Result {
        let h = self.as_handle();
        let d =
            trtri::lower(&h.lowering::<T>(Routine::Trtri), a.operand(), a.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::trtri)
    }

    /// inv = A⁻¹, A triangular; inv has the triangle of A, and the other one is not written
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, mut inv) = ([2.0f64, 9.0, 1.0, 4.0], [0.0f64; 4]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?.lower(Diag::NonUnit);
    /// blas.trtri_into(a, MatMut::from_slice(&mut inv, 2, 2, Layout::Row)?.lower(Diag::NonUnit))?;
    /// assert_eq!(inv, [0.5, 0.0, -0.125, 0.25]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn trtri_into<'a, T: Field>(
        &self,
        a: impl Arg<View = TriRef<'a, T, B>>,
        inv: impl Arg<View = TriMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d = trtri::lower(&h.lowering::<T>(Routine::Trtri), a.operand(), inv.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::trtri)
    }

    /// C = alpha * A + beta * B. alpha = 0 means that A is not read, beta = 0 that B is not.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, b, mut c) = ([1.0f64, 2.0, 3.0, 4.0], [1.0f64, 0.0, 0.0, 10.0], [f64::NAN; 4]);
    /// let (a, b) = (MatRef::from_slice(&a, 2, 2, Layout::Row)?, MatRef::from_slice(&b, 2, 2, Layout::Row)?);
    /// let out = MatMut::from_slice(&mut c, 2, 2, Layout::Row)?;
    /// blas.geam(1.0, a.t(), 2.0, b, out)?;
    /// assert_eq!(c, [3.0, 3.0, 2.0, 24.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn geam<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d =
            geam::lower(&h.lowering::<T>(Routine::Geam), alpha, a.operand(), beta, b.operand(), c.operand())
                .map_err(Refused::why)?;
        h.launch(&d, RawHandle::geam)
    }

    /// C = diag(x) * A (Left) or A * diag(x) (Right): scales the rows or the columns of A
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (a, x, mut c) = ([1.0f64, 2.0, 3.0, 4.0], [1.0f64, 10.0], [0.0f64; 4]);
    /// let a = MatRef::from_slice(&a, 2, 2, Layout::Row)?;
    /// blas.dgmm(Side::Right, a, VecRef::from_slice(&x), MatMut::from_slice(&mut c, 2, 2, Layout::Row)?)?;
    /// assert_eq!(c, [1.0, 20.0, 3.0, 40.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn dgmm<'a, T: Field>(
        &self,
        side: Side,
        a: impl Arg<View = MatRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d = dgmm::lower(&h.lowering::<T>(Routine::Dgmm), side, a.operand(), x.operand(), c.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::dgmm)
    }
}

impl<B: Backend, H: AsHandle<B> + ?Sized> Level3<B> for H {}
