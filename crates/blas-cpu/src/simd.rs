//! Inner loops on contiguous numbers.
//!
//! Those that matter most are [kernels](crate::lanes) for the registers of the machine. The others are written for the
//! compiler to vectorise, and are compiled once more for wider registers by [`wide`].

#![expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, those of iterators not always"
)]

use std::ops::Range;

use blas_api::{RealField, Scalar};
use num_traits::Zero;

use crate::isa::Isa;
use crate::lanes::{Kernel, Lanes, Line, run, run_line};
use crate::num::Acc;

/// Runs `f` compiled for AVX2 where the machine has it. `f` must be `#[inline(always)]`, and what it calls as well.
#[inline(always)]
pub(crate) fn wide<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        if Isa::get() != Isa::Portable {
            // SAFETY: all other families include AVX2.
            return unsafe { avx2(f) };
        }
    }
    f()
}

/// Partial sums that reductions keep: two AVX registers of f64, so that additions overlap.
const LANES: usize = 16;

/// Sum of f(x_i), in a fixed order.
#[inline(always)]
pub(crate) fn sum<T: Copy, S: Scalar>(x: &[T], f: impl Fn(T) -> S) -> S {
    let (whole, rest) = x.as_chunks::<LANES>();
    let mut lanes = [S::default(); LANES];
    for x in whole {
        for l in 0..LANES {
            lanes[l] += f(x[l]);
        }
    }
    total(lanes) + rest.iter().fold(S::default(), |sum, x| sum + f(*x))
}

/// Sum of f(x_i, y_i), in a fixed order.
#[inline(always)]
pub(crate) fn sum2<T: Copy, S: Scalar>(x: &[T], y: &[T], f: impl Fn(T, T) -> S) -> S {
    let ((xs, x_rest), (ys, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let mut lanes = [S::default(); LANES];
    for (x, y) in xs.iter().zip(ys) {
        for l in 0..LANES {
            lanes[l] += f(x[l], y[l]);
        }
    }
    total(lanes) + x_rest.iter().zip(y_rest).fold(S::default(), |sum, (x, y)| sum + f(*x, *y))
}

/// Sum of partial sums: halves are added to halves.
#[inline(always)]
fn total<S: Scalar>(mut lanes: [S; LANES]) -> S {
    let mut width = LANES / 2;
    while width > 0 {
        for l in 0..width {
            let upper = lanes[l + width];
            lanes[l] += upper;
        }
        width /= 2;
    }
    lanes[0]
}

/// Calls `f` with the start of each register of 0..n, in groups of `U` that the compiler unrolls and then in smaller ones, and
/// the number of the register in its group. Returns where the rest that fills no register starts.
#[inline(always)]
fn registers<const U: usize>(n: usize, width: usize, mut f: impl FnMut(usize, usize)) -> usize {
    let mut i = 0;
    while i + U * width <= n {
        for u in 0..U {
            f(u, i + u * width);
        }
        i += U * width;
    }
    let mut group = U / 2;
    while group > 0 {
        if i + group * width <= n {
            for u in 0..group {
                f(u, i + u * width);
            }
            i += group * width;
        }
        group /= 2;
    }
    i
}

/// Replaces each register of the `n` numbers at `y` by `f` of its place and its numbers, in groups of `U`. What fills no
/// register is taken in [`pieces`]. `f` is given which numbers to load.
#[inline(always)]
unsafe fn update<V: Lanes, const U: usize>(n: usize, y: *mut V::Real, f: impl Fn(Load, V) -> V) {
    // SAFETY: within the n numbers.
    unsafe {
        let rest = registers::<U>(
            n,
            V::N,
            #[inline(always)]
            |_, at| f(Load { at, part: Part::All }, V::load(y.add(at))).store(y.add(at)),
        );
        pieces(
            rest..n,
            V::N,
            #[inline(always)]
            |load| load.store(f(load, load.from(y)), y),
        );
    }
}

/// Calls `f` with pieces that are the numbers `r` together, fewer than a register holds: each is half as long as the one before, or
/// less. A processor hands over to a load what was stored a moment ago by one store, and the next call is often on the same
/// vector; besides, some processors are slow at storing places of a register here and there.
#[inline(always)]
fn pieces(r: Range<usize>, width: usize, mut f: impl FnMut(Load)) {
    let (mut at, mut piece) = (r.start, width / 2);
    while piece > 0 {
        if r.len() & piece != 0 {
            f(Load { at, part: Part::Piece(piece) });
            at += piece;
        }
        piece /= 2;
    }
}

/// Columns from `j` on of a triangle of order n, as many as make whole registers. The registers that hold the square on the
/// diagonal are their block; the others begin where those of other columns do, so that what was stored for one group is
/// loaded for the next as it was stored: a processor can hand over nothing else before it has left for the cache.
#[derive(Clone, Copy)]
pub(crate) struct Columns {
    pub(crate) lower: bool,
    pub(crate) n: usize,
    pub(crate) j: usize,
}

impl Columns {
    /// Calls `f` with the registers beside the block of `K` columns.
    #[inline(always)]
    fn beside<C: Acc, const K: usize>(self, width: usize, mut f: impl FnMut(Load)) {
        let at = self.j * C::PARTS;
        let (mut next, end) =
            if self.lower { (at + K * C::PARTS, self.n * C::PARTS) } else { (at % width, at) };
        if !self.lower && next > 0 {
            f(Load { at: 0, part: Part::First(next) });
        }
        while next + width <= end {
            f(Load { at: next, part: Part::All });
            next += width;
        }
        pieces(next..end, width, f);
    }

    /// The places in register `r` of the block that are off the diagonal of column `k`, where its elements are.
    #[inline(always)]
    fn block<C: Acc, const LOWER: bool>(width: usize, r: usize, k: usize) -> Range<usize> {
        let place = |row: usize| (row * C::PARTS).saturating_sub(r * width).min(width);
        if LOWER { place(k + 1)..width } else { 0..place(k) }
    }
}

/// Which numbers make a register.
#[derive(Clone, Copy)]
struct Load {
    at: usize,
    part: Part,
}

/// The places of a register that are meant.
#[derive(Clone, Copy)]
enum Part {
    All,
    /// The first ones.
    First(usize),
    /// The first ones, by one load.
    Piece(usize),
}

impl Load {
    #[inline(always)]
    unsafe fn from<V: Lanes>(self, p: *const V::Real) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            match self.part {
                Part::All => V::load(p.add(self.at)),
                Part::First(n) => V::load_some(p.wrapping_add(self.at), 0..n),
                Part::Piece(n) => V::load_piece(p.add(self.at), n),
            }
        }
    }

    /// Stores what was loaded.
    #[inline(always)]
    unsafe fn store<V: Lanes>(self, x: V, p: *mut V::Real) {
        // SAFETY: the caller's promise.
        unsafe {
            match self.part {
                Part::All => x.store(p.add(self.at)),
                Part::First(n) => x.store_first(p.add(self.at), n),
                Part::Piece(n) => x.store_piece(p.add(self.at), n),
            }
        }
    }
}

/// Coefficients as registers: a * x is `own * x + swap(other * x)`. For real types there is no other.
#[inline(always)]
unsafe fn coefs<C: Acc, V: Lanes<Real = C::Real>>(a: C, conj: bool) -> [V; 2] {
    let (re, im) = (a.re(), a.im());
    // SAFETY: the caller's promise.
    unsafe {
        if !C::COMPLEX {
            [V::splat(re); 2]
        } else if conj {
            [V::pairs(re, -re), V::splat(im)]
        } else {
            [V::splat(re), V::pairs(im, -im)]
        }
    }
}

/// y += the sum of a_k * x_k over K vectors, conjugated if `conj`.
pub(crate) struct Axpy<C, const K: usize> {
    pub(crate) n: usize,
    pub(crate) conj: bool,
    pub(crate) a: [C; K],
    pub(crate) x: [*const C; K],
    pub(crate) y: *mut C,
}

impl<C: Acc, const K: usize> Kernel<C::Real> for Axpy<C, K> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        // SAFETY: n elements are there.
        unsafe {
            let a = self.coefs::<V>();
            let (n, y) = (self.n * C::PARTS, self.y.cast());
            if K == 1 {
                update::<V, 4>(
                    n,
                    y,
                    #[inline(always)]
                    |load, y| self.term(&a, load, y),
                );
            } else {
                update::<V, 1>(
                    n,
                    y,
                    #[inline(always)]
                    |load, y| self.term(&a, load, y),
                );
            }
        }
    }
}

impl<C: Acc, const K: usize> Axpy<C, K> {
    /// Adds what `columns`, which are the vectors x, have off the diagonal: with the block or without.
    ///
    /// # Safety
    /// As for [`Kernel::run`], of the rows meant alone.
    #[inline(always)]
    pub(crate) unsafe fn run_columns<V: Lanes<Real = C::Real>>(&self, columns: Columns, block: bool) {
        // SAFETY: the caller's promise.
        unsafe {
            let (a, y) = (self.coefs::<V>(), self.y.cast::<C::Real>());
            if block {
                self.add_block(&a, columns);
            }
            columns.beside::<C, K>(
                V::N,
                #[inline(always)]
                |load| load.store(self.term(&a, load, load.from(y)), y),
            );
        }
    }

    /// [`run_columns`](Self::run_columns) with the block, and sums of products of the same vectors with another one, in one
    /// pass.
    ///
    /// # Safety
    /// As for [`Kernel::run`].
    #[inline(always)]
    pub(crate) unsafe fn run_columns_with_dot<V>(&self, columns: Columns, dot: &Dot<C, K>) -> [C; K]
    where
        V: Lanes<Real = C::Real>,
    {
        // SAFETY: the caller's promise.
        unsafe {
            let (a, y) = (self.coefs::<V>(), self.y.cast::<C::Real>());
            let mut own = [V::splat(C::Real::zero()); K];
            let mut other = own;
            self.add_block(&a, columns);
            dot.add_block(&mut own, &mut other, columns);
            columns.beside::<C, K>(
                V::N,
                #[inline(always)]
                |load| {
                    load.store(self.term(&a, load, load.from(y)), y);
                    dot.add(&mut own, &mut other, load);
                },
            );
            dot.total(&own, &other)
        }
    }

    /// Adds to the block, whose other places are stored as they were.
    #[inline(always)]
    unsafe fn add_block<V: Lanes<Real = C::Real>>(&self, a: &[[V; 2]; K], columns: Columns) {
        // SAFETY: the caller's promise.
        unsafe {
            if columns.lower {
                self.add_block_of::<V, true>(a, columns)
            } else {
                self.add_block_of::<V, false>(a, columns)
            }
        }
    }

    #[inline(always)]
    unsafe fn add_block_of<V: Lanes<Real = C::Real>, const LOWER: bool>(
        &self,
        a: &[[V; 2]; K],
        columns: Columns,
    ) {
        for r in 0..K * C::PARTS / V::N {
            let at = columns.j * C::PARTS + r * V::N;
            // SAFETY: the caller's promise.
            unsafe {
                let y = self.y.cast::<C::Real>().add(at);
                let mut sum = V::load(y);
                for k in 0..K {
                    let part = Columns::block::<C, LOWER>(V::N, r, k);
                    if part.is_empty() {
                        continue;
                    }
                    let x = V::load_some(self.x[k].cast::<C::Real>().wrapping_add(at), part.clone());
                    let mut new = a[k][0].fma(x, sum);
                    if C::COMPLEX {
                        new = new.add(a[k][1].mul(x).swap());
                    }
                    sum = new.within(part, sum);
                }
                sum.store(y);
            }
        }
    }

    /// The coefficients as registers.
    #[inline(always)]
    unsafe fn coefs<V: Lanes<Real = C::Real>>(&self) -> [[V; 2]; K] {
        // SAFETY: the caller's promise.
        unsafe {
            let mut a = [coefs::<C, V>(self.a[0], self.conj); K];
            for k in 1..K {
                a[k] = coefs::<C, V>(self.a[k], self.conj);
            }
            if K == 1 {
                a[0][1] = a[0][1].swap();
            }
            a
        }
    }

    /// y and what is added to it.
    #[inline(always)]
    unsafe fn term<V: Lanes<Real = C::Real>>(&self, a: &[[V; 2]; K], load: Load, y: V) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            let x: V = load.from(self.x[0].cast());
            let mut own = a[0][0].fma(x, y);
            if K == 1 {
                return if C::COMPLEX { a[0][1].fma(x.swap(), own) } else { own };
            }
            // The parts of many sums change places together.
            let mut other = a[0][1].mul(x);
            for k in 1..K {
                let x: V = load.from(self.x[k].cast());
                own = a[k][0].fma(x, own);
                if C::COMPLEX {
                    other = a[k][1].fma(x, other);
                }
            }
            if C::COMPLEX { own.add(other.swap()) } else { own }
        }
    }
}

/// y_k += a_k * x for K vectors y, x conjugated if `conj`.
pub(crate) struct Spread<C, const K: usize> {
    pub(crate) n: usize,
    pub(crate) conj: bool,
    pub(crate) a: [C; K],
    pub(crate) x: *const C,
    pub(crate) y: [*mut C; K],
}

impl<C: Acc, const K: usize> Kernel<C::Real> for Spread<C, K> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) {
        let n = self.n * C::PARTS;
        // SAFETY: n elements are there.
        unsafe {
            let mut a = [[V::splat(C::Real::zero()); 2]; K];
            for k in 0..K {
                let [own, other] = coefs::<C, V>(self.a[k], self.conj);
                a[k] = [own, other.swap()];
            }
            let rest = registers::<1>(
                n,
                V::N,
                #[inline(always)]
                |_, at| self.add(&a, Load { at, part: Part::All }),
            );
            pieces(
                rest..n,
                V::N,
                #[inline(always)]
                |load| self.add(&a, load),
            );
        }
    }
}

impl<C: Acc, const K: usize> Spread<C, K> {
    /// Adds to a register of each y.
    #[inline(always)]
    unsafe fn add<V: Lanes<Real = C::Real>>(&self, a: &[[V; 2]; K], load: Load) {
        // SAFETY: the caller's promise.
        unsafe {
            let x: V = load.from(self.x.cast());
            for k in 0..K {
                let y = self.y[k].cast();
                let sum = a[k][0].fma(x, load.from(y));
                load.store(if C::COMPLEX { a[k][1].fma(x.swap(), sum) } else { sum }, y);
            }
        }
    }
}

/// y += the sum of alpha_i * x_i over vectors as long as y, conjugated if `conj`
#[inline]
pub(crate) fn axpys<C: Acc, const K: usize>(conj: bool, alpha: [C; K], x: [&[C]; K], y: &mut [C]) {
    let n = y.len();
    let x = x.map(|x| x[..n].as_ptr());
    run(&Axpy { n, conj, a: alpha, x, y: y.as_mut_ptr() });
}

/// y += a * x, x conjugated if `CONJ`
struct Add<const CONJ: bool>;

impl<C: Acc, const CONJ: bool> Line<C> for Add<CONJ> {
    type Real = C::Real;
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(n: usize, a: C, x: *const C, y: *mut C) {
        // SAFETY: the caller's promise.
        unsafe { Axpy { n, conj: CONJ, a: [a], x: [x], y }.run::<V>() }
    }
}

/// y += alpha * x
#[inline(always)]
pub(crate) fn axpy<C: Acc>(alpha: C, x: &[C], y: &mut [C]) {
    let n = y.len();
    // SAFETY: n elements of each.
    unsafe { run_line::<C, Add<false>>(n, alpha, x[..n].as_ptr(), y.as_mut_ptr()) }
}

/// y += alpha * x, or alpha * conj(x)
#[inline]
pub(crate) fn axpy_conj<C: Acc>(conj: bool, alpha: C, x: &[C], y: &mut [C]) {
    if !conj || !C::COMPLEX {
        return axpy(alpha, x, y);
    }
    let n = y.len();
    // SAFETY: n elements of each.
    unsafe { run_line::<C, Add<true>>(n, alpha, x[..n].as_ptr(), y.as_mut_ptr()) }
}

/// y = x
struct Replace;

impl<C: Acc> Line<C> for Replace {
    type Real = C::Real;
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(n: usize, _: C, x: *const C, y: *mut C) {
        let (n, x, y) = (n * C::PARTS, x.cast::<C::Real>(), y.cast::<C::Real>());
        // SAFETY: the caller's promise. The last register may hold numbers once more.
        unsafe {
            if n < V::N {
                return pieces(
                    0..n,
                    V::N,
                    #[inline(always)]
                    |load| load.store(load.from::<V>(x), y),
                );
            }
            let (mut i, last) = (0, n - V::N);
            while i + 4 * V::N <= n {
                for u in 0..4 {
                    V::load(x.add(i + u * V::N)).store(y.add(i + u * V::N));
                }
                i += 4 * V::N;
            }
            while i < last {
                V::load(x.add(i)).store(y.add(i));
                i += V::N;
            }
            V::load(x.add(last)).store(y.add(last));
        }
    }
}

/// y = x
#[inline(always)]
pub(crate) fn copy<C: Acc>(x: &[C], y: &mut [C]) {
    let n = y.len();
    // SAFETY: n elements of each.
    unsafe { run_line::<C, Replace>(n, C::zero(), x[..n].as_ptr(), y.as_mut_ptr()) }
}

/// y *= a
struct Scal;

impl<C: Acc> Line<C> for Scal {
    type Real = C::Real;
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(n: usize, a: C, _: *const C, y: *mut C) {
        // SAFETY: the caller's promise.
        unsafe {
            let [own, other] = coefs::<C, V>(a, false);
            update::<V, 4>(
                n * C::PARTS,
                y.cast(),
                #[inline(always)]
                |_, y| if C::COMPLEX { own.fma(y, other.mul(y).swap()) } else { own.mul(y) },
            );
        }
    }
}

/// Both parts of each y times the real part of a.
struct ScalParts;

impl<C: Acc> Line<C> for ScalParts {
    type Real = C::Real;
    type Output = ();

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(n: usize, a: C, _: *const C, y: *mut C) {
        // SAFETY: the caller's promise.
        unsafe {
            let a = V::splat(a.re());
            update::<V, 4>(
                n * C::PARTS,
                y.cast(),
                #[inline(always)]
                |_, y| a.mul(y),
            );
        }
    }
}

/// Both parts of each x times a real number.
#[inline(always)]
pub(crate) fn scal_parts<C: Acc>(alpha: C::Real, x: &mut [C]) {
    // SAFETY: its elements.
    unsafe { run_line::<C, ScalParts>(x.len(), C::new(alpha, alpha), x.as_ptr(), x.as_mut_ptr()) }
}

/// x *= alpha
#[inline(always)]
pub(crate) fn scal<C: Acc>(alpha: C, x: &mut [C]) {
    // SAFETY: its elements.
    unsafe { run_line::<C, Scal>(x.len(), alpha, x.as_ptr(), x.as_mut_ptr()) }
}

/// y = beta * y, where y is only written for beta = 0 and untouched for beta = 1.
pub(crate) fn scal_or_clear<C: Acc>(beta: C, y: &mut [C]) {
    if beta.is_zero() {
        y.fill(C::zero());
    } else if !beta.is_one() {
        scal(beta, y);
    }
}

/// Sums of x_i * y_i for K vectors x and one y, conj(x_i) if `conj`.
pub(crate) struct Dot<C, const K: usize> {
    pub(crate) n: usize,
    pub(crate) conj: bool,
    pub(crate) x: [*const C; K],
    pub(crate) y: *const C,
}

impl<C: Acc, const K: usize> Kernel<C::Real> for Dot<C, K> {
    type Output = [C; K];

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(&self) -> [C; K] {
        // SAFETY: n elements are there. Four sums, or two of each kind, hide the latency of an addition.
        unsafe {
            match (K, C::COMPLEX) {
                (1, false) => self.unrolled::<V, 4>(),
                (1, true) => self.unrolled::<V, 4>(),
                (_, false) => self.unrolled::<V, 2>(),
                (_, true) => self.unrolled::<V, 1>(),
            }
        }
    }
}

impl<C: Acc, const K: usize> Dot<C, K> {
    #[inline(always)]
    unsafe fn unrolled<V: Lanes<Real = C::Real>, const U: usize>(&self) -> [C; K] {
        let n = self.n * C::PARTS;
        // SAFETY: n elements are there.
        unsafe {
            // Products of equal parts, and of a part and the other one.
            let mut own = [[V::splat(C::Real::zero()); K]; U];
            let mut other = own;
            let rest = registers::<U>(
                n,
                V::N,
                #[inline(always)]
                |u, at| self.add(&mut own[u], &mut other[u], Load { at, part: Part::All }),
            );
            if rest < n {
                self.add(&mut own[0], &mut other[0], Load { at: rest, part: Part::First(n - rest) });
            }
            for k in 0..K {
                for u in 1..U {
                    own[0][k] = own[0][k].add(own[u][k]);
                    other[0][k] = other[0][k].add(other[u][k]);
                }
            }
            self.total(&own[0], &other[0])
        }
    }

    /// The sums over what `columns`, which are the vectors x, have off the diagonal: with the block or without.
    ///
    /// # Safety
    /// As for [`Kernel::run`], of the rows meant alone.
    #[inline(always)]
    pub(crate) unsafe fn run_columns<V: Lanes<Real = C::Real>>(
        &self,
        columns: Columns,
        block: bool,
    ) -> [C; K] {
        // SAFETY: the caller's promise.
        unsafe {
            let mut own = [V::splat(C::Real::zero()); K];
            let mut other = own;
            if block {
                self.add_block(&mut own, &mut other, columns);
            }
            columns.beside::<C, K>(
                V::N,
                #[inline(always)]
                |load| self.add(&mut own, &mut other, load),
            );
            self.total(&own, &other)
        }
    }

    /// Adds the products of the block.
    #[inline(always)]
    unsafe fn add_block<V>(&self, own: &mut [V; K], other: &mut [V; K], columns: Columns)
    where
        V: Lanes<Real = C::Real>,
    {
        // SAFETY: the caller's promise.
        unsafe {
            if columns.lower {
                self.add_block_of::<V, true>(own, other, columns)
            } else {
                self.add_block_of::<V, false>(own, other, columns)
            }
        }
    }

    #[inline(always)]
    unsafe fn add_block_of<V, const LOWER: bool>(
        &self,
        own: &mut [V; K],
        other: &mut [V; K],
        columns: Columns,
    ) where
        V: Lanes<Real = C::Real>,
    {
        for r in 0..K * C::PARTS / V::N {
            let at = columns.j * C::PARTS + r * V::N;
            for k in 0..K {
                let part = Columns::block::<C, LOWER>(V::N, r, k);
                if part.is_empty() {
                    continue;
                }
                // SAFETY: the caller's promise.
                unsafe {
                    let x = V::load_some(self.x[k].cast::<C::Real>().wrapping_add(at), part.clone());
                    let y = V::load_some(self.y.cast::<C::Real>().wrapping_add(at), part);
                    own[k] = x.fma(y, own[k]);
                    if C::COMPLEX {
                        other[k] = x.fma(y.swap(), other[k]);
                    }
                }
            }
        }
    }

    /// The sums of what is in the places of registers.
    #[inline(always)]
    unsafe fn total<V: Lanes<Real = C::Real>>(&self, own: &[V; K], other: &[V; K]) -> [C; K] {
        let mut out = [C::zero(); K];
        for k in 0..K {
            // SAFETY: the caller's promise.
            out[k] = unsafe {
                if C::COMPLEX {
                    let ([rr, ii], [ri, ir]) = (own[k].sums(), other[k].sums());
                    if self.conj { C::new(rr + ii, ri - ir) } else { C::new(rr - ii, ri + ir) }
                } else {
                    C::new(own[k].sum(), C::Real::zero())
                }
            };
        }
        out
    }

    /// Adds the products of a register of each x and of y.
    #[inline(always)]
    unsafe fn add<V: Lanes<Real = C::Real>>(&self, own: &mut [V; K], other: &mut [V; K], load: Load) {
        // SAFETY: the caller's promise.
        unsafe {
            let y: V = load.from(self.y.cast());
            for k in 0..K {
                let x: V = load.from(self.x[k].cast());
                own[k] = x.fma(y, own[k]);
                if C::COMPLEX {
                    other[k] = x.fma(y.swap(), other[k]);
                }
            }
        }
    }
}

/// Sums of x_i * y_i, or of conj(x_i) * y_i, for several x as long as y.
#[inline]
pub(crate) fn dots<C: Acc, const K: usize>(conj: bool, x: [&[C]; K], y: &[C]) -> [C; K] {
    let n = y.len();
    let x = x.map(|x| x[..n].as_ptr());
    run(&Dot { n, conj, x, y: y.as_ptr() })
}

/// Sum of x_i * y_i, or of conj(x_i) * y_i.
struct Product<const CONJ: bool>;

impl<C: Acc, const CONJ: bool> Line<C> for Product<CONJ> {
    type Real = C::Real;
    type Output = C;

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(n: usize, _: C, x: *const C, y: *mut C) -> C {
        // SAFETY: the caller's promise.
        let [sum] = unsafe { Dot { n, conj: CONJ, x: [x], y }.run::<V>() };
        sum
    }
}

/// Sum of x_i * y_i, or of conj(x_i) * y_i, for x and y of one length.
#[inline(always)]
pub(crate) fn dot<C: Acc>(conj: bool, x: &[C], y: &[C]) -> C {
    let n = y.len();
    let (x, y) = (x[..n].as_ptr(), y.as_ptr().cast_mut());
    // SAFETY: n elements of each, which are not written.
    unsafe {
        if conj && C::COMPLEX {
            run_line::<C, Product<true>>(n, C::zero(), x, y)
        } else {
            run_line::<C, Product<false>>(n, C::zero(), x, y)
        }
    }
}

/// Sum of the absolute values, or of the squares, of the parts of all x.
struct Norm<const SQUARES: bool>;

impl<C: Acc, const SQUARES: bool> Line<C> for Norm<SQUARES> {
    type Real = C::Real;
    type Output = C::Real;

    #[inline(always)]
    unsafe fn run<V: Lanes<Real = C::Real>>(n: usize, _: C, x: *const C, _: *mut C) -> C::Real {
        const U: usize = 8;
        let (n, x) = (n * C::PARTS, x.cast::<C::Real>());
        // SAFETY: the caller's promise.
        unsafe {
            let mut sums = [V::splat(C::Real::zero()); U];
            let rest = registers::<U>(
                n,
                V::N,
                #[inline(always)]
                |u, at| sums[u] = Self::add(sums[u], V::load(x.add(at))),
            );
            if rest < n {
                sums[U - 1] = Self::add(sums[U - 1], V::load_some(x.add(rest), 0..n - rest));
            }
            let [a, b, c, d, e, f, g, h] = sums;
            let [a, c, e, g] = [a.add(b), c.add(d), e.add(f), g.add(h)];
            a.add(c).add(e.add(g)).sum()
        }
    }
}

impl<const SQUARES: bool> Norm<SQUARES> {
    #[inline(always)]
    unsafe fn add<V: Lanes>(sum: V, x: V) -> V {
        // SAFETY: the caller's promise.
        unsafe { if SQUARES { x.fma(x, sum) } else { sum.add(x.abs()) } }
    }
}

/// Sum of abs(re) + abs(im).
#[inline(always)]
pub(crate) fn asum<C: Acc>(x: &[C]) -> C::Real {
    // SAFETY: its elements, which are not written.
    unsafe { run_line::<C, Norm<false>>(x.len(), C::zero(), x.as_ptr(), x.as_ptr().cast_mut()) }
}

/// Sum of re^2 + im^2, which may overflow or underflow.
#[inline(always)]
pub(crate) fn squares<C: Acc>(x: &[C]) -> C::Real {
    // SAFETY: as above.
    unsafe { run_line::<C, Norm<true>>(x.len(), C::zero(), x.as_ptr(), x.as_ptr().cast_mut()) }
}

/// The larger of two numbers; `a` if `b` is NaN.
#[inline(always)]
pub(crate) fn max<R: RealField>(a: R, b: R) -> R {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use blas_api::Complex;

    use super::*;
    use crate::lanes::Plain;

    /// Small whole numbers, so that every order of sums gives the same.
    fn numbers<C: Acc>(n: usize, seed: usize) -> Vec<C> {
        let part = |i: usize| ((i * 7 + seed * 5) % 11) as f64 - 5.0;
        (0..n).map(|i| C::from_parts([part(i), part(i + 3)])).collect()
    }

    /// What is done with columns of a triangle: added, summed, and both at once.
    struct OnColumns<C, const K: usize>(Axpy<C, K>, Dot<C, K>, Columns);

    impl<C: Acc, const K: usize> Kernel<C::Real> for OnColumns<C, K> {
        type Output = [[C; K]; 3];

        #[inline(always)]
        unsafe fn run<V: Lanes<Real = C::Real>>(&self) -> [[C; K]; 3] {
            let OnColumns(axpy, dot, columns) = self;
            // SAFETY: all rows are there.
            unsafe {
                axpy.run_columns::<V::Narrow>(*columns, false);
                let sums = axpy.run_columns_with_dot::<V::Narrow>(*columns, dot);
                [
                    sums,
                    dot.run_columns::<V::Narrow>(*columns, true),
                    dot.run_columns::<V::Narrow>(*columns, false),
                ]
            }
        }
    }

    /// Eight columns of a triangle of order n, from `j` on.
    fn check_columns<C: Acc>(lower: bool, n: usize, j: usize, conj: bool) {
        let a: [Vec<C>; 8] = std::array::from_fn(|k| numbers(n, k));
        let (alpha, x, y) = (numbers::<C>(8, 8), numbers::<C>(n, 9), numbers::<C>(n, 10));
        let square = j..j + 8;
        let has = |i: usize, k: usize| if lower { i > j + k } else { i < j + k };
        let element = |i: usize, k: usize| if has(i, k) { a[k][i].conj_if(conj) } else { C::zero() };
        let mut got = y.clone();
        let columns: [*const C; 8] = std::array::from_fn(|k| a[k].as_ptr());
        let axpy = Axpy { n, conj, a: std::array::from_fn(|k| alpha[k]), x: columns, y: got.as_mut_ptr() };
        let dot = Dot { n, conj, x: columns, y: x.as_ptr() };
        let [both, sums, beside] = run(&OnColumns(axpy, dot, Columns { lower, n, j }));
        let sum = |k: usize, square: Range<usize>| {
            (0..n).filter(|i| !square.contains(i)).fold(C::zero(), |sum, i| sum + element(i, k) * x[i])
        };
        assert_eq!([both, sums], [std::array::from_fn(|k| sum(k, 0..0)); 2]);
        assert_eq!(beside, std::array::from_fn(|k| sum(k, square.clone())));
        // What is beside the square has been added twice.
        let want = |i: usize| {
            let once = (0..8).fold(C::zero(), |sum, k| sum + alpha[k] * element(i, k));
            y[i] + once + if square.contains(&i) { C::zero() } else { once }
        };
        assert_eq!(got, (0..n).map(want).collect::<Vec<C>>(), "{lower} {n} {j}");
    }

    /// Compares the registers of this machine, and the portable one, with what the definitions say.
    fn check<C: Acc>() {
        for n in 0..75 {
            let (y, alpha) = (numbers::<C>(n, 9), numbers::<C>(4, 8));
            let x: [Vec<C>; 4] = std::array::from_fn(|k| numbers(n, k));
            let slices = [&x[0][..], &x[1], &x[2], &x[3]];
            let [a, b, c, d] = alpha[..] else { unreachable!("four numbers") };
            for conj in [false, true] {
                let of = |k: usize, i: usize| x[k][i].conj_if(conj);
                let mut sum = y.clone();
                axpys(conj, [a, b, c, d], slices, &mut sum);
                let all = |i: usize| (0..4).fold(y[i], |sum, k| sum + alpha[k] * of(k, i));
                assert_eq!(sum, (0..n).map(all).collect::<Vec<C>>());
                let product = |k: usize| (0..n).fold(C::zero(), |sum, i| sum + of(k, i) * y[i]);
                assert_eq!(dots(conj, slices, &y), std::array::from_fn(product));
                let mut one = y.clone();
                axpy_conj(conj, b, &x[0], &mut one);
                assert_eq!(one, (0..n).map(|i| y[i] + b * of(0, i)).collect::<Vec<C>>());
                let kernel = Dot { n, conj, x: [x[0].as_ptr()], y: y.as_ptr() };
                // SAFETY: the portable register needs nothing.
                assert_eq!([dot(conj, &x[0], &y)], unsafe { kernel.run::<Plain<C::Real>>() });
                for groups in 0..n / 8 {
                    check_columns::<C>(true, n, 8 * groups, conj);
                    check_columns::<C>(false, n, n % 8 + 8 * groups, conj);
                }
            }
            let mut copied = vec![C::zero(); n];
            copy(&y, &mut copied);
            assert_eq!(copied, y);
            let mut scaled = y.clone();
            scal(a, &mut scaled);
            assert_eq!(scaled, y.iter().map(|y| a * *y).collect::<Vec<C>>());
            let part =
                |f: fn(C::Real) -> C::Real| y.iter().fold(C::Real::zero(), |s, y| s + f(y.re()) + f(y.im()));
            assert_eq!(asum(&y), part(num_traits::Float::abs));
            assert_eq!(squares(&y), part(|x| x * x));
        }
    }

    #[test]
    fn kernels_do_what_their_definitions_say() {
        check::<f32>();
        check::<f64>();
        check::<Complex<f32>>();
        check::<Complex<f64>>();
    }
}
