//! Level 2, one file a family, or a few families that differ in one flag.

mod gbmv;
mod gemv;
mod ger;
mod sbmv;
mod spmv;
mod spr;
mod spr2;
mod symv;
mod syr;
mod syr2;
mod tbmv;
mod tpmv;
mod trmv;
