//! The HIP runtime.
