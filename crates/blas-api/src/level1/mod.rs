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

use crate::coef::OutOperand;
use crate::lower::Refused;
use crate::*;

/// Level 1 BLAS on a handle.
///
/// Vectors have any non-zero increment; inputs may have increment 0 too (one element, repeated). Each operand may be a
/// batch (see [`Batched`]). Reductions come in two forms: the plain one returns a host value and waits; `_into` writes
/// one result a batch entry, to the host or to the device (see [`Out`]), and waits only for the host.
///
/// Names, operands and their order are those of the reference BLAS. With no elements or an empty batch, nothing is
/// touched; sums of nothing are 0.
///
/// # Errors
/// [`Error::Shape`] if lengths differ, [`Error::BatchCount`] if batch counts do (the plain form of a reduction takes one
/// entry), [`Error::Increment`] for results that are not contiguous, [`Error::WrongDevice`],
/// [`Error::Unsupported`]. Nothing is launched or written then. Overlapping or too short storage is found when the view is
/// made.
pub trait Level1<B: Backend>: AsHandle<B> {
    /// x <-> y
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut x, mut y) = ([1.0f32, 2.0], [3.0f32, 4.0]);
    /// blas.swap(VecMut::from_slice(&mut x), VecMut::from_slice(&mut y))?;
    /// assert_eq!((x, y), ([3.0, 4.0], [1.0, 2.0]));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn swap<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecMut<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d =
            swap::lower(&h.lowering::<T>(Routine::Swap), x.operand(), y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::swap)
    }

    /// x = alpha * x
    ///
    /// alpha = 0 multiplies too: NaN and infinity in x become NaN.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let mut x = [1.0f64, 2.0, 3.0, 4.0];
    /// blas.scal(10.0, SliceMut::from(&mut x[..]).vec(2, 3)?)?; // the first and the last
    /// assert_eq!(x, [10.0, 2.0, 3.0, 40.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn scal<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Scal);
        let d = scal::lower(&l, false, alpha.into().operand(), x.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::scal)
    }

    /// x = alpha * x with a real alpha (csscal, zdscal): real and imaginary parts are scaled separately, so that
    /// 2 * (inf + i) is inf + 2i
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let mut x = [Complex::new(f32::INFINITY, 1.0)];
    /// blas.scal_real(2.0, VecMut::from_slice(&mut x))?;
    /// assert_eq!(x, [Complex::new(f32::INFINITY, 2.0)]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn scal_real<'a, T: Field>(
        &self,
        alpha: impl Into<Coef<'a, T::Real, B>>,
        x: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Scal);
        let d = scal::lower(&l, true, alpha.into().operand(), x.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::scal)
    }

    /// y = x
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut y) = ([1.0f32, 2.0, 3.0], [0.0f32; 3]);
    /// blas.copy(SliceRef::from(&x[..]).vec(3, -1)?, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [3.0, 2.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn copy<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d =
            copy::lower(&h.lowering::<T>(Routine::Copy), x.operand(), y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::copy)
    }

    /// y = alpha * x + y; f16 and bf16 are computed in f32 and rounded once
    ///
    /// With alpha = 0, x is not read and y is untouched.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut y) = ([1.0f32, 2.0], [10.0f32, 20.0]);
    /// blas.axpy(3.0, VecRef::from_slice(&x), VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [13.0, 26.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn axpy<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Axpy);
        let d = axpy::lower(&l, alpha.into().operand(), x.operand(), y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::axpy)
    }

    /// y = alpha * x + beta * y
    ///
    /// With alpha = 0, x is not read; with beta = 0, y is not read. (An extension; the reference of LAPACK 3.12.1
    /// multiplies instead.)
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut y) = ([1.0f32, 2.0], [f32::NAN; 2]);
    /// blas.axpby(3.0, VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    /// assert_eq!(y, [3.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn axpby<'a, T: Scalar>(
        &self,
        alpha: impl Into<Coef<'a, T::Coef, B>>,
        x: impl Arg<View = VecRef<'a, T, B>>,
        beta: impl Into<Coef<'a, T::Coef, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Axpby);
        let (alpha, beta) = (alpha.into().operand(), beta.into().operand());
        let d = axpby::lower(&l, alpha, x.operand(), beta, y.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::axpby)
    }

    /// Sum of x_i * y_i, not conjugated (sdot, ddot, cdotu, zdotu); f16 and bf16 accumulate in f32
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, y) = ([1.0f64, 2.0, 3.0], [4.0f64, 5.0, 6.0]);
    /// assert_eq!(blas.dot(VecRef::from_slice(&x), VecRef::from_slice(&y))?, 32.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn dot<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
    ) -> Result<T> {
        let mut out = T::default();
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Dot);
        let d = dot::lower(&l, x.operand(), y.operand(), OutOperand::host(&mut out)).map_err(Refused::why)?;
        h.launch(&d, RawHandle::dot)?;
        Ok(out)
    }

    /// As [`dot`](Self::dot), one result a batch entry
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut out) = ([1.0f32, 2.0, 3.0, 4.0], [0.0f32; 2]);
    /// let x = SliceRef::from(&x[..]).vec(2, 1)?.batch(2, 2)?; // two vectors of two
    /// blas.dot_into(x.clone(), x, &mut out[..])?;
    /// assert_eq!(out, [5.0, 25.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn dot_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Dot);
        let d = dot::lower(&l, x.operand(), y.operand(), out.into().operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::dot)
    }

    /// Sum of conj(x_i) * y_i; the same as [`dot`](Self::dot) for real types
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let x = [Complex::new(3.0f32, 4.0)];
    /// let x = VecRef::from_slice(&x);
    /// assert_eq!(blas.dotc(x, x)?, Complex::new(25.0, 0.0));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn dotc<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
    ) -> Result<T> {
        let mut out = T::default();
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Dotc);
        let d = dot::lower(&l, x.operand(), y.operand(), OutOperand::host(&mut out)).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::dotc } else { RawHandle::dot })?;
        Ok(out)
    }

    /// As [`dotc`](Self::dotc), one result a batch entry
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut out) = ([Complex::new(0.0f64, 2.0)], [Complex::new(0.0, 0.0); 2]);
    /// let x = VecRef::from_slice(&x).broadcast(2);
    /// blas.dotc_into(x.clone(), x, &mut out[..])?;
    /// assert_eq!(out, [Complex::new(4.0, 0.0); 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn dotc_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        y: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<T>(Routine::Dotc);
        let d = dot::lower(&l, x.operand(), y.operand(), out.into().operand()).map_err(Refused::why)?;
        h.launch(&d, if T::DTYPE.is_complex() { RawHandle::dotc } else { RawHandle::dot })
    }

    /// Sum of x_i * y_i of f32 vectors, formed and returned in f64
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let x = [1.0e30f32];
    /// let x = VecRef::from_slice(&x);
    /// assert!(blas.dsdot(x, x)? > 0.99e60); // beyond f32
    /// # Ok::<(), Error>(())
    /// ```
    fn dsdot<'a>(
        &self,
        x: impl Arg<View = VecRef<'a, f32, B>>,
        y: impl Arg<View = VecRef<'a, f32, B>>,
    ) -> Result<f64> {
        let mut out = 0.0;
        let h = self.as_handle();
        let l = h.lowering::<f32>(Routine::Dsdot);
        let d = dot::lower(&l, x.operand(), y.operand(), OutOperand::host(&mut out)).map_err(Refused::why)?;
        h.launch(&d, RawHandle::dsdot)?;
        Ok(out)
    }

    /// As [`dsdot`](Self::dsdot), one result a batch entry
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut out) = ([1.0f32, 2.0], [0.0f64]);
    /// let x = VecRef::from_slice(&x);
    /// blas.dsdot_into(x, x, &mut out[..])?;
    /// assert_eq!(out, [5.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn dsdot_into<'a>(
        &self,
        x: impl Arg<View = VecRef<'a, f32, B>>,
        y: impl Arg<View = VecRef<'a, f32, B>>,
        out: impl Into<Out<'a, f64, B>>,
    ) -> Result {
        let h = self.as_handle();
        let l = h.lowering::<f32>(Routine::Dsdot);
        let d = dot::lower(&l, x.operand(), y.operand(), out.into().operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::dsdot)
    }

    /// Euclidean norm, without overflow or underflow where the result is representable. Any NaN gives NaN, else any
    /// infinity gives infinity.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let x = [3.0e300f64, 4.0e300];
    /// let norm = blas.nrm2(VecRef::from_slice(&x))?; // the squares would overflow
    /// assert!((norm / 5.0e300 - 1.0).abs() < 1e-15);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn nrm2<'a, T: Scalar>(&self, x: impl Arg<View = VecRef<'a, T, B>>) -> Result<T::Real> {
        let mut out = T::Real::default();
        let h = self.as_handle();
        let d = reduce::lower(&h.lowering::<T>(Routine::Nrm2), x.operand(), OutOperand::host(&mut out))
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::nrm2)?;
        Ok(out)
    }

    /// As [`nrm2`](Self::nrm2), one result a batch entry
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let x = blas.upload(&[3.0f32, 4.0])?;
    /// let mut norm = blas.alloc::<f32>(1)?;
    /// blas.nrm2_into(x.vec(), norm.vec_mut())?; // stays on the device
    /// assert_eq!(norm.to_vec(&blas)?, [5.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn nrm2_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, T::Real, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d = reduce::lower(&h.lowering::<T>(Routine::Nrm2), x.operand(), out.into().operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::nrm2)
    }

    /// Sum of abs(re x_i) + abs(im x_i)
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let x = [Complex::new(1.0f32, -2.0), Complex::new(-3.0, 0.0)];
    /// assert_eq!(blas.asum(VecRef::from_slice(&x))?, 6.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn asum<'a, T: Scalar>(&self, x: impl Arg<View = VecRef<'a, T, B>>) -> Result<T::Real> {
        let mut out = T::Real::default();
        let h = self.as_handle();
        let d = reduce::lower(&h.lowering::<T>(Routine::Asum), x.operand(), OutOperand::host(&mut out))
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::asum)?;
        Ok(out)
    }

    /// As [`asum`](Self::asum), one result a batch entry
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut out) = ([1.0f64, -2.0, 3.0, -4.0], [0.0f64; 2]);
    /// blas.asum_into(SliceRef::from(&x[..]).vec(2, 1)?.batch(2, 2)?, &mut out[..])?;
    /// assert_eq!(out, [3.0, 7.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn asum_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, T::Real, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d = reduce::lower(&h.lowering::<T>(Routine::Asum), x.operand(), out.into().operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::asum)
    }

    /// Index, from 0, of the first NaN if there is one, else of the first largest abs(re x_i) + abs(im x_i); None if x is
    /// empty
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// assert_eq!(blas.iamax(VecRef::from_slice(&[1.0f32, -3.0, 3.0]))?, Some(1));
    /// assert_eq!(blas.iamax(VecRef::from_slice(&[1.0f32, 9.0, f32::NAN]))?, Some(2));
    /// assert_eq!(blas.iamax(VecRef::<f32, Cpu>::from_slice(&[]))?, None);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn iamax<'a, T: Scalar>(&self, x: impl Arg<View = VecRef<'a, T, B>>) -> Result<Option<usize>> {
        let mut out = 0i64;
        let h = self.as_handle();
        let d = reduce::lower(&h.lowering::<T>(Routine::Iamax), x.operand(), OutOperand::host(&mut out))
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::iamax)?;
        Ok(usize::try_from(out).ok().and_then(|i| i.checked_sub(1)))
    }

    /// As [`iamax`](Self::iamax), one result a batch entry, counted from 1 as BLAS does; 0 if x is empty
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut out) = ([1.0f32, -3.0, 5.0, 2.0], [0i64; 2]);
    /// blas.iamax_into(SliceRef::from(&x[..]).vec(2, 1)?.batch(2, 2)?, &mut out[..])?;
    /// assert_eq!(out, [2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn iamax_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, i64, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d = reduce::lower(&h.lowering::<T>(Routine::Iamax), x.operand(), out.into().operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::iamax)
    }

    /// Index, from 0, of the first NaN if there is one, else of the first smallest abs(re x_i) + abs(im x_i); None if x is
    /// empty
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// assert_eq!(blas.iamin(VecRef::from_slice(&[4.0f32, -3.0, 3.0]))?, Some(1));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn iamin<'a, T: Scalar>(&self, x: impl Arg<View = VecRef<'a, T, B>>) -> Result<Option<usize>> {
        let mut out = 0i64;
        let h = self.as_handle();
        let d = reduce::lower(&h.lowering::<T>(Routine::Iamin), x.operand(), OutOperand::host(&mut out))
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::iamin)?;
        Ok(usize::try_from(out).ok().and_then(|i| i.checked_sub(1)))
    }

    /// As [`iamin`](Self::iamin), one result a batch entry, counted from 1 as BLAS does; 0 if x is empty
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (x, mut out) = ([1.0f32, -3.0, 5.0, 2.0], [0i64; 2]);
    /// blas.iamin_into(SliceRef::from(&x[..]).vec(2, 1)?.batch(2, 2)?, &mut out[..])?;
    /// assert_eq!(out, [1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn iamin_into<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecRef<'a, T, B>>,
        out: impl Into<Out<'a, i64, B>>,
    ) -> Result {
        let h = self.as_handle();
        let d = reduce::lower(&h.lowering::<T>(Routine::Iamin), x.operand(), out.into().operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::iamin)
    }

    /// (x, y) = (c x + s y, c y - conj(s) x), c real: the rotation that [`rotg`](Self::rotg) generates
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut x, mut y) = ([1.0f64, 2.0], [3.0f64, 4.0]);
    /// blas.rot(VecMut::from_slice(&mut x), VecMut::from_slice(&mut y), 0.0, 1.0)?; // a quarter turn
    /// assert_eq!((x, y), ([3.0, 4.0], [-1.0, -2.0]));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn rot<'a, T: Scalar>(
        &self,
        x: impl Arg<View = VecMut<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
        c: impl Into<Coef<'a, <T::Coef as Scalar>::Real, B>>,
        s: impl Into<Coef<'a, T::Coef, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (c, s) = (c.into().operand(), s.into().operand());
        let d = rot::lower(&h.lowering::<T>(Routine::Rot), false, x.operand(), y.operand(), c, s)
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::rot)
    }

    /// (x, y) = (c x + s y, c y - s x) with a real s (csrot, zdrot)
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut x, mut y) = ([Complex::new(1.0f32, 1.0)], [Complex::new(0.0f32, 2.0)]);
    /// blas.rot_real(VecMut::from_slice(&mut x), VecMut::from_slice(&mut y), 0.0, 1.0)?;
    /// assert_eq!((x[0], y[0]), (Complex::new(0.0, 2.0), Complex::new(-1.0, -1.0)));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn rot_real<'a, T: Field>(
        &self,
        x: impl Arg<View = VecMut<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
        c: impl Into<Coef<'a, T::Real, B>>,
        s: impl Into<Coef<'a, T::Real, B>>,
    ) -> Result {
        let h = self.as_handle();
        let (c, s) = (c.into().operand(), s.into().operand());
        let d = rot::lower(&h.lowering::<T>(Routine::Rot), true, x.operand(), y.operand(), c, s)
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::rot)
    }

    /// Generates a plane rotation that takes (a, b) to (r, 0): a is overwritten by r, b by z (of which c and s can be
    /// found again; real types only, complex b is left), c and s are set. One problem an element of `a`; all four have the
    /// same length and place.
    ///
    /// By the scaled algorithm of LAPACK 3.10: no overflow where r is representable; r takes the sign of the operand larger
    /// in size. Complex a = 0 gives c = 0, s = conj(b) / abs(b), r = abs(b).
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut a, mut b, mut c, mut s) = (0.0f64, 2.0, 0.0, 0.0);
    /// blas.rotg(&mut a, &mut b, &mut c, &mut s)?;
    /// assert_eq!((a, c, s), (2.0, 0.0, 1.0));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
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
        let d = rotg::lower(&l, a.operand(), b.operand(), c.operand(), s.operand()).map_err(Refused::why)?;
        h.launch(&d, RawHandle::rotg)
    }

    /// Applies the modified rotation of [`rotmg`](Self::rotmg): (x, y) = (h11 x + h12 y, h21 x + h22 y)
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut x, mut y) = ([1.0f64], [10.0f64]);
    /// let h = [-1.0, 2.0, 3.0, 4.0, 5.0]; // flag, h11, h21, h12, h22
    /// blas.rotm(VecMut::from_slice(&mut x), VecMut::from_slice(&mut y), h)?;
    /// assert_eq!((x, y), ([42.0], [53.0]));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
    fn rotm<'a, T: RealField>(
        &self,
        x: impl Arg<View = VecMut<'a, T, B>>,
        y: impl Arg<View = VecMut<'a, T, B>>,
        param: impl Into<RotmParam<'a, T, B>>,
    ) -> Result {
        let h = self.as_handle();
        let param = param.into();
        let d = rotm::lower(&h.lowering::<T>(Routine::Rotm), x.operand(), y.operand(), param.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::rotm)
    }

    /// Generates a modified rotation H whose second component of H * (sqrt(d1) x1, sqrt(d2) y1) is 0. d1, d2 and x1 are
    /// overwritten, y1 is read; `param` has five values an entry, of which the flag and the entries of H that it does not
    /// imply are written (see [`RotmParam`]). All have the same place.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut d1, mut d2, mut x1, mut y1, mut h) = (1.0f64, 1.0, 1.0, 0.0, [0.0; 5]);
    /// blas.rotmg(&mut d1, &mut d2, &mut x1, &mut y1, &mut h[..])?;
    /// assert_eq!(h[0], -2.0); // y1 = 0 already: H is the identity
    /// # Ok::<(), Error>(())
    /// ```
    #[inline(always)]
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
        let d = rotmg::lower(&l, d1.operand(), d2.operand(), x1.operand(), y1.operand(), param.operand())
            .map_err(Refused::why)?;
        h.launch(&d, RawHandle::rotmg)
    }
}

impl<B: Backend, H: AsHandle<B> + ?Sized> Level1<B> for H {}
