//! The GEMM engine: what all of Level 3 is built on.
