//! geqrf: Householder reflectors in blocks, applied to the rest of the matrix by gemm (compact WY form).

use blas_api::{GeqrfDesc, Result, Routine, Trans, with_dtype};

use super::batch::{self, entry_slice};
use super::column::larfg;
use super::mat::{Mat, MatMut, gemm, zeros};
use crate::CpuHandle;
use crate::num::Acc;
use crate::operands::unsupported;
use crate::simd::{axpy, dot, dots};

/// Reflectors in a block.
const BLOCK: usize = 32;

pub(crate) unsafe fn geqrf(h: &CpuHandle, d: &GeqrfDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { batch::each(h, d, entry::<T>) }, else Err(unsupported(Routine::Geqrf, d.dtype)))
}

unsafe fn entry<T: Acc>(h: &CpuHandle, d: &GeqrfDesc, i: usize) -> Result {
    // SAFETY: A and tau of each entry are written by this call alone.
    let (a, tau) =
        unsafe { (MatMut::<T>::entry(d.a, i, d.m, d.n), entry_slice::<T>(d.tau.data, i, d.m.min(d.n))) };
    factor(h, a, tau)
}

/// A = Q * R: R on and above the diagonal, the vectors of the reflectors below it.
pub(super) fn factor<T: Acc>(h: &CpuHandle, mut a: MatMut<'_, T>, tau: &mut [T]) -> Result {
    for (start, tau) in (0..).step_by(BLOCK).zip(tau.chunks_mut(BLOCK)) {
        let below = a.rb().split_rows(start).1;
        let (mut panel, rest) = below.split_cols(start).1.split_cols(tau.len());
        factor_panel(&mut panel, tau);
        if rest.cols() > 0 {
            Reflectors::new(h, panel.as_ref(), tau)?.apply(h, Trans::C, rest)?;
        }
    }
    Ok(())
}

/// C = Q * C (N) or Qᴴ * C (C), with Q as [`factor`] leaves it.
pub(super) fn apply_q<T: Acc>(
    h: &CpuHandle,
    trans: Trans,
    a: Mat<'_, T>,
    tau: &[T],
    mut c: MatMut<'_, T>,
) -> Result {
    let mut block = |start: usize| {
        let tau = &tau[start..tau.len().min(start + BLOCK)];
        let rows = c.rb().split_rows(start).1;
        Reflectors::new(h, a.block(start, start, tau.len()), tau)?.apply(h, trans, rows)
    };
    let mut starts = (0..tau.len()).step_by(BLOCK);
    // Q is the product of the blocks from first to last.
    if trans == Trans::C { starts.try_for_each(&mut block) } else { starts.rev().try_for_each(&mut block) }
}

/// Columns whose products with a reflector are formed at once.
const TOGETHER: usize = 4;

/// Column by column, without Level 3.
fn factor_panel<T: Acc>(a: &mut MatMut<'_, T>, tau: &mut [T]) {
    for (j, tau) in tau.iter_mut().enumerate() {
        let (mut left, mut right) = a.rb().split_cols(j + 1);
        let Some((alpha, v)) = left.col(j)[j..].split_first_mut() else { break };
        *tau = larfg(alpha, v);
        if *tau == T::zero() {
            continue;
        }
        let columns = right.cols();
        for c in (0..columns).step_by(TOGETHER) {
            let tail = |c: usize| &right.as_ref().col(c)[j + 1..];
            let mut sums = [T::zero(); TOGETHER];
            if c + TOGETHER <= columns {
                sums = dots(true, std::array::from_fn(|i| tail(c + i)), v).map(|sum| sum.conj());
            } else {
                (c..columns).zip(&mut sums).for_each(|(c, sum)| *sum = dot(true, v, tail(c)));
            }
            for (c, sum) in (c..columns).zip(sums) {
                let column = &mut right.col(c)[j..];
                let w = -tau.conj() * (column[0] + sum);
                column[0] += w;
                axpy(w, v, &mut column[1..]);
            }
        }
    }
}

/// A product of reflectors H1 * H2 * ... = I - V * T * Vᴴ.
struct Reflectors<T> {
    /// rows x k, with its unit diagonal and the zeros above.
    v: Vec<T>,
    /// k x k, upper triangular, with its zeros.
    t: Vec<T>,
    rows: usize,
    k: usize,
}

impl<T: Acc> Reflectors<T> {
    fn new(h: &CpuHandle, panel: Mat<'_, T>, tau: &[T]) -> Result<Self> {
        let (rows, k) = (panel.rows(), tau.len());
        let (mut v, mut t) = (zeros(rows * k)?, zeros(k * k)?);
        for j in 0..k {
            let col = &mut v[j * rows..][..rows];
            col[j] = T::one();
            col[j + 1..].copy_from_slice(&panel.col(j)[j + 1..]);
        }
        let vm = MatMut::from_slice(&mut v, rows, k);
        let gram = MatMut::from_slice(&mut t, k, k);
        gemm(h, 1.0, (Trans::C, vm.as_ref()), (Trans::N, vm.as_ref()), 0.0, gram)?;
        // Column j of T is -tau * T * (column j of the Gram matrix), made in place of the latter.
        for (j, &tau) in tau.iter().enumerate() {
            let (done, rest) = t.split_at_mut(j * k);
            let col = &mut rest[..k];
            for i in 0..j {
                let sum = (i..j).fold(T::zero(), |sum, l| sum + done[i + l * k] * col[l]);
                col[i] = -tau * sum;
            }
            col[j] = tau;
            col[j + 1..].fill(T::zero());
        }
        Ok(Reflectors { v, t, rows, k })
    }

    /// C = (I - V * op(T) * Vᴴ) * C
    fn apply(&mut self, h: &CpuHandle, trans: Trans, mut c: MatMut<'_, T>) -> Result {
        let (k, n) = (self.k, c.cols());
        let (mut w1, mut w2) = (zeros(k * n)?, zeros(k * n)?);
        let v = MatMut::from_slice(&mut self.v, self.rows, k);
        let t = MatMut::from_slice(&mut self.t, k, k);
        let (mut w1, mut w2) = (MatMut::from_slice(&mut w1, k, n), MatMut::from_slice(&mut w2, k, n));
        gemm(h, 1.0, (Trans::C, v.as_ref()), (Trans::N, c.as_ref()), 0.0, w1.rb())?;
        gemm(h, 1.0, (trans, t.as_ref()), (Trans::N, w1.as_ref()), 0.0, w2.rb())?;
        gemm(h, -1.0, (Trans::N, v.as_ref()), (Trans::N, w2.as_ref()), 1.0, c.rb())
    }
}
