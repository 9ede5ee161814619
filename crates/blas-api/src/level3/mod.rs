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

use crate::*;

/// Level 3 BLAS on a handle.
///
/// Every matrix may be row- or column-major, in any mix, each may be a batch (see [`Batched`]), and every coefficient
/// is a host value or a device scalar (see [`Coef`]). beta = 0 means that the output is not read, alpha = 0 that the
/// inputs are not.
pub trait Level3<B: Backend>: AsHandle<B> {
    /// C = alpha * A * B + beta * C
    ///
    /// A is m x k, B k x n, C m x n. A and B may be transposed and conjugated views, in any mix of layouts. With k = 0
    /// or alpha = 0, A and B are not read and C becomes beta * C; with beta = 0, C is not read.
    ///
    /// For f16 and bf16, products and sums are formed in f32 and rounded once, and alpha and beta are f32.
    ///
    /// # Errors
    /// [`Error::Shape`] if the sizes do not fit together, [`Error::Strides`] if neither stride of a matrix is 1,
    /// [`Error::BatchCount`], [`Error::WrongDevice`], [`Error::Unsupported`]. Nothing is written then.
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
    fn gemm<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Coef, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d =
            gemm::lower(&h.lowering::<T>(Routine::Gemm), alpha, a.operand(), b.operand(), beta, c.operand())?;
        h.launch(Call::Gemm(&d))
    }

    /// C = alpha * A * B + beta * C with mixed types: see [`GemmEx`].
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
    fn symm<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = SymRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Symm);
        let d = symm::lower(&l, side, alpha, a.operand(), b.operand(), beta, c.operand())?;
        h.launch(Call::Symm(&d))
    }

    /// C = alpha * A * B + beta * C (Left) or alpha * B * A + beta * C (Right), A Hermitian; the same as
    /// [`symm`](Self::symm) for real types
    fn hemm<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = HermRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Hemm);
        let d = symm::lower(&l, side, alpha, a.operand(), b.operand(), beta, c.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Hemm(&d) } else { Call::Symm(&d) })
    }

    /// C = alpha * A * Aᵀ + beta * C, C symmetric
    fn syrk<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let (h, a, c) = (self.as_handle(), a.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d = syrk::lower(&h.lowering::<T>(Routine::Syrk), alpha, a.operand(), beta, c.operand())?;
        h.launch(Call::Syrk(&d))
    }

    /// C = alpha * A * Aᴴ + beta * C, C Hermitian, alpha and beta real; the same as [`syrk`](Self::syrk) for real
    /// types
    fn herk<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T::Real, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Real, B>>,
        c: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let (h, a, c) = (self.as_handle(), a.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d = syrk::lower(&h.lowering::<T>(Routine::Herk), alpha, a.operand(), beta, c.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Herk(&d) } else { Call::Syrk(&d) })
    }

    /// C = alpha * (A * Bᵀ + B * Aᵀ) + beta * C, C symmetric
    fn syr2k<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Syr2k);
        let d = syr2k::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand())?;
        h.launch(Call::Syr2k(&d))
    }

    /// C = alpha * A * Bᴴ + conj(alpha) * B * Aᴴ + beta * C, C Hermitian, beta real; the same as
    /// [`syr2k`](Self::syr2k) for real types
    fn her2k<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Real, B>>,
        c: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Her2k);
        let d = syr2k::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Her2k(&d) } else { Call::Syr2k(&d) })
    }

    /// C = alpha * A * Bᵀ + beta * C, of which one triangle is computed: for products known to be symmetric
    fn syrkx<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        c: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Syrkx);
        let d = syr2k::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand())?;
        h.launch(Call::Syrkx(&d))
    }

    /// C = alpha * A * Bᴴ + beta * C, of which one triangle is computed: for products known to be Hermitian; beta
    /// real; the same as [`syrkx`](Self::syrkx) for real types
    fn herkx<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Real, B>>,
        c: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Herkx);
        let d = syr2k::lower(&l, alpha, a.operand(), b.operand(), beta, c.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Herkx(&d) } else { Call::Syrkx(&d) })
    }

    /// B = alpha * A * B (Left) or alpha * B * A (Right) in place, A triangular
    fn trmm<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = TriRef<'a, T, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b) = (self.as_handle(), a.batched(), b.batched());
        let l = h.lowering::<T>(Routine::Trmm);
        let d = trmm::lower(&l, side, alpha.into().operand(), a.operand(), b.operand(), b.operand())?;
        h.launch(Call::Trmm(&d))
    }

    /// C = alpha * A * B (Left) or alpha * B * A (Right), A triangular
    fn trmm_into<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = TriRef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let l = h.lowering::<T>(Routine::Trmm);
        let d = trmm::lower(&l, side, alpha.into().operand(), a.operand(), b.operand(), c.operand())?;
        h.launch(Call::Trmm(&d))
    }

    /// Solves A * X = alpha * B (Left) or X * A = alpha * B (Right) in place of B, A triangular
    fn trsm<'a, T: Field>(
        &self,
        side: Side,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = TriRef<'a, T, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b) = (self.as_handle(), a.batched(), b.batched());
        let l = h.lowering::<T>(Routine::Trsm);
        let d = trsm::lower(&l, side, alpha.into().operand(), a.operand(), b.operand())?;
        h.launch(Call::Trsm(&d))
    }

    /// A = A⁻¹ in place, A triangular
    fn trtri<'a, T: Field>(&self, a: impl Arg<View = TriMut<'a, T, B>>) -> Result {
        let (h, a) = (self.as_handle(), a.batched());
        let d = trtri::lower(&h.lowering::<T>(Routine::Trtri), a.operand(), a.operand())?;
        h.launch(Call::Trtri(&d))
    }

    /// inv = A⁻¹, A triangular; inv has the triangle of A, and the other one is not written
    fn trtri_into<'a, T: Field>(
        &self,
        a: impl Arg<View = TriRef<'a, T, B>>,
        inv: impl Arg<View = TriMut<'a, T, B>>,
    ) -> Result {
        let (h, a, inv) = (self.as_handle(), a.batched(), inv.batched());
        let d = trtri::lower(&h.lowering::<T>(Routine::Trtri), a.operand(), inv.operand())?;
        h.launch(Call::Trtri(&d))
    }

    /// C = alpha * A + beta * B
    fn geam<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        b: impl Arg<View = MatRef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b, c) = (self.as_handle(), a.batched(), b.batched(), c.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d =
            geam::lower(&h.lowering::<T>(Routine::Geam), alpha, a.operand(), beta, b.operand(), c.operand())?;
        h.launch(Call::Geam(&d))
    }

    /// C = diag(x) * A (Left) or A * diag(x) (Right)
    fn dgmm<'a, T: Field>(
        &self,
        side: Side,
        a: impl Arg<View = MatRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, c) = (self.as_handle(), a.batched(), x.batched(), c.batched());
        let d = dgmm::lower(&h.lowering::<T>(Routine::Dgmm), side, a.operand(), x.operand(), c.operand())?;
        h.launch(Call::Dgmm(&d))
    }
}

impl<B: Backend, H: AsHandle<B> + ?Sized> Level3<B> for H {}
