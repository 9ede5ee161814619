//! Operands that are more than their elements: triangles, symmetric matrices, and those that are written while they are
//! read.

use std::ops::Range;

use blas_api::{Diag, Matrix, Trans, Uplo};

use super::operand::{Operand, pack_groups};
use super::{Groups, Native, Panel};

/// An operand of any structure. (One type, so that the loops around the kernels are compiled once for all.)
#[derive(Clone, Copy)]
pub(crate) enum Structured<T> {
    /// A matrix.
    Plain(Panel<T>),
    /// One that the product is written over, so that it is never read where it is.
    Copied(Panel<T>),
    /// A triangle beside zeros.
    Triangle(Tri<T>),
    /// One half of a symmetric matrix.
    Symmetric(Symmetric<T>),
}

impl<T: Native> Operand<T> for Structured<T> {
    unsafe fn pack(self, at: [usize; 2], size: [usize; 2], step: usize, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Structured::Plain(x) | Structured::Copied(x) => x.pack(at, size, step, to),
                Structured::Triangle(x) => x.pack(at, size, step, to),
                Structured::Symmetric(x) => x.pack(at, size, step, to),
            }
        }
    }

    unsafe fn pack_groups(self, at: [usize; 2], size: [usize; 2], groups: Groups, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Structured::Plain(x) | Structured::Copied(x) => x.pack_groups(at, size, groups, to),
                _ => pack_groups(self, at, size, groups, to),
            }
        }
    }

    fn native(&self) -> Option<Panel<T>> {
        match self {
            Structured::Plain(x) => x.native(),
            _ => None,
        }
    }

    #[inline(always)]
    fn filled(&self, at: [usize; 2], size: [usize; 2]) -> Range<usize> {
        match self {
            Structured::Triangle(x) => x.filled(at, size),
            _ => 0..size[1],
        }
    }
}

/// op(A) of a triangular matrix A.
#[derive(Clone, Copy)]
pub(crate) struct Tri<T> {
    pub(crate) panel: Panel<T>,
    /// Whether the triangle of op(A) is the lower one.
    pub(crate) lower: bool,
    pub(crate) unit: bool,
}

impl<T: Native> Tri<T> {
    /// # Safety
    /// As for [`Panel::new`].
    pub(crate) unsafe fn new(a: Matrix, i: usize, op: Trans, uplo: Uplo, diag: Diag) -> Self {
        Tri {
            // SAFETY: the caller's promise.
            panel: unsafe { Panel::new(a, i, op) },
            lower: (uplo == Uplo::Lower) != op.is_transposed(),
            unit: diag == Diag::Unit,
        }
    }

    pub(crate) fn t(self) -> Self {
        Tri { panel: self.panel.t(), lower: !self.lower, ..self }
    }

    /// The triangles of orders `half` and n - `half` on the diagonal.
    pub(crate) fn halves(self, half: usize) -> [Self; 2] {
        [self, Tri { panel: self.panel.sub(half, half), ..self }]
    }

    /// The rectangle beside them.
    pub(crate) fn rest(self, half: usize) -> Panel<T> {
        if self.lower { self.panel.sub(half, 0) } else { self.panel.sub(0, half) }
    }

    /// The columns of row `i` that hold elements of the triangle, without the diagonal.
    #[inline(always)]
    pub(crate) fn row(self, i: usize, n: usize) -> Range<usize> {
        if self.lower { 0..i } else { i + 1..n }
    }

    /// The rows from the corner where the triangle has one element to its long side.
    #[inline(always)]
    pub(crate) fn order(self, n: usize) -> impl Iterator<Item = usize> + Clone {
        (0..n).map(move |i| if self.lower { i } else { n - 1 - i })
    }
}

impl<T: Native> Operand<T> for Tri<T> {
    unsafe fn pack(self, [i, l]: [usize; 2], [m, k]: [usize; 2], step: usize, to: *mut T) {
        let [first, after] = [i, i + m].map(|border| border.clamp(l, l + k));
        let outside = if self.lower { after..l + k } else { l..first };
        // SAFETY: the caller's promise; the panel is read where it is stored.
        unsafe {
            let at = |c: usize| to.add((c - l) * step);
            std::slice::from_raw_parts_mut(at(outside.start), outside.len() * step).fill(T::zero());
            let inside = if self.lower { l..first } else { after..l + k };
            self.panel.pack([i, inside.start], [m, inside.len()], step, at(inside.start));
            for c in first..after {
                let (to, d) = (at(c), c - i);
                to.write_bytes(0, step);
                to.add(d).write(if self.unit { T::one() } else { self.panel.get(c, c) });
                let stored = if self.lower { d + 1..m } else { 0..d };
                stored.for_each(|r| to.add(r).write(self.panel.get(i + r, c)));
            }
        }
    }

    fn filled(&self, [i, l]: [usize; 2], [m, k]: [usize; 2]) -> Range<usize> {
        let border = |i: usize| i.clamp(l, l + k) - l;
        if self.lower { 0..border(i + m) } else { border(i)..k }
    }
}

/// A symmetric or Hermitian matrix of which one triangle is there.
#[derive(Clone, Copy)]
pub(crate) struct Symmetric<T> {
    pub(crate) panel: Panel<T>,
    pub(crate) lower: bool,
    pub(crate) herm: bool,
}

impl<T: Native> Symmetric<T> {
    pub(crate) fn t(self) -> Self {
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
