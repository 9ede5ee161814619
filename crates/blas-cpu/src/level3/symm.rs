//! symm, hemm.

use blas_api::*;

use crate::CpuHandle;
use crate::engine::{self, Dims, GRAIN, Native, Panel, blocks, work};
use crate::operands::{coef, unsupported};
use crate::threads::for_each_entry;

/// Order of the diagonal blocks, which are copied to be completed.
const BLOCK: usize = 256;

pub(crate) unsafe fn symm(h: &CpuHandle, d: &SymmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in X => unsafe { run::<T>(h, d, false) },
        else return Err(unsupported(Routine::Symm, d.dtype)));
    Ok(())
}

pub(crate) unsafe fn hemm(h: &CpuHandle, d: &SymmDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in C => unsafe { run::<T>(h, d, true) },
        else return Err(unsupported(Routine::Hemm, d.dtype)));
    Ok(())
}

unsafe fn run<T: Native>(h: &CpuHandle, d: &SymmDesc, herm: bool) {
    let order = if d.side == Side::Left { d.m } else { d.n };
    // SAFETY: the caller's promise.
    unsafe {
        let (alpha, beta) = (coef::<T>(d.alpha), coef::<T>(d.beta));
        for_each_entry(h, d, work(d.m, d.n, order), GRAIN, |d, i, threads| {
            let panel = Panel::new(d.a, i, Trans::N).conj_if(d.conj);
            let a = Symmetric { panel, lower: d.uplo == Uplo::Lower, herm };
            let (b, c) = (Panel::new(d.b, i, d.tb), Panel::new(d.c, i, Trans::N));
            match d.side {
                Side::Left => multiply(threads, [d.m, d.n], alpha, a, b, beta, c),
                // The transposed problem.
                Side::Right => multiply(threads, [d.n, d.m], alpha, a.t(), b.t(), beta, c.t()),
            }
        });
    }
}

/// A symmetric or Hermitian matrix of which one triangle is there.
#[derive(Clone, Copy)]
struct Symmetric<T> {
    panel: Panel<T>,
    lower: bool,
    herm: bool,
}

impl<T: Native> Symmetric<T> {
    fn t(self) -> Self {
        Symmetric { panel: self.panel.t(), lower: !self.lower, ..self }
    }

    /// The matrix by way of the other triangle: what is stored at (j, i) is at (i, j).
    fn mirrored(self) -> Panel<T> {
        self.panel.t().conj_if(self.herm)
    }

    /// The part left of the diagonal and the part right of it, for rows and columns where they do not meet it.
    fn sides(self) -> [Panel<T>; 2] {
        if self.lower { [self.panel, self.mirrored()] } else { [self.mirrored(), self.panel] }
    }

    /// Copies the n x n block on the diagonal at `start`, in full.
    ///
    /// # Safety
    /// The triangle is there.
    unsafe fn complete(self, start: usize, n: usize, to: &mut [T]) {
        let [left, right] = self.sides().map(|side| side.sub(start, start));
        for j in 0..n {
            for i in 0..n {
                // SAFETY: the caller's promise; each side is read where it is stored.
                let x = unsafe { if i > j { left.get(i, j) } else { right.get(i, j) } };
                to[i + j * n] = if i == j && self.herm { x.real() } else { x };
            }
        }
    }
}

/// C = alpha * A * B + beta * C, C m x n, block row by block row: what is left of the diagonal block, the block, and
/// what is right of it.
///
/// # Safety
/// All elements are there; those of C are not in use elsewhere.
unsafe fn multiply<T: Native>(
    threads: usize,
    [m, n]: [usize; 2],
    alpha: T,
    a: Symmetric<T>,
    b: Panel<T>,
    beta: T,
    c: Panel<T>,
) {
    if alpha.is_zero() {
        // SAFETY: the caller's promise.
        return unsafe { engine::scale(m, n, beta, c) };
    }
    let [left, right] = a.sides();
    let mut block = vec![T::zero(); m.min(BLOCK) * m.min(BLOCK)];
    for (i, mb) in blocks(m, BLOCK) {
        let (c, next) = (c.sub(i, 0), i + mb);
        // SAFETY: the caller's promise; only the stored triangle is read.
        unsafe {
            a.complete(i, mb, &mut block);
            let middle = Panel::columns(block.as_mut_ptr(), mb);
            let dims = |k| Dims { m: mb, n, k };
            engine::gemm(threads, dims(mb), alpha, middle, b.sub(i, 0), beta, c);
            engine::gemm(threads, dims(i), alpha, left.sub(i, 0), b, T::one(), c);
            engine::gemm(threads, dims(m - next), alpha, right.sub(i, next), b.sub(next, 0), T::one(), c);
        }
    }
}
