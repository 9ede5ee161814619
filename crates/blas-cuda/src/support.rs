//! What the backend has, and which rules of the contract it does not keep.

use blas_api::{Deviation, Routine, Support, Types};

/// Whether a routine is there for some types.
pub(crate) fn supports(routine: Routine, types: Types) -> Support {
    if routine.types().contains(&types) { Support::Yes } else { Support::No("not defined by the contract") }
}

/// Rules that cuBLAS does not keep.
pub(crate) const DEVIATIONS: &[Deviation] = &[];
