//! Thread count and the work-based cut-off.
