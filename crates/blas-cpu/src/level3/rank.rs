//! What syrk, syr2k, syrkx and their Hermitian twins share: sums of products of which one triangle is computed.

use blas_api::Uplo;

use crate::engine::{self, Dims, Native, Panel, Region, Structured, Term, product};

/// The triangle that is written.
#[derive(Clone, Copy)]
pub(super) struct Triangle<T> {
    pub(super) c: Panel<T>,
    pub(super) uplo: Uplo,
    /// The diagonal is real.
    pub(super) herm: bool,
}

/// C = sum of terms + beta * C, in one triangle of order n, where operands are n x k. Terms of no length or with
/// coefficient 0 are not read; with beta = 0, C is not read; where there are no terms and beta = 1, nothing is written.
///
/// # Safety
/// All elements are there; those of the triangle are not in use elsewhere.
pub(super) unsafe fn update<T: Native>(
    threads: usize,
    [n, k]: [usize; 2],
    operands: [Panel<T>; 2],
    terms: &[Term<T>],
    beta: T,
    to: Triangle<T>,
) {
    let idle = k == 0 || terms.iter().all(|t| t.coef.is_zero());
    if idle && beta.is_one() {
        return;
    }
    let lower = to.uplo == Uplo::Lower;
    if !idle && terms.iter().all(|t| !t.coef.is_zero()) {
        // SAFETY: the caller's promise.
        if unsafe { engine::rank(threads, [n, k], operands, terms, beta, to.c, [lower, to.herm]) } {
            return;
        }
    }
    let region = Region::Triangle { lower, herm: to.herm };
    for (i, t) in terms.iter().enumerate() {
        let beta = if i == 0 { beta } else { T::one() };
        let dims = Dims { m: n, n, k };
        let [left, right] = [operands[t.left], operands[t.right].conj_if(to.herm)].map(Structured::Plain);
        // SAFETY: the caller's promise.
        unsafe { product(threads, dims, t.coef, left, right, beta, to.c, region) };
    }
}
