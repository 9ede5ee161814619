//! The conformance suite of anyblas: any backend against the contract.
//!
//! ```
//! use blas_conformance::{Options, Subject};
//!
//! let mut options = Options::quick();
//! options.routines = vec![blas_api::Routine::Axpy];
//! let report = blas_conformance::run(&Subject::new(|| Ok(blas_cpu::Cpu::handle())), &options)?;
//! assert!(report.ok(), "{report}");
//! # Ok::<(), blas_api::Error>(())
//! ```
//!
//! A *cell* is a routine for a combination of types. Cells come from the list of routines, so that none is forgotten; a
//! cell is skipped only if the backend's [`supports`](blas_api::RawHandle::supports) says No, and one without cases
//! fails. Each cell runs *scenarios*, each scenario under several [rules](Rule), each rule for many cases. A case is
//! named by an id such as `gemm/f32/gemm/beta0/3`, and depends on that and the seed alone: [`Options::case`] runs it
//! again.
//!
//! # How to write a case file
//!
//! `src/cases/<family>.rs` has one function a routine, of the routine's name, that registers scenarios; `cases/mod.rs`
//! names it. `cases/axpy.rs` is the worked example. A scenario is a function that
//!
//! 1. draws its parameters from the [`Case`] in the order of the mathematics: sizes by [`Case::dim`] (operands that
//!    share a size share the [`Dim`](form::Dim)), flags by [`Case::uplo`], [`Case::side`], [`Case::diag`] or
//!    [`Case::pick`], coefficients by [`Case::coef`];
//! 2. makes its operands: [`Case::input`] and [`Case::output`] take a name and a [`Form`](form::Form), which is the
//!    operand *as the routine sees it*. Layout, padding, increments, offsets, views (`.t()`, `.h()`, `.conj()`) and
//!    batch forms are drawn there; unread elements hold NaN. [`Operand::unread_if`](storage::Operand::unread_if)
//!    poisons an operand that the coefficients make unread; [`Case::solvable`] makes a triangle that is safe to solve
//!    with; [`Case::scalars`] makes places for scalar results, on the host or on the device;
//! 3. calls [`Case::run`] with the operands (one, or a tuple) and a closure that makes the call with views of them
//!    (`x.vec()?`, `c.mat_mut()?`, ...). The closure may be run several times: all the bad-argument checks are made by
//!    running it with a fault in one operand. `run` also checks that nothing outside the outputs was written;
//! 4. compares each output by [`Case::compare`], whose closure gives for (entry, row, column) the exact value as an
//!    [`Acc`](oracle::Acc). Elements [`before`](storage::Operand::before) the call are seen in full: implied zeros, ones
//!    and mirrored elements included, so that every oracle is naive loops over dense matrices
//!    ([`Operand::dense`](storage::Operand::dense)). [`linear`](oracle::linear) knows what alpha = 0 and beta = 0 mean.
//!    Solvers use [`Case::residual`].
//!
//! The same body serves all rules: a rule fixes coefficients (`alpha...`, `beta...`) or sizes (`k`), or the kind of
//! data. What a routine has besides goes into a scenario under [`Rule::Own`].

mod bad_arguments;
pub mod case;
pub mod casefile;
mod cases;
pub mod dd;
pub mod form;
pub mod num;
pub mod oracle;
pub mod properties;
pub mod report;
mod rng;
pub mod selftest;
pub mod storage;
mod suite;
mod table;
mod worker;

pub use case::{Case, Depth, Rule, Verdict};
pub use report::{Report, Totals};
pub use suite::{Options, Progress, Subject, run, run_cases, run_with};
pub use table::Table;

/// What a case file needs.
mod prelude {
    #![allow(unused_imports, reason = "case files take what they need")]

    pub(crate) use blas_api::*;

    pub(crate) use crate::case::{Case, Coefficient, Rule, Stop, Verdict};
    pub(crate) use crate::dd::Dd;
    pub(crate) use crate::each_type;
    pub(crate) use crate::form::{Dim, Form};
    pub(crate) use crate::num::{Num, Z};
    pub(crate) use crate::oracle::{Acc, Bound, Dense, linear};
    pub(crate) use crate::storage::{Operand, Role, Site};
    pub(crate) use crate::table::{ALPHA, ALPHA_BETA, ALPHA_BETA_K, BASIC, Table};

    /// 0.
    pub(crate) const ZERO: Z = Z::new(0.0, 0.0);
    /// 1.
    pub(crate) const ONE: Z = Z::new(1.0, 0.0);
}
