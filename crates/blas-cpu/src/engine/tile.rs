//! The innermost loops: one register tile of C.
//!
//! A tile is a few vectors high and a few columns wide. Complex numbers are multiplied as pairs of reals: the columns of
//! A stay as they are, B gives two real columns for each of its own (real and imaginary parts), and the sums of the two
//! are put together once, at the end.

// Closures are compiled without the instructions of the vectors, and so are what iterators call.
#![allow(clippy::needless_range_loop)]

use num_traits::{Float as _, One as _, Zero as _};

use super::vector::Vector;
use crate::num::Acc;

/// A part of C that one kernel computes: c = alpha * a * b + beta * c, m x n, where sums have k terms.
///
/// Columns of `a` and `c` are contiguous. Steps are in elements.
#[derive(Clone, Copy)]
pub(super) struct Tile<T> {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) alpha: T,
    pub(super) a: *const T,
    /// From one column of A to the next.
    pub(super) a_step: isize,
    pub(super) b: *const T,
    /// From one row of B to the next.
    pub(super) b_row: isize,
    /// From one column of B to the next.
    pub(super) b_column: isize,
    pub(super) beta: T,
    pub(super) c: *mut T,
    /// From one column of C to the next.
    pub(super) c_step: isize,
}

/// A function that computes a tile. It reads nothing beside the elements named, nor `c` if beta = 0.
pub(super) type Kernel<T> = unsafe fn(&Tile<T>);

/// Computes a tile of up to MV vectors (in the last of which it ends) and of NR real columns. With `PACKED`, the height
/// of A is full, and rows of A and B follow one another without gaps.
///
/// # Safety
/// All elements are there, those of C are not in use elsewhere, and the instructions of `V` are available.
#[inline(always)]
pub(super) unsafe fn compute<T, V, const MV: usize, const NR: usize, const PACKED: bool>(t: &Tile<T>)
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let parts = const { size_of::<T>() / size_of::<T::Real>() };
    let last = t.m * parts - (MV - 1) * V::LANES;
    // SAFETY: the caller's promise.
    unsafe {
        if PACKED {
            // C is needed last, and is far away.
            for j in 0..NR / parts {
                let c = t.c.wrapping_offset(j as isize * t.c_step).cast::<T::Real>();
                for v in 0..MV {
                    V::prefetch(c.wrapping_add(v * V::LANES));
                }
            }
        }
        let sums = sums::<T, V, MV, NR, PACKED>(t, last);
        let (alpha, beta) = (Coef::<V>::new(t.alpha), Coef::<V>::new(t.beta));
        let keep = !t.beta.is_zero();
        for j in 0..NR / parts {
            let c = t.c.offset(j as isize * t.c_step).cast::<T::Real>();
            for v in 0..MV {
                let sum = together::<T, V, MV, NR>(&sums, j, v);
                let c = c.add(v * V::LANES);
                let full = v + 1 < MV || last == V::LANES;
                let mut x = alpha.times(sum);
                if keep {
                    let old = if full { V::load(c) } else { V::load_first(c, last) };
                    x = beta.times_plus(old, x);
                }
                if full { x.store(c) } else { x.store_first(c, last) }
            }
        }
    }
}

/// The sums of the tile's elements, where the last vector has `last` numbers.
#[inline(always)]
unsafe fn sums<T, V, const MV: usize, const NR: usize, const PACKED: bool>(
    t: &Tile<T>,
    last: usize,
) -> [[V; MV]; NR]
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let parts = const { size_of::<T>() / size_of::<T::Real>() };
    let scaled = |step: isize| step.wrapping_mul(parts as isize);
    let (a_step, b_row, b_column) = if PACKED {
        ((MV * V::LANES) as isize, NR as isize, parts as isize)
    } else {
        (scaled(t.a_step), scaled(t.b_row), scaled(t.b_column))
    };
    let (mut a, mut b) = (t.a.cast::<T::Real>(), t.b.cast::<T::Real>());
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[V::zero(); MV]; NR];
        for _ in 0..t.k {
            let mut column = [V::zero(); MV];
            for (v, x) in column.iter_mut().enumerate() {
                let a = a.add(v * V::LANES);
                *x = if PACKED || v + 1 < MV { V::load(a) } else { V::load_first(a, last) };
            }
            if !PACKED && MV > 1 {
                // The next tile's part of the column, which no processor sees coming.
                V::prefetch(a.wrapping_add(MV * V::LANES));
            }
            for (j, sum) in sums.iter_mut().enumerate() {
                let y = V::splat(*b.offset((j / parts) as isize * b_column + (j % parts) as isize));
                for v in 0..MV {
                    sum[v] = column[v].fma(y, sum[v]);
                }
            }
            a = a.wrapping_offset(a_step);
            b = b.wrapping_offset(b_row);
        }
        sums
    }
}

/// Vector `v` of column `j` of C, of the sums for its real columns.
#[inline(always)]
unsafe fn together<T, V, const MV: usize, const NR: usize>(sums: &[[V; MV]; NR], j: usize, v: usize) -> V
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    match const { size_of::<T>() / size_of::<T::Real>() } {
        1 => sums[j][v],
        // SAFETY: the caller's promise.
        _ => unsafe { sums[2 * j][v].fma_conj(V::splat(T::Real::one()), sums[2 * j + 1][v].swap()) },
    }
}

/// A coefficient in registers. A real one scales the two parts of complex numbers separately.
#[derive(Clone, Copy)]
struct Coef<V> {
    re: V,
    im: V,
    real: bool,
}

impl<V: Vector> Coef<V> {
    #[inline(always)]
    unsafe fn new<T: Acc<Real = V::Real>>(x: T) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Coef { re: V::splat(x.re()), im: V::splat(x.im()), real: x.im().is_zero() } }
    }

    /// The product with `x`.
    #[inline(always)]
    unsafe fn times(self, x: V) -> V {
        // SAFETY: the caller's promise.
        unsafe { if self.real { x.mul(self.re) } else { x.fma_conj(self.re, x.swap().mul(self.im)) } }
    }

    /// The product with `x`, plus `y`.
    #[inline(always)]
    unsafe fn times_plus(self, x: V, y: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            if self.real {
                return x.fma(self.re, y);
            }
            self.times(x).add(y)
        }
    }
}

/// A few equations of a triangular system, for as many right-hand sides as vectors have lanes.
pub(super) struct Step<T> {
    /// How many unknowns are known.
    pub(super) k: usize,
    /// The known unknowns, one after the other.
    pub(super) known: *const T,
    /// Their coefficients, those of one unknown in all equations after those of another.
    pub(super) coefs: *const T,
    /// The coefficients of the unknowns of these equations, equation by equation.
    pub(super) square: *const T,
    /// Pivots are 1, and not looked at.
    pub(super) unit: bool,
    /// Right-hand sides, which become the unknowns.
    pub(super) x: *mut T,
}

/// A function that solves a few equations.
pub(super) type Solver<T> = unsafe fn(&Step<T>);

/// Solves as many equations as NR real columns are, for MV vectors of right-hand sides: from the first to the last if
/// `LOWER`, else from the last to the first.
///
/// # Safety
/// As for [`compute`].
#[inline(always)]
pub(super) unsafe fn solve<T, V, const MV: usize, const NR: usize, const LOWER: bool>(s: &Step<T>)
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let parts = const { size_of::<T>() / size_of::<T::Real>() };
    let n = NR / parts;
    let tile = Tile {
        m: MV * V::LANES / parts,
        n,
        k: s.k,
        alpha: T::one(),
        a: s.known,
        a_step: 0,
        b: s.coefs,
        b_row: 0,
        b_column: 0,
        beta: T::one(),
        c: s.x,
        c_step: 0,
    };
    // SAFETY: the caller's promise.
    unsafe {
        let sums = sums::<T, V, MV, NR, true>(&tile, V::LANES);
        let at = |j: usize, v: usize| s.x.cast::<T::Real>().wrapping_add((j * MV + v) * V::LANES);
        let minus_one = V::splat(-T::Real::one());
        let mut x = [[V::zero(); MV]; NR];
        for j in 0..n {
            for v in 0..MV {
                x[j][v] = together::<T, V, MV, NR>(&sums, j, v).fma(minus_one, V::load(at(j, v)));
            }
        }
        for p in 0..n {
            let j = if LOWER { p } else { n - 1 - p };
            let row = s.square.add(j * n);
            for q in 0..p {
                let l = if LOWER { q } else { n - 1 - q };
                let coef = *row.add(l);
                let (re, im) = (V::splat(-coef.re()), V::splat(-coef.im()));
                for v in 0..MV {
                    x[j][v] = match parts {
                        1 => x[l][v].fma(re, x[j][v]),
                        _ => x[l][v].fma_conj(re, x[l][v].swap().mul(im)).add(x[j][v]),
                    };
                }
            }
            let pivot = *row.add(j);
            for v in 0..MV {
                if !s.unit {
                    x[j][v] = quotient::<T, V>(x[j][v], pivot);
                }
                x[j][v].store(at(j, v));
            }
        }
    }
}

/// The quotients by a pivot.
#[inline(always)]
unsafe fn quotient<T, V>(x: V, pivot: T) -> V
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let (re, im) = (pivot.re(), pivot.im());
    // SAFETY: the caller's promise.
    unsafe {
        if size_of::<T>() == size_of::<T::Real>() || im.is_zero() {
            return x.div(V::splat(re));
        }
        // Where squares and products are far from the borders of the range, the plain formula is as good as any.
        if V::is_moderate(V::splat(re.abs().max(im.abs()))) && x.is_moderate() {
            let product = x.fma_conj(V::splat(re), x.swap().mul(V::splat(-im)));
            return product.div(V::splat(re * re + im * im));
        }
        slow::<T, V>(x, pivot)
    }
}

/// [`quotient`] number by number.
#[inline(always)]
unsafe fn slow<T, V>(x: V, pivot: T) -> V
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    // Room for the largest vector.
    let mut numbers = [T::zero(); 16];
    // SAFETY: the caller's promise; a vector has at most 16 numbers.
    unsafe {
        x.store(numbers.as_mut_ptr().cast());
        for x in &mut numbers {
            *x = x.divide(pivot);
        }
        V::load(numbers.as_ptr().cast())
    }
}
