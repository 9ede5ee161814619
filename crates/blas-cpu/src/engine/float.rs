//! Products of the six floating-point types.

use blas_api::{Element, Scalar};
use num_traits::{One, Zero};

use super::{Dims, Native, Panel, for_each_part};
use crate::num::{Acc, Elem};

/// Block of C and depth of the sums for which operands that the kernels cannot read are copied: the three copies
/// together fill a second-level cache.
const BLOCK: Dims = Dims { m: 256, n: 512, k: 256 };

/// C = alpha * A * B + beta * C. With alpha = 0 or k = 0, A and B are not read; with beta = 0, C is not read.
/// Sums are formed in the accumulation type and rounded once.
///
/// # Safety
/// All elements are there; those of C are not in use elsewhere, and C is not conjugated.
pub(crate) unsafe fn gemm<A, C>(
    threads: usize,
    dims: Dims,
    alpha: A::Coef,
    a: Panel<A>,
    b: Panel<A>,
    beta: A::Coef,
    c: Panel<C>,
) where
    A: Elem<Coef: Native>,
    C: Elem<Coef = A::Coef>,
{
    if dims.k == 0 || alpha.is_zero() {
        // SAFETY: the caller's promise.
        return unsafe { scale(dims.m, dims.n, beta, c) };
    }
    if c.rs != 1 && c.cs == 1 {
        let dims = Dims { m: dims.n, n: dims.m, ..dims };
        // SAFETY: the same problem, transposed.
        return unsafe { gemm(threads, dims, alpha, b.t(), a.t(), beta, c.t()) };
    }
    for_each_part(threads, dims, [a, b], c, |dims, [a, b], c| {
        // The kernels multiply a complex C by beta = 1 as by any other number, and make NaN of Inf.
        let plain_beta = beta.is_zero() || !A::DTYPE.is_complex();
        match (a.native(), b.native(), c.native()) {
            // SAFETY: the caller's promise; parts of C do not overlap.
            (Some(a), Some(b), Some(c)) if plain_beta => unsafe {
                A::Coef::product(dims, alpha, a, b, beta, c)
            },
            // SAFETY: as above.
            _ => unsafe { blocked(dims, alpha, a, b, beta, c) },
        }
    });
}

impl<T: Elem> Panel<T> {
    /// The matrix as the kernels read it, if they can.
    fn native(self) -> Option<Panel<T::Coef>> {
        (T::DIRECT && !self.conj).then(|| Panel {
            ptr: self.ptr.cast(),
            rs: self.rs,
            cs: self.cs,
            conj: false,
        })
    }

    /// The m x n matrix as the kernels read it, copied to `scratch` if need be.
    ///
    /// # Safety
    /// All elements are there.
    unsafe fn staged(self, m: usize, n: usize, scratch: &mut Vec<T::Coef>) -> Panel<T::Coef> {
        if let Some(panel) = self.native() {
            return panel;
        }
        scratch.resize(m * n, T::Coef::default());
        // The copy has the layout of the original.
        let (from, len, count) = if self.cs == 1 { (self.t(), n, m) } else { (self, m, n) };
        let to = Panel::columns(scratch.as_mut_ptr(), len);
        for (j, column) in scratch.chunks_exact_mut(len).enumerate().take(count) {
            // SAFETY: the caller's promise.
            unsafe { from.sub(0, j).read_column(column) };
        }
        if self.cs == 1 { to.t() } else { to }
    }

    /// Widens the first column.
    ///
    /// # Safety
    /// As many elements as `to` has are there.
    unsafe fn read_column(self, to: &mut [T::Coef]) {
        if self.rs == 1 {
            // SAFETY: the caller's promise.
            T::widen(unsafe { std::slice::from_raw_parts(self.ptr, to.len()) }, to);
        } else {
            // SAFETY: the caller's promise.
            to.iter_mut().enumerate().for_each(|(i, x)| *x = unsafe { *self.at(i, 0) }.to_coef());
        }
        if self.conj {
            to.iter_mut().for_each(|x| *x = x.conj());
        }
    }

    /// Rounds to the first column.
    ///
    /// # Safety
    /// As many elements as `from` has are there to be written.
    unsafe fn write_column(self, from: &[T::Coef]) {
        if self.rs == 1 {
            // SAFETY: the caller's promise.
            T::narrow(from, unsafe { std::slice::from_raw_parts_mut(self.ptr, from.len()) });
        } else {
            // SAFETY: the caller's promise.
            from.iter().enumerate().for_each(|(i, x)| unsafe { *self.at(i, 0) = T::from_coef(*x) });
        }
    }
}

/// [`gemm`] on one thread, block by block through scratch memory.
///
/// # Safety
/// As for [`gemm`].
unsafe fn blocked<A, C>(
    Dims { m, n, k }: Dims,
    alpha: A::Coef,
    a: Panel<A>,
    b: Panel<A>,
    beta: A::Coef,
    c: Panel<C>,
) where
    A: Elem<Coef: Native>,
    C: Elem<Coef = A::Coef>,
{
    let (zero, one) = (A::Coef::zero(), A::Coef::one());
    let (mut a_copy, mut b_copy) = (Vec::new(), Vec::new());
    let mut sums = vec![zero; m.min(BLOCK.m) * n.min(BLOCK.n)];
    let mut column = vec![zero; m.min(BLOCK.m)];
    for (j, n) in blocks(n, BLOCK.n) {
        for (i, m) in blocks(m, BLOCK.m) {
            let sum = Panel::columns(sums.as_mut_ptr(), m);
            for (l, k) in blocks(k, BLOCK.k) {
                // SAFETY: the caller's promise; `sums` has room for the block.
                unsafe {
                    let a = a.sub(i, l).staged(m, k, &mut a_copy);
                    let b = b.sub(l, j).staged(k, n, &mut b_copy);
                    A::Coef::product(Dims { m, n, k }, one, a, b, if l == 0 { zero } else { one }, sum);
                }
            }
            for (jj, sum) in sums.chunks_exact_mut(m).enumerate().take(n) {
                sum.iter_mut().for_each(|s| *s = times(alpha, *s));
                // SAFETY: the caller's promise.
                unsafe { add_column(sum, beta, c.sub(i, j + jj), &mut column[..m]) };
            }
        }
    }
}

/// c = sum + beta * c for the first column of C.
///
/// # Safety
/// As many elements as `sum` has are there to be read and written.
unsafe fn add_column<C: Elem>(sum: &mut [C::Coef], beta: C::Coef, c: Panel<C>, scratch: &mut [C::Coef]) {
    // SAFETY: the caller's promise.
    unsafe {
        if !beta.is_zero() {
            c.read_column(scratch);
            sum.iter_mut().zip(&*scratch).for_each(|(s, c)| *s += times(beta, *c));
        }
        c.write_column(sum);
    }
}

/// C = beta * C. With beta = 0, C is not read; with beta = 1 nothing is done.
///
/// # Safety
/// All elements are there and not in use elsewhere.
pub(crate) unsafe fn scale<C: Elem>(m: usize, n: usize, beta: C::Coef, c: Panel<C>) {
    if beta.is_one() {
        return;
    }
    let (c, m, n) = if c.cs == 1 { (c.t(), n, m) } else { (c, m, n) };
    let mut column = vec![C::Coef::zero(); m.min(BLOCK.m)];
    for j in 0..n {
        for (i, m) in blocks(m, BLOCK.m) {
            let (c, column) = (c.sub(i, j), &mut column[..m]);
            // SAFETY: the caller's promise.
            unsafe {
                if !beta.is_zero() {
                    c.read_column(column);
                    column.iter_mut().for_each(|x| *x = times(beta, *x));
                }
                c.write_column(column);
            }
        }
    }
}

/// Copies an m x n matrix.
///
/// # Safety
/// All elements are there; those of `to` are not in use elsewhere.
pub(crate) unsafe fn copy<T: Scalar + Element>(m: usize, n: usize, from: Panel<T>, to: Panel<T>) {
    let (from, to, m, n) = if to.cs == 1 { (from.t(), to.t(), n, m) } else { (from, to, m, n) };
    for j in 0..n {
        for i in 0..m {
            // SAFETY: the caller's promise.
            unsafe { to.set(i, j, from.get(i, j)) };
        }
    }
}

/// The product with a coefficient. A factor of 1 changes no bit, and a real one scales the two parts separately.
#[inline(always)]
pub(crate) fn times<T: Acc>(coef: T, x: T) -> T {
    if coef.im().is_zero() { x.scale(coef.re()) } else { coef * x }
}

/// Start and length of each block of n elements.
pub(crate) fn blocks(n: usize, size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).step_by(size).map(move |i| (i, size.min(n - i)))
}
