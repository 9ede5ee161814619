//! The LAPACK-like routines that hipBLAS and cuBLAS carry along.

mod gels;
mod geqrf;
mod getrf;
mod getri;
mod getrs;
mod layout;

use crate::lower::Lowering;
use crate::view::Operand;
use crate::*;

/// Factorisations and solves on a handle.
///
/// Matrices may be row- or column-major; where a factorisation in place is asked of a row-major matrix, it is done on a
/// transposed copy in device memory. Pivots are i32 from 1 as in LAPACK: row i was exchanged with row `pivots[i - 1]`.
/// `info` gets one i32 a batch entry, to the host or to the device (see [`Out`]).
pub trait Solver<B: Backend>: AsHandle<B> {
    /// P * A = L * U of an m x n matrix in place: U on and above the diagonal, unit lower L below
    ///
    /// `pivots` gets min(m, n) rows. `info` is 0, or i > 0 if U(i, i) is exactly 0; the factorisation is completed all
    /// the same.
    fn getrf<'a, T: Field>(
        &self,
        a: impl Arg<View = MatMut<'a, T, B>>,
        pivots: impl Arg<View = VecMut<'a, i32, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a, pivots) = (self.as_handle(), a.batched(), pivots.batched());
        getrf::run::<T, B>(h, a.operand(), Some(pivots.operand()), info.into().operand())
    }

    /// A = L * U without exchanging rows: see [`getrf`](Self::getrf)
    fn getrf_npvt<'a, T: Field>(
        &self,
        a: impl Arg<View = MatMut<'a, T, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a) = (self.as_handle(), a.batched());
        getrf::run::<T, B>(h, a.operand(), None, info.into().operand())
    }

    /// Solves op(A) * X = B in place of B with the factors of [`getrf`](Self::getrf)
    fn getrs<'a, T: Field>(
        &self,
        trans: Trans,
        a: impl Arg<View = MatRef<'a, T, B>>,
        pivots: impl Arg<View = VecRef<'a, i32, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, pivots, b) = (self.as_handle(), a.batched(), pivots.batched(), b.batched());
        getrs::run::<T, B>(h, trans, a.operand(), Some(pivots.operand()), b.operand())
    }

    /// Solves op(A) * X = B in place of B with the factors of [`getrf_npvt`](Self::getrf_npvt)
    fn getrs_npvt<'a, T: Field>(
        &self,
        trans: Trans,
        a: impl Arg<View = MatRef<'a, T, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
    ) -> Result {
        let (h, a, b) = (self.as_handle(), a.batched(), b.batched());
        getrs::run::<T, B>(h, trans, a.operand(), None, b.operand())
    }

    /// C = A⁻¹ from the factors of [`getrf_npvt`](Self::getrf_npvt)
    fn getri_npvt<'a, T: Field>(
        &self,
        a: impl Arg<View = MatRef<'a, T, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a, c) = (self.as_handle(), a.batched(), c.batched());
        getri::run::<T, B>(h, a.operand(), None, c.operand(), info.into().operand())
    }

    /// C = A⁻¹ from the factors of [`getrf`](Self::getrf)
    ///
    /// `info` is 0, or i > 0 if U(i, i) is exactly 0; then C is not written.
    fn getri<'a, T: Field>(
        &self,
        a: impl Arg<View = MatRef<'a, T, B>>,
        pivots: impl Arg<View = VecRef<'a, i32, B>>,
        c: impl Arg<View = MatMut<'a, T, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a, pivots, c) = (self.as_handle(), a.batched(), pivots.batched(), c.batched());
        getri::run::<T, B>(h, a.operand(), Some(pivots.operand()), c.operand(), info.into().operand())
    }

    /// A = Q * R of an m x n matrix in place: R on and above the diagonal, the vectors of the Householder reflectors
    /// below it, their factors in `tau` (min(m, n) elements)
    fn geqrf<'a, T: Field>(
        &self,
        a: impl Arg<View = MatMut<'a, T, B>>,
        tau: impl Arg<View = VecMut<'a, T, B>>,
    ) -> Result {
        let (h, a, tau) = (self.as_handle(), a.batched(), tau.batched());
        geqrf::run::<T, B>(h, a.operand(), tau.operand())
    }

    /// Solves min |op(A) * X - B| for a full-rank A (m x n): least squares where op(A) has more rows than columns, the
    /// solution of least norm otherwise
    ///
    /// B has max(m, n) rows: right-hand sides on entry, solutions in the leading rows on exit. A is overwritten by its
    /// factors. `trans` is N, or T (C for complex types). `info` is 0, or i > 0 if the i-th diagonal element of the
    /// triangular factor is exactly 0; then no solution is computed.
    fn gels<'a, T: Field>(
        &self,
        trans: Trans,
        a: impl Arg<View = MatMut<'a, T, B>>,
        b: impl Arg<View = MatMut<'a, T, B>>,
        info: impl Into<Out<'a, i32, B>>,
    ) -> Result {
        let (h, a, b) = (self.as_handle(), a.batched(), b.batched());
        gels::run::<T, B>(h, trans, a.operand(), b.operand(), info.into().operand())
    }
}

impl<B: Backend, H: AsHandle<B> + ?Sized> Solver<B> for H {}

/// The pivots of an m x n factorisation: `len` contiguous values an entry.
fn pivots(
    l: &Lowering,
    pivots: Option<Operand<shape::Vector>>,
    len: usize,
    batch: usize,
) -> Result<Option<Address>> {
    let Some(p) = pivots else { return Ok(None) };
    l.operand("pivots", &p, batch)?;
    l.same("length of pivots", p.shape.len, len)?;
    l.contiguous("pivots", l.vector(p).inc)?;
    Ok(Some(p.data))
}
