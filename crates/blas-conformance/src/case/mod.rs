//! One case: what a case file draws its parameters from, runs and compares with.

mod compare;
mod operands;
mod run;

use std::cell::Cell;

use blas_api::*;

use crate::form::{Dim, Tie};
use crate::rng::{Rng, mix};

pub use operands::Coefficient;

/// What a case checks; the name is that of [`Deviation::rule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Random values, within the error bound.
    Accuracy,
    /// Small integers, no rounding at all.
    Exact,
    /// beta = 0: the output is not read.
    Beta0,
    /// alpha = 0: the inputs are not read.
    Alpha0,
    /// The inner dimension `k` is 0.
    K0,
    /// Some dimensions, or the batch, are empty.
    Empty,
    /// NaN in operands, zeros against it.
    Nan,
    /// Every illegal argument gives its typed error, and nothing is written.
    BadArguments,
    /// The same call twice gives the same bits under [`Determinism::Required`].
    Determinism,
    /// A rule of the routine's own.
    Own(&'static str),
}

impl Rule {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Accuracy => "accuracy",
            Rule::Exact => "exact",
            Rule::Beta0 => "beta0",
            Rule::Alpha0 => "alpha0",
            Rule::K0 => "k0",
            Rule::Empty => "empty",
            Rule::Nan => "nan",
            Rule::BadArguments => "bad_arguments",
            Rule::Determinism => "determinism",
            Rule::Own(name) => name,
        }
    }

    /// Cases in a quick run.
    pub(crate) const fn quick(self) -> usize {
        match self {
            Rule::Accuracy => 24,
            Rule::Exact => 12,
            Rule::Beta0 | Rule::Alpha0 | Rule::Empty | Rule::Nan => 6,
            Rule::K0 => 3,
            Rule::BadArguments => 4,
            Rule::Determinism => 2,
            Rule::Own(_) => 6,
        }
    }
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// A sample of the cross product of all axes; under a minute on two CPU cores.
    #[default]
    Quick,
    /// A sample some eight times as large, with larger sizes.
    Full,
}

/// A check that did not hold.
#[derive(Clone, Debug)]
pub struct Fail {
    pub(crate) check: &'static str,
    pub(crate) got: String,
    pub(crate) want: String,
}

/// Why a case ends before its last line.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It has shown what it was for.
    Done,
    /// It has failed.
    Failed(Fail),
}

/// What a case gives: nothing, or the reason to stop. `?` hands it on.
pub type Verdict<T = ()> = std::result::Result<T, Stop>;

/// One case of a cell: a source of parameters, and what runs and checks the call.
pub struct Case<'h, B: Backend> {
    handle: &'h Handle<B>,
    routine: Routine,
    types: Types,
    rule: Rule,
    index: u64,
    depth: Depth,
    seed: u64,
    rng: Rng,
    log: Vec<String>,
    batch: usize,
    volume: usize,
    sizes: Vec<usize>,
    /// An error that the call must give for a coefficient on the wrong device.
    coefficient_elsewhere: bool,
    /// Of the bits of all results so far.
    digest: Cell<u64>,
}

impl<'h, B: Backend> Case<'h, B> {
    pub(crate) fn new(
        handle: &'h Handle<B>,
        (routine, types): (Routine, Types),
        rule: Rule,
        index: u64,
        depth: Depth,
        seed: u64,
    ) -> Self {
        let rng = Rng::new(mix(seed, &index.to_string()));
        let (log, sizes) = (Vec::new(), Vec::new());
        let mut case = Case {
            handle,
            routine,
            types,
            rule,
            index,
            depth,
            seed,
            rng,
            log,
            batch: 1,
            volume: 1,
            sizes,
            coefficient_elsewhere: false,
            digest: Cell::new(0),
        };
        let counts: &[usize] = match rule {
            Rule::Empty => &[1, 0, 2, 1],
            _ => &[1, 2, 1, 3, 1, 1, 5],
        };
        case.batch = case.pick("batch", counts);
        case.volume = case.batch.max(1);
        case
    }

    /// All parameters drawn so far, for the report.
    pub(crate) fn description(&self) -> String {
        self.log.join(" ")
    }

    /// A number made of the bits of all results: equal for equal results in the same order.
    pub(crate) fn digest(&self) -> u64 {
        self.digest.get()
    }

    /// The rule that the case is for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The routine.
    pub fn routine(&self) -> Routine {
        self.routine
    }

    /// The types of the cell.
    pub fn types(&self) -> Types {
        self.types
    }

    /// Number of batch entries.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// Makes the call unbatched; to be called before any operand is made.
    pub fn unbatched(&mut self) {
        self.batch = 1;
        self.log.push("unbatched".to_owned());
    }

    /// The case's own random numbers.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Whether all data are small integers, so that results must be exact.
    pub fn integers(&self) -> bool {
        matches!(self.rule, Rule::Exact | Rule::Nan)
    }

    /// Whether this is a case of [`Depth::Full`].
    pub fn is_full(&self) -> bool {
        self.depth == Depth::Full
    }

    /// Notes a parameter for the report.
    pub fn note(&mut self, name: &str, value: impl std::fmt::Debug) {
        self.log.push(format!("{name}={value:?}"));
    }

    /// The value of an axis: over the cases of a rule, all values come equally often, in an order of the axis' own.
    pub fn pick<T: Copy + std::fmt::Debug>(&mut self, axis: &str, values: &[T]) -> T {
        let n = values.len() as u64;
        let mut deck: Vec<T> = values.to_vec();
        Rng::new(mix(self.seed, axis) ^ (self.index / n)).shuffle(&mut deck);
        let value = deck[(self.index % n) as usize];
        self.note(axis, value);
        value
    }

    /// A triangle.
    pub fn uplo(&mut self) -> Uplo {
        self.pick("uplo", &[Uplo::Lower, Uplo::Upper])
    }

    /// A diagonal.
    pub fn diag(&mut self) -> Diag {
        self.pick("diag", &[Diag::NonUnit, Diag::Unit])
    }

    /// A side.
    pub fn side(&mut self) -> Side {
        self.pick("side", &[Side::Left, Side::Right])
    }

    /// A size, by name. Sizes of a case differ from each other, mostly.
    pub fn dim(&mut self, name: &'static str) -> Dim {
        let n = self.size(name);
        self.log.push(format!("{name}={n}"));
        Dim { name, n, tie: Tie::ByName }
    }

    fn size(&mut self, name: &str) -> usize {
        let silent = self.log.len();
        let n = match self.rule {
            Rule::K0 if name == "k" => return 0,
            Rule::Empty if self.rng.below(2) == 0 => return 0,
            Rule::Empty => 1 + self.rng.below(5),
            Rule::BadArguments => 3 + self.rng.below(6),
            _ => self.pick(name, self.size_axis()),
        };
        self.log.truncate(silent);
        let (cap, square) = match self.depth {
            Depth::Quick => (120_000, self.rng.below(8) == 0),
            Depth::Full => (1_500_000, self.rng.below(8) == 0),
        };
        let mut n = n.min((cap / self.volume).max(2));
        if !(square && self.rule != Rule::BadArguments) {
            while self.sizes.contains(&n) {
                n += 1;
            }
        }
        self.sizes.push(n);
        self.volume = self.volume.saturating_mul(n.max(1));
        n
    }

    fn size_axis(&self) -> &'static [usize] {
        const ONE: &[usize] = &[
            1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257,
            1000, 1025, 4099, 10007, 40009,
        ];
        const TWO: &[usize] = &[
            1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 63, 64, 65, 67, 100, 129, 193, 257, 300,
        ];
        const THREE: &[usize] = &[
            1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 49, 63, 64, 65, 67, 96, 129, 193,
            257,
        ];
        let (all, quick) = match self.routine.level() {
            Level::One => (ONE, ONE.len() - 2),
            Level::Two => (TWO, TWO.len() - 3),
            _ => (THREE, THREE.len() - 2),
        };
        if self.depth == Depth::Full { all } else { &all[..quick] }
    }

    /// A failure of the case's rule.
    pub fn failed(&self, check: &'static str, got: &dyn std::fmt::Display, want: &str) -> Stop {
        Stop::Failed(Fail { check, got: got.to_string(), want: want.to_owned() })
    }

    /// Fails unless `holds`.
    pub fn ensure(&self, holds: bool, got: impl std::fmt::Debug, want: impl std::fmt::Debug) -> Verdict {
        if holds {
            Ok(())
        } else {
            Err(self.failed(self.rule.name(), &format!("{got:?}"), &format!("{want:?}")))
        }
    }
}
