//! What the backend has.

use blas_api::{Routine, Support, Types};

/// Whether a routine is there for some types.
pub(crate) fn supports(routine: Routine, types: Types) -> Support {
    if routine.types().contains(&types) { Support::Yes } else { Support::No("not defined by the contract") }
}
