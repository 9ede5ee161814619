//! symm, hemm.

use blas_api::*;

use crate::CpuHandle;
use crate::engine::{Dims, GRAIN, Native, Operand, Panel, Region, product, work};
use crate::operands::{coef, unsupported};
use crate::threads::for_each_entry;

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
            let (b, c) = (Panel::<T>::new(d.b, i, d.tb), Panel::new(d.c, i, Trans::N));
            let dims = Dims { m: d.m, n: d.n, k: order };
            match d.side {
                Side::Left => product(threads, dims, alpha, a, b.t(), beta, c, Region::All),
                Side::Right => product(threads, dims, alpha, b, a.t(), beta, c, Region::All),
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
}

impl<T: Native> Operand<T> for Symmetric<T> {
    unsafe fn pack(self, [i, l]: [usize; 2], [m, k]: [usize; 2], step: usize, to: *mut T) {
        let [left, right] = self.sides();
        let [first, after] = [i, i + m].map(|border| border.clamp(l, l + k));
        // SAFETY: the caller's promise; each side is read where it is stored.
        unsafe {
            left.pack([i, l], [m, first - l], step, to);
            for c in first..after {
                let to = to.add((c - l) * step);
                let d = c - i;
                (0..d).for_each(|r| to.add(r).write(right.get(i + r, c)));
                (d + 1..m).for_each(|r| to.add(r).write(left.get(i + r, c)));
                let x = self.panel.get(c, c);
                to.add(d).write(if self.herm { x.real() } else { x });
                (m..step).for_each(|r| to.add(r).write(T::zero()));
            }
            right.pack([i, after], [m, l + k - after], step, to.add((after - l) * step));
        }
    }
}
