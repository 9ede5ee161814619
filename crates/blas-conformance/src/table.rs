//! The scenarios of a routine.

use blas_api::{Backend, Types};

use crate::case::{Case, Rule, Verdict};

/// What a case file registers: the scenarios of one routine for one combination of types.
pub struct Table<B: Backend> {
    pub(crate) types: Types,
    pub(crate) scenarios: Vec<Scenario<B>>,
}

pub(crate) struct Scenario<B: Backend> {
    pub(crate) name: &'static str,
    pub(crate) rules: Vec<Rule>,
    pub(crate) body: fn(&mut Case<'_, B>) -> Verdict,
}

impl<B: Backend> Table<B> {
    pub(crate) fn new(types: Types) -> Self {
        Table { types, scenarios: Vec::new() }
    }

    /// The types of the cell.
    pub fn types(&self) -> Types {
        self.types
    }

    /// A scenario: `body` is run for many cases of each rule.
    pub fn scenario(&mut self, name: &'static str, rules: &[Rule], body: fn(&mut Case<'_, B>) -> Verdict) {
        self.scenarios.push(Scenario { name, rules: rules.to_vec(), body });
    }
}

/// The rules that hold for every routine with inputs and no coefficients.
pub(crate) const BASIC: &[Rule] =
    &[Rule::Accuracy, Rule::Exact, Rule::Empty, Rule::Nan, Rule::BadArguments, Rule::Determinism];

/// `BASIC` and alpha = 0.
pub(crate) const ALPHA: &[Rule] = &[
    Rule::Accuracy,
    Rule::Exact,
    Rule::Alpha0,
    Rule::Empty,
    Rule::Nan,
    Rule::BadArguments,
    Rule::Determinism,
];

/// `BASIC`, alpha = 0 and beta = 0.
pub(crate) const ALPHA_BETA: &[Rule] = &[
    Rule::Accuracy,
    Rule::Exact,
    Rule::Alpha0,
    Rule::Beta0,
    Rule::Empty,
    Rule::Nan,
    Rule::BadArguments,
    Rule::Determinism,
];

/// `ALPHA_BETA` and k = 0.
pub(crate) const ALPHA_BETA_K: &[Rule] = &[
    Rule::Accuracy,
    Rule::Exact,
    Rule::Alpha0,
    Rule::Beta0,
    Rule::K0,
    Rule::Empty,
    Rule::Nan,
    Rule::BadArguments,
    Rule::Determinism,
];

/// Runs an expression with `$t` bound to the Rust type of a cell: `R`, `C`, `X` or `S` as in
/// [`with_dtype!`](blas_api::with_dtype). Other types register nothing, which the report shows as a failure.
#[macro_export]
#[doc(hidden)]
macro_rules! each_type {
    ($table:expr, $t:ident in $set:ident => $e:expr) => {
        match $table.types() {
            ::blas_api::Types::One(dtype) => ::blas_api::with_dtype!(dtype, $t in $set => $e, else ()),
            _ => (),
        }
    };
}
