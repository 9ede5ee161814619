//! The flags that triangles take, in all combinations.

use blas_api::*;

pub(crate) const OPS: [Trans; 4] = [Trans::N, Trans::T, Trans::C, Trans::ConjN];
pub(crate) const UPLOS: [Uplo; 2] = [Uplo::Lower, Uplo::Upper];
pub(crate) const DIAGS: [Diag; 2] = [Diag::NonUnit, Diag::Unit];

/// Each of the first with each of the second.
pub(crate) fn pairs<A: Copy, B: Copy>(
    first: impl IntoIterator<Item = A>,
    second: impl IntoIterator<Item = B> + Clone,
) -> impl Iterator<Item = (A, B)> {
    first.into_iter().flat_map(move |a| second.clone().into_iter().map(move |b| (a, b)))
}
