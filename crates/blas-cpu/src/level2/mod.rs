//! Level 2, one file a routine (a Hermitian routine is with its symmetric twin). What routines share for full, band and
//! packed storage is in `columns`, `product`, `symmetric` and `update`; the kernels for full storage are in `rectangle` and
//! `triangle`. Threads share out everything but gbmv, tbsv, tpsv and transposed trsv.

mod columns;
mod gbmv;
mod gemv;
mod ger;
mod product;
mod rectangle;
mod sbmv;
mod spmv;
mod spr;
mod spr2;
mod symmetric;
mod symv;
mod syr;
mod syr2;
mod tbmv;
mod tbsv;
mod tpmv;
mod tpsv;
mod triangle;
mod trmv;
mod trsv;
mod update;
mod whole;

pub(crate) use gbmv::gbmv;
pub(crate) use gemv::gemv;
pub(crate) use ger::{ger, gerc, geru};
pub(crate) use sbmv::{hbmv, sbmv};
pub(crate) use spmv::{hpmv, spmv};
pub(crate) use spr::{hpr, spr};
pub(crate) use spr2::{hpr2, spr2};
pub(crate) use symv::{hemv, symv};
pub(crate) use syr::{her, syr};
pub(crate) use syr2::{her2, syr2};
pub(crate) use tbmv::tbmv;
pub(crate) use tbsv::tbsv;
pub(crate) use tpmv::tpmv;
pub(crate) use tpsv::tpsv;
pub(crate) use trmv::trmv;
pub(crate) use trsv::trsv;

/// Bytes of a triangle that are worth a thread: a core reads them from its caches in 2 to 4 microseconds, several times what it
/// takes to hand them out. No triangle of order 100 is shared out.
const GRAIN: f64 = 131072.0;

/// Bytes of a rectangle that are worth a thread which is awake: a core takes half a microsecond or more for them, and to hand
/// them out takes some 0.3.
const RECTANGLE_GRAIN: f64 = 40000.0;

/// Columns that kernels take at a time: borders between threads are multiples of them.
const GROUP: usize = 4;
