//! Level 1: vector-vector operations.

mod axpby;
mod axpy;
mod copy;
mod dot;
mod reduce;
mod rot;
mod rotg;
mod rotm;
mod rotmg;
mod scal;
mod swap;

use crate::*;

/// Level 1 BLAS on a handle.
///
/// Vectors have any non-zero increment; inputs may have increment 0 too (one element, repeated). Each operand may be a
/// batch (see [`Batched`]). Reductions come in two forms: the plain one returns a host value and waits; `_into` writes
/// one result a batch entry, to the host or to the device (see [`Out`]), and waits only for the host.
pub trait Level1<B: Backend>: AsHandle<B> {
    /// x <-> y
    fn swap<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecMut<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let d = swap::lower(&h.lowering::<T>(Routine::Swap), x.operand(), y.operand())?;
        h.launch(Call::Swap(&d))
    }

    /// x = alpha * x
    ///
    /// alpha = 0 multiplies too: NaN and infinity in x become NaN.
    fn scal<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, x) = (self.as_handle(), x.batched());
        let l = h.lowering::<T>(Routine::Scal);
        let d = scal::lower(&l, false, alpha.into().operand(), x.operand())?;
        h.launch(Call::Scal(&d))
    }

    /// x = alpha * x with a real alpha (csscal, zdscal): real and imaginary parts are scaled separately, so that
    /// 2 * (inf + i) is inf + 2i
    fn scal_real<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T::Real, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, x) = (self.as_handle(), x.batched());
        let l = h.lowering::<T>(Routine::Scal);
        let d = scal::lower(&l, true, alpha.into().operand(), x.operand())?;
        h.launch(Call::Scal(&d))
    }

    /// y = x
    fn copy<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let d = copy::lower(&h.lowering::<T>(Routine::Copy), x.operand(), y.operand())?;
        h.launch(Call::Copy(&d))
    }

    /// y = alpha * x + y
    ///
    /// With alpha = 0, x is not read and y is untouched.
    fn axpy<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let l = h.lowering::<T>(Routine::Axpy);
        let d = axpy::lower(&l, alpha.into().operand(), x.operand(), y.operand())?;
        h.launch(Call::Axpy(&d))
    }

    /// y = alpha * x + beta * y
    ///
    /// With alpha = 0, x is not read; with beta = 0, y is not read. (An extension; the reference of LAPACK 3.12.1
    /// multiplies instead.)
    fn axpby<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Coef, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let l = h.lowering::<T>(Routine::Axpby);
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d = axpby::lower(&l, alpha, x.operand(), beta, y.operand())?;
        h.launch(Call::Axpby(&d))
    }

    /// Sum of x_i * y_i, not conjugated (sdot, ddot, cdotu, zdotu); f16 and bf16 accumulate in f32
    fn dot<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
    ) -> Result<T> {
        let (x, y, mut out) = (x.batched(), y.batched(), T::default());
        self.dot_into(x, y, &mut out)?;
        Ok(out)
    }

    /// As [`dot`](Self::dot), one result a batch entry
    fn dot_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, T, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let l = h.lowering::<T>(Routine::Dot);
        let d = dot::lower(&l, x.operand(), y.operand(), out.into().operand())?;
        h.launch(Call::Dot(&d))
    }

    /// Sum of conj(x_i) * y_i; the same as [`dot`](Self::dot) for real types
    fn dotc<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
    ) -> Result<T> {
        let (x, y, mut out) = (x.batched(), y.batched(), T::default());
        self.dotc_into(x, y, &mut out)?;
        Ok(out)
    }

    /// As [`dotc`](Self::dotc), one result a batch entry
    fn dotc_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, T, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let l = h.lowering::<T>(Routine::Dotc);
        let d = dot::lower(&l, x.operand(), y.operand(), out.into().operand())?;
        h.launch(if T::DTYPE.is_complex() { Call::Dotc(&d) } else { Call::Dot(&d) })
    }

    /// Sum of x_i * y_i of f32 vectors, formed and returned in f64
    fn dsdot<'a>(
        &self,
        x: impl Arg<View = VecRef<'a, f32, B>>,
        y: impl Arg<View = VecRef<'a, f32, B>>,
    ) -> Result<f64> {
        let (x, y, mut out) = (x.batched(), y.batched(), 0.0);
        self.dsdot_into(x, y, &mut out)?;
        Ok(out)
    }

    /// As [`dsdot`](Self::dsdot), one result a batch entry
    fn dsdot_into<'a>(
        &self,
        x: impl Arg<View = VecRef<'a, f32, B>>,
        y: impl Arg<View = VecRef<'a, f32, B>>,
        out: impl Into<Out<'a, f64, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let l = h.lowering::<f32>(Routine::Dsdot);
        let d = dot::lower(&l, x.operand(), y.operand(), out.into().operand())?;
        h.launch(Call::Dsdot(&d))
    }

    /// Euclidean norm, without overflow or underflow where the result is representable. Any NaN gives NaN, else any
    /// infinity gives infinity.
    fn nrm2<'a, T: Scalar>(&self, x: impl Arg<View = VecRef<'a, T, B>>) -> Result<T::Real> {
        let (x, mut out) = (x.batched(), T::Real::default());
        self.nrm2_into(x, &mut out)?;
        Ok(out)
    }

    /// As [`nrm2`](Self::nrm2), one result a batch entry
    fn nrm2_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, T::Real, B>>,
    ) -> Result {
        let (h, x) = (self.as_handle(), x.batched());
        let d = reduce::lower(&h.lowering::<T>(Routine::Nrm2), x.operand(), out.into().operand())?;
        h.launch(Call::Nrm2(&d))
    }

    /// Sum of abs(re x_i) + abs(im x_i)
    fn asum<'a, T: Scalar>(&self, x: impl Arg<View = VecRef<'a, T, B>>) -> Result<T::Real> {
        let (x, mut out) = (x.batched(), T::Real::default());
        self.asum_into(x, &mut out)?;
        Ok(out)
    }

    /// As [`asum`](Self::asum), one result a batch entry
    fn asum_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, T::Real, B>>,
    ) -> Result {
        let (h, x) = (self.as_handle(), x.batched());
        let d = reduce::lower(&h.lowering::<T>(Routine::Asum), x.operand(), out.into().operand())?;
        h.launch(Call::Asum(&d))
    }

    /// Index, from 0, of the first NaN if there is one, else of the first largest abs(re x_i) + abs(im x_i); None if x is
    /// empty
    fn iamax<'a, T: Scalar>(&self, x: impl Arg<View = VecRef<'a, T, B>>) -> Result<Option<usize>> {
        let (x, mut out) = (x.batched(), 0i64);
        self.iamax_into(x, &mut out)?;
        Ok(usize::try_from(out).ok().and_then(|i| i.checked_sub(1)))
    }

    /// As [`iamax`](Self::iamax), one result a batch entry, counted from 1 as BLAS does; 0 if x is empty
    fn iamax_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, i64, B>>,
    ) -> Result {
        let (h, x) = (self.as_handle(), x.batched());
        let d = reduce::lower(&h.lowering::<T>(Routine::Iamax), x.operand(), out.into().operand())?;
        h.launch(Call::Iamax(&d))
    }

    /// Index, from 0, of the first NaN if there is one, else of the first smallest abs(re x_i) + abs(im x_i); None if x is
    /// empty
    fn iamin<'a, T: Scalar>(&self, x: impl Arg<View = VecRef<'a, T, B>>) -> Result<Option<usize>> {
        let (x, mut out) = (x.batched(), 0i64);
        self.iamin_into(x, &mut out)?;
        Ok(usize::try_from(out).ok().and_then(|i| i.checked_sub(1)))
    }

    /// As [`iamin`](Self::iamin), one result a batch entry, counted from 1 as BLAS does; 0 if x is empty
    fn iamin_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, i64, B>>,
    ) -> Result {
        let (h, x) = (self.as_handle(), x.batched());
        let d = reduce::lower(&h.lowering::<T>(Routine::Iamin), x.operand(), out.into().operand())?;
        h.launch(Call::Iamin(&d))
    }

    /// (x, y) = (c x + s y, c y - conj(s) x)
    fn rot<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecMut<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
        c: impl Into<Coef<'a, <T::Coef as Scalar>::Real, B>>,
        s: impl Into<Coef<'a, T::Coef, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let (c, s) = (c.into().operand(), s.into().operand());
        let d = rot::lower(&h.lowering::<T>(Routine::Rot), false, x.operand(), y.operand(), c, s)?;
        h.launch(Call::Rot(&d))
    }

    /// (x, y) = (c x + s y, c y - s x) with a real s (csrot, zdrot)
    fn rot_real<'a, T: Field>(
        &self,
        x: impl Arg<View = VecMut<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
        c: impl Into<Coef<'a, T::Real, B>>,
        s: impl Into<Coef<'a, T::Real, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let (c, s) = (c.into().operand(), s.into().operand());
        let d = rot::lower(&h.lowering::<T>(Routine::Rot), true, x.operand(), y.operand(), c, s)?;
        h.launch(Call::Rot(&d))
    }

    /// Generates a plane rotation that takes (a, b) to (r, 0): a is overwritten by r, b by z (of which c and s can be
    /// found again; real types only, complex b is left), c and s are set. One problem an element of `a`; all four have the
    /// same length and place.
    ///
    /// By the scaled algorithm of LAPACK 3.10: no overflow where r is representable; r takes the sign of the operand larger
    /// in size. Complex a = 0 gives c = 0, s = conj(b) / abs(b), r = abs(b).
    fn rotg<'a, T: Field>(
        &self,
        a: impl Into<Out<'a, T, B>>,
        b: impl Into<Out<'a, T, B>>,
        c: impl Into<Out<'a, T::Real, B>>,
        s: impl Into<Out<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (mut a, mut b, mut c, mut s) = (a.into(), b.into(), c.into(), s.into());
        let l = h.lowering::<T>(Routine::Rotg);
        let d = rotg::lower(&l, a.operand(), b.operand(), c.operand(), s.operand())?;
        h.launch(Call::Rotg(&d))
    }

    /// Applies the modified rotation of [`rotmg`](Self::rotmg): (x, y) = (h11 x + h12 y, h21 x + h22 y)
    fn rotm<'a, T: RealField>(
        &self,
        x: impl Arg<View = VecMut<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
        param: impl Into<RotmParam<'a, T, B>>,
    ) -> Result {
        let (h, x, y) = (self.as_handle(), x.batched(), y.batched());
        let param = param.into();
        let d = rotm::lower(&h.lowering::<T>(Routine::Rotm), x.operand(), y.operand(), param.operand())?;
        h.launch(Call::Rotm(&d))
    }

    /// Generates a modified rotation H whose second component of H * (sqrt(d1) x1, sqrt(d2) y1) is 0. d1, d2 and x1 are
    /// overwritten, y1 is read; five values of `param` are written an entry (see [`RotmParam`]). All have the same place.
    fn rotmg<'a, T: RealField>(
        &self,
        d1: impl Into<Out<'a, T, B>>,
        d2: impl Into<Out<'a, T, B>>,
        x1: impl Into<Out<'a, T, B>>,
        y1: impl Into<Out<'a, T, B>>,
        param: impl Into<Out<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (mut d1, mut d2, mut x1) = (d1.into(), d2.into(), x1.into());
        let (mut y1, mut param) = (y1.into(), param.into());
        let l = h.lowering::<T>(Routine::Rotmg);
        let d = rotmg::lower(&l, d1.operand(), d2.operand(), x1.operand(), y1.operand(), param.operand())?;
        h.launch(Call::Rotmg(&d))
    }
}

impl<B: Backend, H: AsHandle<B> + ?Sized> Level1<B> for H {}
