//! What the backend has, and which rules of the contract the loaded library does not keep.

use blas_api::{Deviation, Routine, Support, Types};

use crate::library::Library;

/// Whether a routine is there for some types. `library` is that of a handle; without one, the answer is for the newest.
pub(crate) fn supports(library: Option<&Library>, routine: Routine, types: Types) -> Support {
    let _ = library;
    if routine.types().contains(&types) { Support::Yes } else { Support::No("not defined by the contract") }
}

/// Rules that a library does not keep.
pub(crate) fn deviations(library: &Library) -> &'static [Deviation] {
    let _ = library;
    &[]
}
