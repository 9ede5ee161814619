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

use crate::*;

/// Level 2 BLAS on a handle.
///
/// Matrices may be row- or column-major, vectors have any increment but 0, each operand may be a batch (see
/// [`Batched`]), and every coefficient is a host value or a device scalar (see [`Coef`]). beta = 0 means that the output
/// is not read, alpha = 0 that the inputs are not.
pub trait Level2<B: Backend>: AsHandle<B> {
    /// y = alpha * A * x + beta * y
    ///
    /// A is m x n, x has n elements, y has m. If either is 0, y is untouched.
    fn gemv<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        a: impl Arg<View = MatRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Coef, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, y) = (self.as_handle(), a.batched(), x.batched(), y.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Gemv);
        let d = gemv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand())?;
        h.launch(Call::Gemv(&d))
    }

    /// y = alpha * A * x + beta * y, A a band matrix
    fn gbmv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = BandRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, y) = (self.as_handle(), a.batched(), x.batched(), y.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Gbmv);
        let d = gbmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand())?;
        h.launch(Call::Gbmv(&d))
    }

    /// y = alpha * A * x + beta * y, A symmetric
    fn symv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = SymRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, y) = (self.as_handle(), a.batched(), x.batched(), y.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Symv);
        let d = symv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand())?;
        h.launch(Call::Symv(&d))
    }

    /// y = alpha * A * x + beta * y, A Hermitian; the same as [`symv`](Self::symv) for real types
    fn hemv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = HermRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, y) = (self.as_handle(), a.batched(), x.batched(), y.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Hemv);
        let d = symv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Hemv(&d) } else { Call::Symv(&d) })
    }

    /// y = alpha * A * x + beta * y, A a symmetric band matrix
    fn sbmv<'a, T: RealField>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = SymBandRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, y) = (self.as_handle(), a.batched(), x.batched(), y.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Sbmv);
        let d = sbmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand())?;
        h.launch(Call::Sbmv(&d))
    }

    /// y = alpha * A * x + beta * y, A a Hermitian band matrix; for real types `sbmv`
    fn hbmv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = HermBandRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, y) = (self.as_handle(), a.batched(), x.batched(), y.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Hbmv);
        let d = sbmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Hbmv(&d) } else { Call::Sbmv(&d) })
    }

    /// y = alpha * A * x + beta * y, A a packed symmetric matrix
    fn spmv<'a, T: RealField>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = SymPackedRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, y) = (self.as_handle(), a.batched(), x.batched(), y.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Spmv);
        let d = spmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand())?;
        h.launch(Call::Spmv(&d))
    }

    /// y = alpha * A * x + beta * y, A a packed Hermitian matrix; for real types `spmv`
    fn hpmv<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        a: impl Arg<View = HermPackedRef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x, y) = (self.as_handle(), a.batched(), x.batched(), y.batched());
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let l = h.lowering::<T>(Routine::Hpmv);
        let d = spmv::lower(&l, alpha, a.operand(), x.operand(), beta, y.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Hpmv(&d) } else { Call::Spmv(&d) })
    }

    /// A = alpha * x * yᵀ + A of real types
    fn ger<'a, T: RealField>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y, a) = (self.as_handle(), x.batched(), y.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Ger);
        let d = ger::lower(&l, false, alpha.into().operand(), x.operand(), y.operand(), a.operand())?;
        h.launch(Call::Ger(&d))
    }

    /// A = alpha * x * yᵀ + A; for real types `ger`
    fn geru<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y, a) = (self.as_handle(), x.batched(), y.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Geru);
        let d = ger::lower(&l, false, alpha.into().operand(), x.operand(), y.operand(), a.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Geru(&d) } else { Call::Ger(&d) })
    }

    /// A = alpha * x * yᴴ + A; for real types `ger`
    fn gerc<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y, a) = (self.as_handle(), x.batched(), y.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Gerc);
        let d = ger::lower(&l, true, alpha.into().operand(), x.operand(), y.operand(), a.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Gerc(&d) } else { Call::Ger(&d) })
    }

    /// A = alpha * x * xᵀ + A, A symmetric
    fn syr<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let (h, x, a) = (self.as_handle(), x.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Syr);
        let d = syr::lower(&l, alpha.into().operand(), x.operand(), a.operand())?;
        h.launch(Call::Syr(&d))
    }

    /// A = alpha * x * xᴴ + A, A Hermitian, alpha real; for real types `syr`
    fn her<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T::Real, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let (h, x, a) = (self.as_handle(), x.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Her);
        let d = syr::lower(&l, alpha.into().operand(), x.operand(), a.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Her(&d) } else { Call::Syr(&d) })
    }

    /// A = alpha * x * xᵀ + A, A packed symmetric
    fn spr<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = SymPackedMut<'a, T, B>>,
    ) -> Result {
        let (h, x, a) = (self.as_handle(), x.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Spr);
        let d = spr::lower(&l, alpha.into().operand(), x.operand(), a.operand())?;
        h.launch(Call::Spr(&d))
    }

    /// A = alpha * x * xᴴ + A, A packed Hermitian, alpha real; for real types `spr`
    fn hpr<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T::Real, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = HermPackedMut<'a, T, B>>,
    ) -> Result {
        let (h, x, a) = (self.as_handle(), x.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Hpr);
        let d = spr::lower(&l, alpha.into().operand(), x.operand(), a.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Hpr(&d) } else { Call::Spr(&d) })
    }

    /// A = alpha * (x * yᵀ + y * xᵀ) + A, A symmetric
    fn syr2<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = SymMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y, a) = (self.as_handle(), x.batched(), y.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Syr2);
        let d = syr2::lower(&l, alpha.into().operand(), x.operand(), y.operand(), a.operand())?;
        h.launch(Call::Syr2(&d))
    }

    /// A = alpha * x * yᴴ + conj(alpha) * y * xᴴ + A, A Hermitian; for real types `syr2`
    fn her2<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = HermMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y, a) = (self.as_handle(), x.batched(), y.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Her2);
        let d = syr2::lower(&l, alpha.into().operand(), x.operand(), y.operand(), a.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Her2(&d) } else { Call::Syr2(&d) })
    }

    /// A = alpha * (x * yᵀ + y * xᵀ) + A, A packed symmetric
    fn spr2<'a, T: RealField>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = SymPackedMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y, a) = (self.as_handle(), x.batched(), y.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Spr2);
        let d = spr2::lower(&l, alpha.into().operand(), x.operand(), y.operand(), a.operand())?;
        h.launch(Call::Spr2(&d))
    }

    /// A = alpha * x * yᴴ + conj(alpha) * y * xᴴ + A, A packed Hermitian; for real types `spr2`
    fn hpr2<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        a: impl Arg<View = HermPackedMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y, a) = (self.as_handle(), x.batched(), y.batched(), a.batched());
        let l = h.lowering::<T>(Routine::Hpr2);
        let d = spr2::lower(&l, alpha.into().operand(), x.operand(), y.operand(), a.operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Hpr2(&d) } else { Call::Spr2(&d) })
    }

    /// x = A * x in place, A triangular
    fn trmv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x) = (self.as_handle(), a.batched(), x.batched());
        let d = trmv::lower(&h.lowering::<T>(Routine::Trmv), a.operand(), x.operand())?;
        h.launch(Call::Trmv(&d))
    }

    /// Solves A * x = b in place of b, A triangular. Singularity is not tested: a zero on the diagonal divides.
    fn trsv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x) = (self.as_handle(), a.batched(), x.batched());
        let d = trmv::lower(&h.lowering::<T>(Routine::Trsv), a.operand(), x.operand())?;
        h.launch(Call::Trsv(&d))
    }

    /// x = A * x in place, A a triangular band matrix
    fn tbmv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriBandRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x) = (self.as_handle(), a.batched(), x.batched());
        let d = tbmv::lower(&h.lowering::<T>(Routine::Tbmv), a.operand(), x.operand())?;
        h.launch(Call::Tbmv(&d))
    }

    /// Solves A * x = b in place of b, A a triangular band matrix. Singularity is not tested: a zero on the diagonal divides.
    fn tbsv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriBandRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x) = (self.as_handle(), a.batched(), x.batched());
        let d = tbmv::lower(&h.lowering::<T>(Routine::Tbsv), a.operand(), x.operand())?;
        h.launch(Call::Tbsv(&d))
    }

    /// x = A * x in place, A a packed triangular matrix
    fn tpmv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriPackedRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x) = (self.as_handle(), a.batched(), x.batched());
        let d = tpmv::lower(&h.lowering::<T>(Routine::Tpmv), a.operand(), x.operand())?;
        h.launch(Call::Tpmv(&d))
    }

    /// Solves A * x = b in place of b, A a packed triangular matrix. Singularity is not tested: a zero on the diagonal divides.
    fn tpsv<'a, T: Field>(
        &self,
        a: impl Arg<View = TriPackedRef<'a, T, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, x) = (self.as_handle(), a.batched(), x.batched());
        let d = tpmv::lower(&h.lowering::<T>(Routine::Tpsv), a.operand(), x.operand())?;
        h.launch(Call::Tpsv(&d))
    }
}

impl<B: Backend, H: AsHandle<B> + ?Sized> Level2<B> for H {}
