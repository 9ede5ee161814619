//! Products of the six floating-point types.

use std::ops::Range;

use blas_api::{Element, Scalar};
use num_traits::{One, Zero};

use super::ahead::Ahead;
use super::cache::Blocks;
use super::foreign::Foreign as _;
use super::operand::unpack;
use super::split::blocks;
use super::{
    Dims, GRAIN, Native, Panel, Region, Structured, blocked, for_each_part, for_each_part_of_triangle,
    scratch, stream, work,
};
use crate::num::{Acc, Elem};

/// C = alpha * A * B + beta * C. With alpha = 0 or k = 0, A and B are not read; with beta = 0, C is not read.
/// Sums are formed in the accumulation type and rounded once.
///
/// # Safety
/// All elements are there; those of C are not in use elsewhere, and C is not conjugated.
#[inline]
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
        // SAFETY: the same problem, transposed.
        return unsafe { gemm(threads, dims.t(), alpha, b.t(), a.t(), beta, c.t()) };
    }
    // SAFETY: the caller's promise.
    unsafe {
        match (a.native(), b.native(), c.native()) {
            (Some(a), Some(b), Some(c)) if is_tiny(threads, dims, &a) => {
                blocked::Direct::new(dims, alpha, a, b, beta, c).run(a.ptr, b.ptr, c.ptr, || {});
            }
            _ => in_parts(threads, dims, alpha, a, b, beta, c),
        }
    }
}

/// [`gemm`] of the operands that `entry` gives for each number of a range: they differ in nothing but their place. Columns
/// of C are contiguous.
///
/// # Safety
/// As for [`gemm`].
#[inline]
pub(crate) unsafe fn gemm_each<A, C>(
    threads: usize,
    dims: Dims,
    alpha: A::Coef,
    beta: A::Coef,
    entries: Range<usize>,
    entry: impl Fn(usize) -> (Panel<A>, Panel<A>, Panel<C>),
) where
    A: Elem<Coef: Native>,
    C: Elem<Coef = A::Coef>,
{
    if entries.len() > 1 && dims.k > 0 && !alpha.is_zero() {
        let (a, b, c) = entry(entries.start);
        if let (Some(a), Some(b), Some(c)) = (a.native(), b.native(), c.native())
            && is_tiny(threads, dims, &a)
        {
            let mut product = blocked::Direct::new(dims, alpha, a, b, beta, c);
            if is_far::<A>(dims, entries.len()) {
                let Dims { m, n, k } = dims;
                let (mut next, tiles) = (entry(entries.start), product.tiles());
                for i in entries.clone() {
                    let (a, b, c) = next;
                    next = entry((i + 1).min(entries.end - 1));
                    let mut ahead = [
                        Ahead::new(next.0, [m, k], tiles),
                        Ahead::new(next.1, [k, n], tiles),
                        Ahead::new(next.2, [m, n], tiles),
                    ];
                    let ask = || ahead.iter_mut().for_each(Ahead::ask);
                    // SAFETY: the caller's promise.
                    unsafe { product.run(a.ptr.cast(), b.ptr.cast(), c.ptr.cast(), ask) };
                }
                return;
            }
            for i in entries {
                let (a, b, c) = entry(i);
                // SAFETY: the caller's promise.
                unsafe { product.run(a.ptr.cast(), b.ptr.cast(), c.ptr.cast(), || {}) };
            }
            return;
        }
    }
    for i in entries {
        let (a, b, c) = entry(i);
        // SAFETY: the caller's promise.
        unsafe { gemm(threads, dims, alpha, a, b, beta, c) };
    }
}

/// Whether a batch of so many products is best asked for product by product, each while the one before is computed: if it comes
/// from memory, and there is enough to do meanwhile.
fn is_far<T>(Dims { m, n, k }: Dims, products: usize) -> bool {
    let bytes = (m * k + k * n + m * n) * size_of::<T>();
    bytes >= 4096 && products.saturating_mul(bytes) > 4 * Blocks::get().columns
}

/// Whether a product has no second thread, or is not worth one, and is best done directly.
#[inline(always)]
fn is_tiny<T: Native>(threads: usize, dims: Dims, a: &Panel<T>) -> bool {
    (threads == 1 || work(dims.m, dims.n, dims.k) < 2.0 * GRAIN) && blocked::is_direct(dims, a)
}

/// [`gemm`] for columns of C that are contiguous, and k > 0.
///
/// # Safety
/// As for [`gemm`].
#[inline(never)]
unsafe fn in_parts<A, C>(
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
    let (unit, depth) = (A::Coef::kernels().tile(), blocked::depth::<A::Coef>(dims, &b));
    for_each_part(threads, dims, unit, |i, j| {
        let dims = Dims { m: i.len(), n: j.len(), k: dims.k };
        let (a, b, c) = (a.sub(i.start, 0), b.sub(0, j.start), c.sub(i.start, j.start));
        // SAFETY: the caller's promise; parts of C do not overlap.
        unsafe {
            match c.native() {
                Some(c) => part(dims, alpha, a, b, beta, c, depth),
                None => rounded(dims, alpha, a, b, beta, c, depth),
            }
        }
    });
}

/// [`gemm`] in a region of C, with operands of any structure. B is handed over transposed.
///
/// # Safety
/// As for [`gemm`].
pub(crate) unsafe fn product<T: Native>(
    threads: usize,
    dims: Dims,
    alpha: T,
    a: Structured<T>,
    b: Structured<T>,
    beta: T,
    c: Panel<T>,
    region: Region,
) {
    if dims.k == 0 || alpha.is_zero() {
        // SAFETY: the caller's promise.
        return unsafe { region.scale(dims.m, dims.n, beta, c) };
    }
    if c.rs != 1 {
        // SAFETY: the same problem, transposed.
        return unsafe { wanted(threads, dims.t(), alpha, b, a, beta, c.t(), region.t()) };
    }
    // SAFETY: the caller's promise.
    unsafe { wanted(threads, dims, alpha, a, b, beta, c, region) }
}

/// [`product`] where columns of C are contiguous and k > 0.
unsafe fn wanted<T: Native>(
    threads: usize,
    dims: Dims,
    alpha: T,
    a: Structured<T>,
    b: Structured<T>,
    beta: T,
    c: Panel<T>,
    region: Region,
) {
    let (unit, depth) = (T::kernels().tile(), T::kernels().depth());
    let part = |i: Range<usize>, j: Range<usize>| {
        let (dims, at) = (Dims { m: i.len(), n: j.len(), k: dims.k }, [i.start, j.start]);
        // SAFETY: the caller's promise; parts of C do not overlap.
        unsafe { blocked::gemm(dims, at, alpha, a, b, beta, c.sub(i.start, j.start), region, depth) };
    };
    match region {
        Region::All => for_each_part(threads, dims, unit, part),
        Region::Triangle { lower, .. } => {
            for_each_part_of_triangle(threads, dims.n, dims.k, lower, unit, &part);
        }
    }
}

/// [`gemm`] on one thread, where C is of the accumulation type and k > 0.
///
/// # Safety
/// As for [`gemm`].
#[inline]
unsafe fn part<A: Elem<Coef: Native>>(
    dims: Dims,
    alpha: A::Coef,
    a: Panel<A>,
    b: Panel<A>,
    beta: A::Coef,
    c: Panel<A::Coef>,
    depth: usize,
) {
    let own = A::Coef::kernels().is_own();
    // SAFETY: the caller's promise.
    unsafe {
        match (a.native(), b.native()) {
            (Some(a), Some(b)) if blocked::is_direct(dims, &a) => {
                blocked::Direct::new(dims, alpha, a, b, beta, c).run(a.ptr, b.ptr, c.ptr, || {})
            }
            (Some(a), Some(b)) if !own && (beta.is_zero() || !A::DTYPE.is_complex()) => {
                A::Coef::product(dims, alpha, a, b, beta, c)
            }
            (Some(a), Some(b)) if stream::gemm(dims, alpha, a, b, beta, c) => {}
            _ => blocked::gemm(dims, [0, 0], alpha, a, b.t(), beta, c, Region::All, depth),
        }
    }
}

/// Block of C for which sums are kept until they are rounded.
const BLOCK: Dims = Dims { m: 2048, n: 1024, k: 0 };

/// [`gemm`] on one thread, where C is narrower than the sums and k > 0.
///
/// # Safety
/// As for [`gemm`].
unsafe fn rounded<A, C>(
    Dims { m, n, k }: Dims,
    alpha: A::Coef,
    a: Panel<A>,
    b: Panel<A>,
    beta: A::Coef,
    c: Panel<C>,
    depth: usize,
) where
    A: Elem<Coef: Native>,
    C: Elem<Coef = A::Coef>,
{
    let zero = A::Coef::zero();
    let height = m.min(BLOCK.m);
    scratch::with([height * n.min(BLOCK.n), height], |[sums, column]: [*mut A::Coef; 2]| {
        for (j, n) in blocks(n, BLOCK.n) {
            for (i, m) in blocks(m, BLOCK.m) {
                let (dims, a, b) = (Dims { m, n, k }, a.sub(i, 0), b.sub(0, j).t());
                let c = Rounded { sums: Panel::columns(sums, m), column, beta, c: c.sub(i, j) };
                // SAFETY: the caller's promise; there is room for the block, and all of it is written before it is read.
                unsafe { blocked::gemm(dims, [0, 0], alpha, a, b, zero, c, Region::All, depth) };
            }
        }
    });
}

/// A C that is narrower than its sums.
#[derive(Clone, Copy)]
struct Rounded<C: Elem> {
    sums: Panel<C::Coef>,
    /// Room for a column.
    column: *mut C::Coef,
    beta: C::Coef,
    c: Panel<C>,
}

impl<C: Elem> blocked::Target<C::Coef> for Rounded<C> {
    fn sums(self) -> Panel<C::Coef> {
        self.sums
    }

    /// C = sums + beta * C
    unsafe fn finish(self, [i, j]: [usize; 2], [m, n]: [usize; 2]) {
        let (sums, c) = (self.sums.sub(i, j), self.c.sub(i, j));
        // SAFETY: the caller's promise; what is kept from call to call is initialised.
        unsafe {
            if self.beta.is_zero() && c.rs == 1 {
                return C::narrow_columns((sums.ptr, sums.cs), [m, n], (c.ptr, c.cs));
            }
            let column = std::slice::from_raw_parts_mut(self.column, m);
            for j in 0..n {
                let sums = std::slice::from_raw_parts_mut(sums.at(0, j), m);
                add_column(sums, self.beta, c.sub(0, j), column);
            }
        }
    }
}

impl<T: Elem> Panel<T> {
    /// The matrix as the kernels read it, if they can.
    #[inline(always)]
    pub(super) fn native(self) -> Option<Panel<T::Coef>> {
        (T::DIRECT && !self.conj).then(|| Panel {
            ptr: self.ptr.cast(),
            rs: self.rs,
            cs: self.cs,
            conj: false,
        })
    }

    /// Widens the first column.
    ///
    /// # Safety
    /// As many elements as `to` has are there.
    pub(super) unsafe fn read_column(self, to: &mut [T::Coef]) {
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
    // SAFETY: the caller's promise.
    unsafe {
        match from {
            Panel { rs: 1, conj: false, .. } if to.rs == 1 => {
                (0..n).for_each(|j| from.at(0, j).copy_to_nonoverlapping(to.at(0, j), m));
            }
            Panel { cs: 1, conj: false, .. } if from.rs > 0 => {
                // In squares, of which caches keep all lines.
                for (j, n) in blocks(n, 64) {
                    for (i, m) in blocks(m, 64) {
                        unpack(from.at(i, j), from.rs as usize, [n, m], to.sub(i, j).t());
                    }
                }
            }
            _ => (0..n).for_each(|j| (0..m).for_each(|i| to.set(i, j, from.get(i, j)))),
        }
    }
}

/// The product with a coefficient. A factor of 1 changes no bit, and a real one scales the two parts separately.
#[inline(always)]
pub(crate) fn times<T: Acc>(coef: T, x: T) -> T {
    if coef.im().is_zero() { x.scale(coef.re()) } else { coef * x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_a_batch_are_those_of_single_calls() {
        let (m, n, k) = (24, 16, 20);
        let dims = Dims { m, n, k };
        for products in [5, 4 * Blocks::get().columns / (8 * (m * n + m * k + n * k)) + 1] {
            assert_eq!(is_far::<f64>(dims, products), products > 5);
            let numbers =
                |size: usize| (0..size * products).map(|i| (i % 31) as f64 - 15.0).collect::<Vec<_>>();
            let (mut a, mut b, mut c) = (numbers(m * k), numbers(n * k), numbers(m * n));
            let mut same = c.clone();
            let [a, b, c_ptr, same_ptr] = [&mut a, &mut b, &mut c, &mut same].map(|x| x.as_mut_ptr());
            let entry = |i: usize, c: *mut f64| {
                let at = |x: *mut f64, size: usize, ld: usize| Panel::columns(x.wrapping_add(i * size), ld);
                (at(a, m * k, m), at(b, n * k, n).t(), at(c, m * n, m))
            };
            // SAFETY: all elements are there.
            unsafe {
                gemm_each(1, dims, 1.5, 0.5, 0..products, |i| entry(i, c_ptr));
                for (a, b, c) in (0..products).map(|i| entry(i, same_ptr)) {
                    gemm(1, dims, 1.5, a, b, 0.5, c);
                }
            }
            assert_eq!(c, same);
        }
    }
}
