//! The innermost loops: one register tile of C.
//!
//! A tile is a few vectors high and a few columns wide. Complex numbers are multiplied as pairs of reals: the columns of
//! A stay as they are, B gives two real columns for each of its own (real and imaginary parts), and the sums of the two
//! are put together once, at the end.

// Closures are compiled without the instructions of the vectors, and so are what iterators call.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use num_traits::{Float as _, One as _, Zero as _};

use super::vector::Vector;
use crate::lanes::Real as _;
use crate::num::Acc;

/// A part of C that one kernel computes: c = alpha * a * b + beta * c, m x n, where sums have k terms.
///
/// Columns of `a` and `c` are contiguous. Steps are in elements.
#[derive(Clone, Copy)]
pub(crate) struct Tile<T> {
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
    /// B is conjugated.
    pub(super) conj: bool,
    /// Another product to add, of which the operands and the length of sums count, or null. Only kernels of our own for
    /// operands of any strides look at it.
    pub(super) more: *const Tile<T>,
    /// Where kernels that copy leave the columns of A, one after the other and filled up with zeros.
    pub(super) copy: *mut T,
}

/// A function that computes a tile. It reads nothing beside the elements named, nor `c` if beta = 0.
pub(super) type Kernel<T> = unsafe fn(&Tile<T>);

/// Computes a tile of up to MV vectors (in the last of which it ends) and of NR real columns. With `PACKED`, the height
/// of A is full, and rows of A and B follow one another without gaps; a tile of more rows is a column of such tiles, of
/// which the operands A follow one another. With `COPY`, A is packed by the way.
///
/// # Safety
/// All elements are there, those of C are not in use elsewhere, and the instructions of `V` are available.
#[inline(always)]
pub(super) unsafe fn compute<T, V, const MV: usize, const NR: usize, const PACKED: bool, const COPY: bool>(
    t: &Tile<T>,
) where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let parts = const { size_of::<T>() / size_of::<T::Real>() };
    let height = MV * V::N;
    // SAFETY: the caller's promise.
    unsafe {
        let (update, signs) = (Update::<V>::new(t), V::signs(t.conj));
        let (mut left, mut a, mut c) = (t.m * parts, t.a.cast::<T::Real>(), t.c.cast::<T::Real>());
        loop {
            let last = left.min(height) - (MV - 1) * V::N;
            let column = |j: usize| c.wrapping_offset(j as isize * t.c_step * parts as isize);
            let sums = if PACKED {
                for j in 0..NR / parts {
                    // C is needed last, and is far away.
                    for v in 0..MV {
                        V::prefetch(column(j).wrapping_add(v * V::N));
                    }
                }
                packed_sums::<V, MV, NR>(t.k, a, t.b.cast())
            } else {
                sums::<T, V, MV, NR, COPY>(t, last)
            };
            // Decided once: sums stay in registers only where the loops are short enough to be written out.
            match update.way {
                STORED => update.write_all::<T, MV, NR, STORED>(&sums, signs, c, t.c_step, last),
                ADDED => update.write_all::<T, MV, NR, ADDED>(&sums, signs, c, t.c_step, last),
                _ => update.write_all::<T, MV, NR, SCALED>(&sums, signs, c, t.c_step, last),
            }
            if !PACKED || left <= height {
                return;
            }
            (left, a, c) = (left - height, a.add(t.k * height), c.add(height));
        }
    }
}

/// The sums of the tile's elements, where the last vector has `last` numbers.
#[inline(always)]
unsafe fn sums<T, V, const MV: usize, const NR: usize, const COPY: bool>(
    t: &Tile<T>,
    last: usize,
) -> [[V; MV]; NR]
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[V::zero(); MV]; NR];
        let mut next: *const Tile<T> = t;
        while let Some(t) = next.as_ref() {
            let [a_step, b_row, b_column] =
                [t.a_step, t.b_row, t.b_column].map(|step| step.wrapping_mul(T::PARTS as isize));
            // Every fourth column of B has a pointer of its own; from one to the others is a step, or two, or three. Left
            // to itself, the compiler forms each pointer from the one before, and the processor waits for them.
            let [step, three, four, eight] =
                [1, 3, 4, 8].map(|columns: isize| V::opaque(columns.wrapping_mul(b_column)));
            let (mut a, b, mut copy) =
                (t.a.cast::<T::Real>(), t.b.cast::<T::Real>(), t.copy.cast::<T::Real>());
            let mut columns = [b, b.wrapping_offset(four), b.wrapping_offset(eight)];
            for _ in 0..t.k {
                let mut column = [V::zero(); MV];
                for v in 0..MV {
                    let a = a.add(v * V::N);
                    column[v] = if v + 1 < MV { V::load(a) } else { V::load_first(a, last) };
                }
                if COPY {
                    for v in 0..MV {
                        column[v].store(copy.add(v * V::N));
                        // From column to column is a step that no processor sees coming.
                        V::prefetch(a.wrapping_offset(AHEAD as isize * a_step).wrapping_add(v * V::N));
                    }
                    copy = copy.add(MV * V::N);
                } else if MV > 1 {
                    // The next tile's part of the column, which no processor sees coming.
                    V::prefetch(a.wrapping_add(MV * V::N));
                }
                for j in 0..NR {
                    let first = columns[j / T::PARTS / 4].add(j % T::PARTS);
                    let y = V::splat(match j / T::PARTS % 4 {
                        0 => *first,
                        1 => *first.offset(step),
                        2 => *first.offset(2 * step),
                        _ => *first.offset(three),
                    });
                    for v in 0..MV {
                        sums[j][v] = column[v].fma(y, sums[j][v]);
                    }
                }
                a = a.wrapping_offset(a_step);
                columns = columns.map(|p| p.wrapping_offset(b_row));
            }
            next = t.more;
        }
        sums
    }
}

/// Columns of A that are asked for before they are needed: they come from the second-level cache.
const AHEAD: usize = 8;

/// [`sums`] of packed operands, where rows and columns are full.
#[inline(always)]
unsafe fn packed_sums<V: Vector, const MV: usize, const NR: usize>(
    mut k: usize,
    mut a: *const V::Real,
    mut b: *const V::Real,
) -> [[V; MV]; NR] {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[V::zero(); MV]; NR];
        while k >= 4 {
            sums = packed_step(sums, a, b);
            sums = packed_step(sums, a.add(MV * V::N), b.add(NR));
            sums = packed_step(sums, a.add(2 * MV * V::N), b.add(2 * NR));
            sums = packed_step(sums, a.add(3 * MV * V::N), b.add(3 * NR));
            (k, a, b) = (k - 4, a.add(4 * MV * V::N), b.add(4 * NR));
        }
        while k > 0 {
            sums = packed_step(sums, a, b);
            (k, a, b) = (k - 1, a.add(MV * V::N), b.add(NR));
        }
        sums
    }
}

/// Adds the products of a column of A and a row of B.
#[inline(always)]
unsafe fn packed_step<V: Vector, const MV: usize, const NR: usize>(
    mut sums: [[V; MV]; NR],
    a: *const V::Real,
    b: *const V::Real,
) -> [[V; MV]; NR] {
    // SAFETY: the caller's promise.
    unsafe {
        let mut column = [V::zero(); MV];
        for v in 0..MV {
            column[v] = V::load(a.add(v * V::N));
            V::prefetch(a.wrapping_add((AHEAD * MV + v) * V::N));
        }
        for j in 0..NR {
            let y = V::splat(*b.add(j));
            for v in 0..MV {
                sums[j][v] = column[v].fma(y, sums[j][v]);
            }
        }
        sums
    }
}

/// Vector `v` of column `j` of C, of the sums for its real columns.
#[inline(always)]
unsafe fn together<T, V, const MV: usize, const NR: usize>(
    sums: &[[V; MV]; NR],
    j: usize,
    v: usize,
    signs: V,
) -> V
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    match const { size_of::<T>() / size_of::<T::Real>() } {
        1 => sums[j][v],
        // SAFETY: the caller's promise.
        _ => unsafe { sums[2 * j][v].pair(sums[2 * j + 1][v], signs) },
    }
}

/// The ways of an [`Update`]: alpha = 1 and beta = 0.
const STORED: u8 = 0;
/// alpha = 1 and beta = 1.
const ADDED: u8 = 1;
/// Any coefficients.
pub(super) const SCALED: u8 = 2;

/// What becomes of sums.
pub(super) struct Update<V> {
    way: u8,
    alpha: Coef<V>,
    beta: Coef<V>,
    /// beta is not 0
    keep: bool,
}

impl<V: Vector> Update<V> {
    /// # Safety
    /// As for [`compute`], here and below.
    #[inline(always)]
    pub(super) unsafe fn new<T: Acc<Real = V::Real>>(t: &Tile<T>) -> Self {
        let way = match (t.alpha.is_one(), t.beta) {
            (true, beta) if beta.is_zero() => STORED,
            (true, beta) if beta.is_one() => ADDED,
            _ => SCALED,
        };
        // SAFETY: the caller's promise.
        unsafe { Update { way, alpha: Coef::new(t.alpha), beta: Coef::new(t.beta), keep: !t.beta.is_zero() } }
    }

    /// Writes the first `n` numbers of a vector of C, whose sums are given.
    #[inline(always)]
    pub(super) unsafe fn write<const WAY: u8>(&self, sum: V, c: *mut V::Real, n: usize) {
        let full = n == V::N;
        // SAFETY: the caller's promise.
        unsafe {
            let mut x = if WAY == SCALED { self.alpha.times(sum) } else { sum };
            if WAY == ADDED || WAY == SCALED && self.keep {
                let old = if full { V::load(c) } else { V::load_first(c, n) };
                x = if WAY == ADDED { old.add(x) } else { self.beta.times_plus(old, x) };
            }
            if full { x.store(c) } else { x.store_first(c, n) }
        }
    }

    /// Writes a tile, whose last vector of a column has `last` numbers.
    #[inline(always)]
    unsafe fn write_all<T: Acc<Real = V::Real>, const MV: usize, const NR: usize, const WAY: u8>(
        &self,
        sums: &[[V; MV]; NR],
        signs: V,
        c: *mut V::Real,
        c_step: isize,
        last: usize,
    ) {
        /// Written out: sums stay in registers only where the compiler knows all indices.
        macro_rules! each { ($($p:literal)*) => {$(
            if $p < MV * NR / T::PARTS {
                let (j, v) = ($p / MV, $p % MV);
                let c = c.wrapping_offset(j as isize * c_step * T::PARTS as isize).wrapping_add(v * V::N);
                // SAFETY: the caller's promise.
                unsafe {
                    let sum = together::<T, V, MV, NR>(sums, j, v, signs);
                    self.write::<WAY>(sum, c, if v + 1 < MV { V::N } else { last });
                }
            }
        )*}}
        each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);
        const { assert!(MV * NR <= 24) };
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

/// A part of C that the diagonal crosses: m x n, of which what is on one side of the diagonal becomes x + beta * c. Columns of
/// `x` follow one another.
pub(super) struct Slant<T> {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) x: *const T,
    pub(super) beta: T,
    pub(super) c: *mut T,
    pub(super) c_step: isize,
    /// The row of the diagonal in the first column.
    pub(super) first: isize,
    /// What is below the diagonal is written, else what is above it.
    pub(super) lower: bool,
}

impl<T> Slant<T> {
    /// The rows of column `j` that are written.
    #[inline(always)]
    pub(super) fn rows(&self, j: usize) -> Range<usize> {
        let diagonal = self.first + j as isize;
        if self.lower {
            diagonal.clamp(0, self.m as isize) as usize..self.m
        } else {
            0..(diagonal + 1).clamp(0, self.m as isize) as usize
        }
    }
}

/// A function that writes such a part. With beta = 0, C is not read.
pub(super) type Adder<T> = unsafe fn(&Slant<T>);

/// An [`Adder`].
///
/// # Safety
/// As for [`compute`].
#[inline(always)]
pub(super) unsafe fn add<T, V>(s: &Slant<T>)
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let parts = const { size_of::<T>() / size_of::<T::Real>() };
    let keep = !s.beta.is_zero();
    // SAFETY: the caller's promise.
    unsafe {
        let beta = Coef::<V>::new(s.beta);
        for j in 0..s.n {
            let rows = s.rows(j);
            let (mut i, end) = (rows.start * parts, rows.end * parts);
            let x = s.x.add(j * s.m).cast::<T::Real>();
            let c = s.c.offset(j as isize * s.c_step).cast::<T::Real>();
            while i < end {
                let m = V::N.min(end - i);
                let (mut sum, c) = (V::load_first(x.add(i), m), c.add(i));
                if keep {
                    sum = beta.times_plus(V::load_first(c, m), sum);
                }
                sum.store_first(c, m);
                i += m;
            }
        }
    }
}

/// A function that tells whether no element of a matrix of this size is NaN or infinite. Columns are contiguous, and as far
/// apart as the last argument says.
pub(super) type Judge<T> = unsafe fn([usize; 2], *const T, isize) -> bool;

/// A [`Judge`].
///
/// # Safety
/// As for [`compute`].
#[inline(always)]
pub(super) unsafe fn is_finite<T, V>([m, n]: [usize; 2], x: *const T, step: isize) -> bool
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let len = m * const { size_of::<T>() / size_of::<T::Real>() };
    // SAFETY: the caller's promise.
    unsafe {
        // Zero times a finite number is zero, and so are sums of it; NaN and infinity make them NaN.
        let (zero, mut sums) = (V::zero(), [V::zero(); 4]);
        for j in 0..n {
            let x = x.offset(j as isize * step).cast::<T::Real>();
            let mut i = 0;
            while i + 4 * V::N <= len {
                for v in 0..4 {
                    sums[v] = V::load(x.add(i + v * V::N)).fma(zero, sums[v]);
                }
                i += 4 * V::N;
            }
            while i + V::N <= len {
                sums[1] = V::load(x.add(i)).fma(zero, sums[1]);
                i += V::N;
            }
            if i < len {
                sums[0] = V::load_first(x.add(i), len - i).fma(zero, sums[0]);
            }
        }
        !sums[0].has_nan(sums[1]) && !sums[2].has_nan(sums[3])
    }
}

/// A few equations of a triangular system, for one or two groups of as many right-hand sides as vectors have lanes.
pub(super) struct Step<T> {
    /// How many unknowns are known.
    pub(super) k: usize,
    /// The known unknowns, one after the other.
    pub(super) known: [*const T; 2],
    /// Their coefficients, those of one unknown in all equations after those of another.
    pub(super) coefs: *const T,
    /// The coefficients of the unknowns of these equations, equation by equation; after them [`reciprocal`] of each pivot.
    pub(super) square: *const T,
    /// Pivots are 1, and not looked at.
    pub(super) unit: bool,
    /// Right-hand sides, which become the unknowns: those of one group may be there twice.
    pub(super) x: [*mut T; 2],
}

/// A function that solves a few equations.
pub(super) type Solver<T> = unsafe fn(&Step<T>);

/// Solves as many equations as NR real columns are, for MV vectors of right-hand sides in each group: from the first to the
/// last if `LOWER`, else from the last to the first.
///
/// # Safety
/// As for [`compute`].
#[inline(always)]
pub(super) unsafe fn solve<T, V, const MV: usize, const NR: usize, const LOWER: bool>(s: &Step<T>)
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    // SAFETY: the caller's promise.
    unsafe {
        remove::<T, V, MV, NR>(s, 0);
        if s.x[0] != s.x[1] {
            remove::<T, V, MV, NR>(s, 1);
        }
        let mut x = [[[V::zero(); MV]; 2]; NR];
        // Written out: arrays stay in registers only where the compiler knows all indices.
        equation::<T, V, MV, NR, LOWER, 0>(s, &mut x);
        equation::<T, V, MV, NR, LOWER, 1>(s, &mut x);
        equation::<T, V, MV, NR, LOWER, 2>(s, &mut x);
        equation::<T, V, MV, NR, LOWER, 3>(s, &mut x);
        equation::<T, V, MV, NR, LOWER, 4>(s, &mut x);
        equation::<T, V, MV, NR, LOWER, 5>(s, &mut x);
        equation::<T, V, MV, NR, LOWER, 6>(s, &mut x);
        equation::<T, V, MV, NR, LOWER, 7>(s, &mut x);
        const { assert!(NR <= 8) };
    }
}

/// Frees the equations of what is known, for one group of right-hand sides.
#[inline(always)]
unsafe fn remove<T, V, const MV: usize, const NR: usize>(s: &Step<T>, group: usize)
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let parts = const { size_of::<T>() / size_of::<T::Real>() };
    // SAFETY: the caller's promise.
    unsafe {
        let sums = packed_sums::<V, MV, NR>(s.k, s.known[group].cast(), s.coefs.cast());
        let signs = V::signs(false);
        for j in 0..NR / parts {
            for v in 0..MV {
                let x = s.x[group].cast::<T::Real>().add((j * MV + v) * V::N);
                let sum = together::<T, V, MV, NR>(&sums, j, v, signs);
                sum.fma(V::splat(-T::Real::one()), V::load(x)).store(x);
            }
        }
    }
}

/// Solves equation P, if there are so many, where those before it are solved. (Each waits for the one before it; two groups
/// of right-hand sides wait together.)
#[inline(always)]
unsafe fn equation<T, V, const MV: usize, const NR: usize, const LOWER: bool, const P: usize>(
    s: &Step<T>,
    x: &mut [[[V; MV]; 2]; NR],
) where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let parts = const { size_of::<T>() / size_of::<T::Real>() };
    let n = NR / parts;
    if P >= n {
        return;
    }
    let j = if LOWER { P } else { n - 1 - P };
    let at = s.x.map(|x| x.cast::<T::Real>().wrapping_add(j * MV * V::N));
    // SAFETY: the caller's promise.
    unsafe {
        let mut sides = [[V::zero(); MV]; 2];
        for g in 0..2 {
            for v in 0..MV {
                sides[g][v] = V::load(at[g].add(v * V::N));
            }
        }
        let row = s.square.add(j * n);
        for q in 0..P {
            let l = if LOWER { q } else { n - 1 - q };
            let coef = *row.add(l);
            let (re, im) = (V::splat(-coef.re()), V::splat(-coef.im()));
            for g in 0..2 {
                for v in 0..MV {
                    sides[g][v] = match parts {
                        1 => x[l][g][v].fma(re, sides[g][v]),
                        _ => x[l][g][v].fma_conj(re, x[l][g][v].swap().mul(im)).add(sides[g][v]),
                    };
                }
            }
        }
        if !s.unit {
            let (pivot, reciprocal) = (*row.add(j), (*s.square.add(n * n + j)).re());
            for g in 0..2 {
                sides[g] = quotients::<T, V, MV>(sides[g], pivot, reciprocal);
            }
        }
        for g in 0..2 {
            for v in 0..MV {
                sides[g][v].store(at[g].add(v * V::N));
            }
        }
        x[j] = sides;
    }
}

/// One over what numbers are divided by on the way to their quotients by `pivot`: that itself, or the square of its size. NaN
/// if the quotients need another way, since the pivot is zero, or so small or large that parts of them could be.
pub(super) fn reciprocal<T: Acc>(pivot: T) -> T {
    let (re, im) = (pivot.re(), pivot.im());
    let [low, high] = T::Real::MODERATE;
    let is_moderate = |x: T::Real| x.abs() >= low && x.abs() <= high;
    let reciprocal = match (im.is_zero(), is_moderate(re), is_moderate(im)) {
        (true, true, _) => re.recip(),
        (false, true, true) => (re * re + im * im).recip(),
        (false, false, true) if re.is_zero() => (im * im).recip(),
        _ => T::Real::nan(),
    };
    T::new(reciprocal, T::Real::zero())
}

/// The quotients by a pivot with this [`reciprocal`].
#[inline(always)]
unsafe fn quotients<T, V, const MV: usize>(mut x: [V; MV], pivot: T, reciprocal: T::Real) -> [V; MV]
where
    T: Acc,
    V: Vector<Real = T::Real>,
{
    let (re, im) = (pivot.re(), pivot.im());
    // SAFETY: the caller's promise.
    unsafe {
        if size_of::<T>() == size_of::<T::Real>() || im.is_zero() {
            let mut quotients = [V::zero(); MV];
            let mut least = x[0].abs();
            for v in 0..MV {
                quotients[v] = divided(x[v], re, reciprocal);
                least = least.min(x[v].abs());
            }
            let mut special = least.at_most(V::splat(T::Real::MODERATE[0]));
            for v in 0..MV {
                if v % 2 == 1 || v + 1 == MV {
                    special = V::either(special, quotients[v].nan(quotients[v - v % 2]));
                }
            }
            if V::bits(special) != 0 {
                for v in 0..MV {
                    quotients[v] = x[v].div(V::splat(re));
                }
            }
            return quotients;
        }
        // Where squares and products are far from the borders of the range, the plain formula is as good as any.
        for x in &mut x {
            *x = if !reciprocal.is_nan() && x.is_moderate() {
                let product = x.fma_conj(V::splat(re), x.swap().mul(V::splat(-im)));
                divided(product, re * re + im * im, reciprocal)
            } else {
                slow::<T, V>(*x, pivot)
            };
        }
        x
    }
}

/// The quotients by a moderate `y` of numbers that are not small; NaN where one is not finite. A product with the reciprocal, put right
/// by what it leaves over, is the rounded quotient (Markstein, *Computation of elementary functions on the IBM RISC
/// System/6000 processor*, 1990), in a fraction of the time of a division.
#[inline(always)]
unsafe fn divided<V: Vector<Real: num_traits::Float>>(x: V, y: V::Real, reciprocal: V::Real) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        let reciprocal = V::splat(reciprocal);
        let quotient = x.mul(reciprocal);
        let rest = quotient.fma(V::splat(-y), x);
        rest.fma(reciprocal, quotient)
    }
}

/// [`quotients`] number by number.
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
        divide_each(&mut numbers, pivot);
        V::load(numbers.as_ptr().cast())
    }
}

/// Out of the way of those who rarely need it.
#[cold]
#[inline(never)]
fn divide_each<T: Acc>(x: &mut [T], pivot: T) {
    x.iter_mut().for_each(|x| *x = x.divide(pivot));
}
