//! The LAPACK-like routines that hipBLAS and cuBLAS carry along.

mod gels;
mod geqrf;
mod getrf;
mod getri;
mod getrs;
mod layout;

use crate::lower::{Checked, Lowering, Refused};
use crate::view::Operand;
use crate::view::sealed::Lower as _;
use crate::*;

/// Factorisations and solves on a handle.
///
/// Matrices may be row- or column-major; where a factorisation in place is asked of a row-major matrix, it is done on a
/// transposed copy in device memory. Pivots are i32 from 1 as in LAPACK: row i was exchanged with row `pivots[i - 1]`.
/// `info` gets one i32 a batch entry, to the host or to the device (see [`Out`]).
///
/// # Errors
/// [`Error::Shape`] if the sizes do not fit together, [`Error::Strides`] if neither stride of a matrix is 1,
/// [`Error::Increment`] for pivots that are not contiguous, [`Error::BatchCount`], [`Error::WrongDevice`],
/// [`Error::OutOfMemory`] for a transposed copy, [`Error::Unsupported`]. Nothing is written then. A singular matrix is no
/// error: `info` tells, and is to be looked at before the factors are used. There is no Cholesky factorisation.
pub trait Solver<B: Backend>: AsHandle<B> {
    /// P * A = L * U of an m x n matrix in place: U on and above the diagonal, unit lower L below
    ///
    /// `pivots` gets min(m, n) rows. `info` is 0, or i > 0 if U(i, i) is exactly 0; the factorisation is completed all
    /// the same.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut a, mut pivots, mut info) = ([0.0f64, 2.0, 1.0, 1.0], [0i32; 2], -1);
    /// let lu = MatMut::from_slice(&mut a, 2, 2, Layout::Row)?;
    /// blas.getrf(lu, VecMut::from_slice(&mut pivots), &mut info)?;
    /// assert_eq!((info, pivots), (0, [2, 2])); // rows 1 and 2 changed places
    /// assert_eq!(a, [1.0, 1.0, 0.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn getrf<'a, T: Field>(
        &self,
        a: impl Arg<View = MatMut<'a, T, B>>,
        pivots: impl Arg<View = VecMut<'a, i32, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a, pivots) = (self.as_handle(), a.batched(), pivots.batched());
        getrf::run::<T, B>(h, a.operand(), Some(pivots.operand()), info.into().operand())
            .map_err(Refused::why)
    }

    /// A = L * U without exchanging rows: see [`getrf`](Self::getrf)
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut a, mut info) = ([2.0f64, 1.0, 4.0, 4.0], -1);
    /// blas.getrf_npvt(MatMut::from_slice(&mut a, 2, 2, Layout::Row)?, &mut info)?;
    /// assert_eq!((info, a), (0, [2.0, 1.0, 2.0, 2.0]));
    /// # Ok::<(), Error>(())
    /// ```
    fn getrf_npvt<'a, T: Field>(
        &self,
        a: impl Arg<View = MatMut<'a, T, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a) = (self.as_handle(), a.batched());
        getrf::run::<T, B>(h, a.operand(), None, info.into().operand()).map_err(Refused::why)
    }

    /// Solves op(A) * X = B in place of B with the factors of [`getrf`](Self::getrf)
    ///
    /// View the factors as `getrf` was given them. Those of a transposed matrix are others: `trans` transposes A, and `a.t()`
    /// would be read as factors that they are not. If `info` told of a singular A, there are infinities or NaN in X.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// # let (mut a, mut pivots, mut info) = ([0.0f64, 2.0, 1.0, 1.0], [0i32; 2], -1);
    /// # let lu = MatMut::from_slice(&mut a, 2, 2, Layout::Row)?;
    /// # blas.getrf(lu, VecMut::from_slice(&mut pivots), &mut info)?;
    /// // The factors of [0 2; 1 1]:
    /// let (a, mut b) = (MatRef::from_slice(&a, 2, 2, Layout::Row)?, [4.0f64, 3.0]);
    /// let rhs = MatMut::from_slice(&mut b, 2, 1, Layout::Col)?;
    /// blas.getrs(Trans::N, a, VecRef::from_slice(&pivots), rhs)?;
    /// assert_eq!(b, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn getrs<'a, T: Field>(
        &self,
        trans: Trans,
        a: impl Arg<View = MatRef<'a, T, B>>,
        pivots: impl Arg<View = VecRef<'a, i32, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, pivots, b) = (self.as_handle(), a.batched(), pivots.batched(), b.batched());
        getrs::run::<T, B>(h, trans, a.operand(), Some(pivots.operand()), b.operand()).map_err(Refused::why)
    }

    /// Solves op(A) * X = B in place of B with the factors of [`getrf_npvt`](Self::getrf_npvt)
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// # let (mut a, mut info) = ([2.0f64, 1.0, 4.0, 4.0], -1);
    /// # blas.getrf_npvt(MatMut::from_slice(&mut a, 2, 2, Layout::Row)?, &mut info)?;
    /// // The factors of [2 1; 4 4]:
    /// let (a, mut b) = (MatRef::from_slice(&a, 2, 2, Layout::Row)?, [4.0f64, 12.0]);
    /// blas.getrs_npvt(Trans::N, a, MatMut::from_slice(&mut b, 2, 1, Layout::Col)?)?;
    /// assert_eq!(b, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn getrs_npvt<'a, T: Field>(
        &self,
        trans: Trans,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b) = (self.as_handle(), a.batched(), b.batched());
        getrs::run::<T, B>(h, trans, a.operand(), None, b.operand()).map_err(Refused::why)
    }

    /// C = A⁻¹ from the factors of [`getrf_npvt`](Self::getrf_npvt)
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// # let (mut a, mut info) = ([2.0f64, 1.0, 4.0, 4.0], -1);
    /// # blas.getrf_npvt(MatMut::from_slice(&mut a, 2, 2, Layout::Row)?, &mut info)?;
    /// // The factors of [2 1; 4 4]:
    /// let (a, mut c) = (MatRef::from_slice(&a, 2, 2, Layout::Row)?, [0.0f64; 4]);
    /// blas.getri_npvt(a, MatMut::from_slice(&mut c, 2, 2, Layout::Row)?, &mut info)?;
    /// assert_eq!((info, c), (0, [1.0, -0.25, -1.0, 0.5]));
    /// # Ok::<(), Error>(())
    /// ```
    fn getri_npvt<'a, T: Field>(
        &self,
        a: impl Arg<View = MatRef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a, c) = (self.as_handle(), a.batched(), c.batched());
        getri::run::<T, B>(h, a.operand(), None, c.operand(), info.into().operand()).map_err(Refused::why)
    }

    /// C = A⁻¹ from the factors of [`getrf`](Self::getrf)
    ///
    /// `info` is 0, or i > 0 if U(i, i) is exactly 0; then C is not written.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// # let (mut a, mut pivots, mut info) = ([0.0f64, 2.0, 1.0, 1.0], [0i32; 2], -1);
    /// # let lu = MatMut::from_slice(&mut a, 2, 2, Layout::Row)?;
    /// # blas.getrf(lu, VecMut::from_slice(&mut pivots), &mut info)?;
    /// // The factors of [0 2; 1 1]:
    /// let (a, mut c) = (MatRef::from_slice(&a, 2, 2, Layout::Row)?, [0.0f64; 4]);
    /// let inverse = MatMut::from_slice(&mut c, 2, 2, Layout::Row)?;
    /// blas.getri(a, VecRef::from_slice(&pivots), inverse, &mut info)?;
    /// assert_eq!((info, c), (0, [-0.5, 1.0, 0.5, 0.0]));
    /// # Ok::<(), Error>(())
    /// ```
    fn getri<'a, T: Field>(
        &self,
        a: impl Arg<View = MatRef<'a, T, B>>,
        pivots: impl Arg<View = VecRef<'a, i32, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a, pivots, c) = (self.as_handle(), a.batched(), pivots.batched(), c.batched());
        getri::run::<T, B>(h, a.operand(), Some(pivots.operand()), c.operand(), info.into().operand())
            .map_err(Refused::why)
    }

    /// A = Q * R of an m x n matrix in place: R on and above the diagonal, the vectors of the Householder reflectors
    /// below it, their factors in `tau` (min(m, n) elements)
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// let (mut a, mut tau) = ([3.0f64, 4.0], [0.0f64]);
    /// blas.geqrf(MatMut::from_slice(&mut a, 2, 1, Layout::Col)?, VecMut::from_slice(&mut tau))?;
    /// assert!((a[0].abs() - 5.0).abs() < 1e-14); // R is the norm of the column, up to its sign
    /// # Ok::<(), Error>(())
    /// ```
    fn geqrf<'a, T: Field>(
        &self,
        a: impl Arg<View = MatMut<'a, T, B>>,
        tau: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, tau) = (self.as_handle(), a.batched(), tau.batched());
        geqrf::run::<T, B>(h, a.operand(), tau.operand()).map_err(Refused::why)
    }

    /// Solves min |op(A) * X - B| for a full-rank A (m x n): least squares where op(A) has more rows than columns, the
    /// solution of least norm otherwise
    ///
    /// B has max(m, n) rows: right-hand sides on entry, solutions in the leading rows on exit. A is overwritten by its
    /// factors. `trans` is N, or T (C for complex types). `info` is 0, or i > 0 if the i-th diagonal element of the
    /// triangular factor is exactly 0; then no solution is computed.
    ///
    /// ```
    /// # use blas_api::*;
    /// # use blas_cpu::Cpu;
    /// # let blas = Cpu::handle();
    /// // The line through (0, 1), (1, 3), (2, 5) is 1 + 2 t.
    /// let (mut a, mut b, mut info) = ([1.0f64, 0.0, 1.0, 1.0, 1.0, 2.0], [1.0f64, 3.0, 5.0], -1);
    /// let (points, rhs) = (MatMut::from_slice(&mut a, 3, 2, Layout::Row)?, MatMut::from_slice(&mut b, 3, 1, Layout::Col)?);
    /// blas.gels(Trans::N, points, rhs, &mut info)?;
    /// assert!(info == 0 && (b[0] - 1.0).abs() < 1e-14 && (b[1] - 2.0).abs() < 1e-14);
    /// # Ok::<(), Error>(())
    /// ```
    fn gels<'a, T: Field>(
        &self,
        trans: Trans,
        a: impl Arg<View = MatMut<'a, T, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a, b) = (self.as_handle(), a.batched(), b.batched());
        gels::run::<T, B>(h, trans, a.operand(), b.operand(), info.into().operand()).map_err(Refused::why)
    }
}

impl<B: Backend, H: AsHandle<B> + ?Sized> Solver<B> for H {}

/// The pivots of an m x n factorisation: `len` contiguous values an entry.
fn pivots(
    l: &Lowering,
    pivots: Option<Operand<shape::Vector>>,
    len: usize,
    batch: usize,
) -> Checked<Option<Address>> {
    let Some(p) = pivots else { return Ok(None) };
    l.operand("pivots", &p, batch)?;
    l.same("length of pivots", p.shape.len, len)?;
    l.contiguous("pivots", l.vector(p).inc)?;
    Ok(Some(p.data))
}
