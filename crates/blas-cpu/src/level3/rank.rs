//! What syrk, syr2k, syrkx and their Hermitian twins share: sums of products of which one triangle is computed.

use blas_api::Uplo;

use crate::engine::{self, Dims, GRAIN, Native, Panel, times, work};
use crate::threads::worthwhile;

/// Order up to which a diagonal block is computed in full, in scratch memory.
const LEAF: usize = 64;

/// One product: coef * left * right, n x k and k x n.
#[derive(Clone, Copy)]
pub(super) struct Term<T> {
    pub(super) coef: T,
    pub(super) left: Panel<T>,
    pub(super) right: Panel<T>,
}

/// The triangle that is written.
#[derive(Clone, Copy)]
pub(super) struct Triangle<T> {
    pub(super) c: Panel<T>,
    pub(super) uplo: Uplo,
    /// The diagonal is real.
    pub(super) herm: bool,
}

/// C = sum of terms + beta * C, in one triangle of order n. Terms of no length or with coefficient 0 are not read;
/// with beta = 0, C is not read; where there are no terms and beta = 1, nothing is written.
///
/// # Safety
/// All elements are there; those of the triangle are not in use elsewhere.
pub(super) unsafe fn update<T: Native>(
    threads: usize,
    [n, k]: [usize; 2],
    terms: &[Term<T>],
    beta: T,
    to: Triangle<T>,
) {
    let idle = k == 0 || terms.iter().all(|t| t.coef.is_zero());
    if idle && beta.is_one() {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { recurse(threads, [n, if idle { 0 } else { k }], terms, beta, to) }
}

unsafe fn recurse<T: Native>(
    threads: usize,
    [n, k]: [usize; 2],
    terms: &[Term<T>],
    beta: T,
    to: Triangle<T>,
) {
    if n <= LEAF {
        // SAFETY: the caller's promise.
        return unsafe { leaf([n, k], terms, beta, to) };
    }
    let half = (n / 2).next_multiple_of(LEAF);
    // The triangle is two triangles and a rectangle, which is below the diagonal or right of it.
    let [rows, cols] = if to.uplo == Uplo::Lower { [half..n, 0..half] } else { [0..half, half..n] };
    let part = |threads, start: usize, n| {
        let terms: Vec<_> = terms
            .iter()
            .map(|t| Term { left: t.left.sub(start, 0), right: t.right.sub(0, start), ..*t })
            .collect();
        // SAFETY: the caller's promise.
        unsafe { recurse(threads, [n, k], &terms, beta, Triangle { c: to.c.sub(start, start), ..to }) };
    };
    let threads = worthwhile(work(n, n, k), GRAIN, threads);
    if threads > 1 {
        rayon::join(|| part(threads / 2, 0, half), || part(threads - threads / 2, half, n - half));
    } else {
        part(1, 0, half);
        part(1, half, n - half);
    }
    let c = to.c.sub(rows.start, cols.start);
    let dims = Dims { m: rows.len(), n: cols.len(), k };
    for (i, t) in terms.iter().enumerate() {
        let beta = if i == 0 { beta } else { T::one() };
        // SAFETY: the caller's promise.
        unsafe {
            let (left, right) = (t.left.sub(rows.start, 0), t.right.sub(0, cols.start));
            engine::gemm(threads, dims, t.coef, left, right, beta, c);
        }
    }
}

/// A small triangle: the whole square in scratch memory, then its triangle added to C.
unsafe fn leaf<T: Native>([n, k]: [usize; 2], terms: &[Term<T>], beta: T, to: Triangle<T>) {
    let mut square = [T::zero(); LEAF * LEAF];
    let sum = Panel::columns(square.as_mut_ptr(), n);
    for (i, t) in terms.iter().enumerate() {
        let beta = if i == 0 { T::zero() } else { T::one() };
        // SAFETY: the caller's promise.
        unsafe { engine::gemm(1, Dims { m: n, n, k }, t.coef, t.left, t.right, beta, sum) };
    }
    for j in 0..n {
        let rows = if to.uplo == Uplo::Lower { j..n } else { 0..j + 1 };
        for i in rows {
            let mut x = square[i + j * n];
            // SAFETY: the caller's promise.
            unsafe {
                if !beta.is_zero() {
                    x += times(beta, to.c.get(i, j));
                }
                to.c.set(i, j, if i == j && to.herm { x.real() } else { x });
            }
        }
    }
}
