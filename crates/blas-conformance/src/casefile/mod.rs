//! Case files: single calls in the F77 or CBLAS argument order with the values that they must give.
//!
//! The format is described in `data/README.md`. [`run`] takes the text of any such file; [`HANDED`] and [`OWN`] are the
//! two that belong to the suite. Each row is run for each of its types: arrays are uploaded in exactly the length
//! that the row gives them, the call is made through views and the library's checked entry, and all arrays are read back.
//!
//! # Where F77 and the contract differ
//!
//! The interpreter plays the part of an F77 front over the library:
//!
//! - a negative size is an empty vector in Level 1, and refused in Levels 2 and 3;
//! - `scal`, `asum`, `iamax` and `iamin` return at once for an increment <= 0; `nrm2` and the others walk it;
//! - indices count from 1, and `iamax` of nothing is 0;
//! - `sdsdot` adds its coefficient to the library's `dsdot`.
//!
//! A call whose arguments the contract declares illegal passes if it is refused with a typed error and no array has
//! changed, whatever the row says: increment 0 of an output, where F77 updates one element again and again, is such a
//! call. What is illegal is told by rules of the interpreter's own, so that a library that refuses a legal call, or takes
//! an illegal one, fails.

mod calls;
mod check;
mod front;
mod name;
mod row;
mod scale;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use blas_api::{
    Backend, Complex, DType, Deviation, Error, Handle, Layout, Routine, Support, Types, bf16, f16,
};
use serde::Serialize;
use serde_json::Value as Json;

use calls::Calls;
use front::{Array, Front, Stop};
use name::Form;
use row::{Argument, Expected, Parts, Row, Value, Want};
use scale::Scaling;

/// The cases from public bug reports that the suite carries.
pub const HANDED: &str = include_str!("../../data/cases.jsonl");
/// The suite's own: above all calls that must be refused.
pub const OWN: &str = include_str!("../../data/own.jsonl");

/// What became of a row for one type.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseOutcome {
    /// All values are as expected, or the illegal call was refused.
    Passed,
    /// Not so: what was found and what was wanted.
    Failed(String),
    /// Not run: why.
    Skipped(String),
    /// Failed, as the backend's declared deviation says: what was found, and the reason declared.
    Deviated(String),
}

/// A row for one type.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CaseResult {
    /// The row's id, or its line where it has none.
    pub id: String,
    /// Routine; empty if the row could not be read.
    pub routine: String,
    /// Type; empty if the row could not be read.
    pub dtype: String,
    /// What became of it.
    pub outcome: CaseOutcome,
}

/// The results of a case file.
#[derive(Clone, PartialEq, Debug, Serialize, Default)]
pub struct CaseReport {
    /// One for each row and type.
    pub results: Vec<CaseResult>,
}

impl CaseReport {
    fn count(&self, is: impl Fn(&CaseOutcome) -> bool) -> usize {
        self.results.iter().filter(|r| is(&r.outcome)).count()
    }

    /// Cases that passed.
    pub fn passed(&self) -> usize {
        self.count(|o| matches!(o, CaseOutcome::Passed))
    }

    /// Cases that failed.
    pub fn failed(&self) -> usize {
        self.count(|o| matches!(o, CaseOutcome::Failed(_)))
    }

    /// Cases that were not run.
    pub fn skipped(&self) -> usize {
        self.count(|o| matches!(o, CaseOutcome::Skipped(_)))
    }

    /// Cases that failed as the backend declares.
    pub fn deviated(&self) -> usize {
        self.count(|o| matches!(o, CaseOutcome::Deviated(_)))
    }

    /// Whether nothing failed.
    pub fn ok(&self) -> bool {
        self.failed() == 0
    }
}

/// The totals, every failure, and every reason of a skip with its cases.
impl fmt::Display for CaseReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deviated = match self.deviated() {
            0 => String::new(),
            n => format!(", {n} deviated"),
        };
        write!(
            f,
            "{} passed, {} failed, {} skipped{deviated}",
            self.passed(),
            self.failed(),
            self.skipped()
        )?;
        let mut skips: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for CaseResult { id, dtype, outcome, .. } in &self.results {
            match outcome {
                CaseOutcome::Passed => {}
                CaseOutcome::Failed(why) => write!(f, "\nFAILED {id} {dtype}: {why}")?,
                CaseOutcome::Deviated(why) => write!(f, "\ndeviation: {id} {dtype}: {why}")?,
                CaseOutcome::Skipped(why) => skips.entry(why).or_default().push(format!("{id} {dtype}")),
            }
        }
        for (why, cases) in skips {
            write!(f, "\nskipped: {why}: {}", cases.join(", "))?;
        }
        Ok(())
    }
}

/// Runs a case file: one JSON object a line. A line that cannot be read is a failed case.
pub fn run<B: Backend>(handle: &Handle<B>, text: &str) -> CaseReport {
    CaseReport { results: lines(text).flat_map(|(number, line)| run_line(handle, number, line)).collect() }
}

/// The lines of a case file that are not blank, with their numbers.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}

/// Runs a line for each of its types.
pub(crate) fn run_line<B: Backend>(handle: &Handle<B>, number: usize, line: &str) -> Vec<CaseResult> {
    let json = serde_json::from_str::<Json>(line).map_err(|e| format!("not JSON: {e}"));
    let (id, row) = match json.and_then(|json| Ok((row::id(&json, number), Row::read(&json)?))) {
        Ok(read) => read,
        Err(why) => return vec![not_run(number, line, why)],
    };
    let result = |&dtype: &DType| {
        let (routine, outcome) = run_row(handle, &row, dtype, &id);
        CaseResult { id: id.clone(), routine, dtype: dtype.name().to_owned(), outcome }
    };
    let mut results: Vec<_> = row.dtypes.iter().map(result).collect();
    still_seen(handle, &mut results);
    results
}

/// What becomes of a line that gives no results: why there are none.
pub(crate) fn not_run(number: usize, line: &str, why: String) -> CaseResult {
    let id = row::id(&serde_json::from_str(line).unwrap_or_default(), number);
    CaseResult { id, routine: String::new(), dtype: String::new(), outcome: CaseOutcome::Failed(why) }
}

/// Runs a row for one type. A panic of the backend is a failure of this case alone.
fn run_row<B: Backend>(handle: &Handle<B>, row: &Row, dtype: DType, id: &str) -> (String, CaseOutcome) {
    let routine = match &row.complex_routine {
        Some(name) if dtype.is_complex() => match name.parse() {
            Ok(routine) => routine,
            Err(why) => return (name.clone(), CaseOutcome::Failed(why)),
        },
        _ => name::for_type(row.call.routine, dtype),
    };
    let case = match Case::new(row, routine, dtype) {
        Ok(case) => case,
        Err(why) => return (routine.name().to_owned(), CaseOutcome::Skipped(why)),
    };
    let outcome = match handle.supports_types(routine, Types::One(dtype)) {
        Support::No(why) => CaseOutcome::Skipped(format!("the backend has no {routine} of {dtype}: {why}")),
        _ => {
            let run = AssertUnwindSafe(|| case.run(handle));
            let result = catch_unwind(run).unwrap_or_else(|_| Err("the backend panicked".to_owned()));
            judged(handle, routine, id, result)
        }
    };
    (routine.name().to_owned(), outcome)
}

/// The outcome of a result, in view of the backend's declared deviations: those whose rule is the row's id. (One for NaN in
/// general is looked after by the generated cases.)
fn judged<B: Backend>(
    handle: &Handle<B>,
    routine: Routine,
    id: &str,
    result: Result<(), String>,
) -> CaseOutcome {
    match (result, declared(handle, routine.name(), id)) {
        (Ok(()), _) => CaseOutcome::Passed,
        (Err(why), None) => CaseOutcome::Failed(why),
        (Err(why), Some(d)) => CaseOutcome::Deviated(format!("{why} ({})", d.reason)),
    }
}

fn declared<B: Backend>(handle: &Handle<B>, routine: &str, id: &str) -> Option<&'static Deviation> {
    use blas_api::RawHandle as _;
    handle.raw().deviations().iter().find(|d| d.routine.name() == routine && d.rule == id)
}

/// A declared deviation must still be seen for one of a row's types, else the first of them fails.
fn still_seen<B: Backend>(handle: &Handle<B>, results: &mut [CaseResult]) {
    if results.iter().any(|r| matches!(r.outcome, CaseOutcome::Deviated(_))) {
        return;
    }
    for r in results {
        if r.outcome == CaseOutcome::Passed
            && let Some(d) = declared(handle, &r.routine, &r.id)
        {
            r.outcome =
                CaseOutcome::Failed(format!("passed, but deviations() says that it does not: {}", d.reason));
            return;
        }
    }
}

/// A row taken to one type.
struct Case<'r> {
    row: &'r Row,
    routine: Routine,
    dtype: DType,
    arguments: Vec<Argument>,
    arrays: Vec<Expected>,
    accepted: &'r [Expected],
    returns: Option<Want>,
    tol: f64,
    /// Tolerance and type of the function value.
    returned: (f64, bool),
}

impl<'r> Case<'r> {
    /// Takes the row to a type, or says why it has no meaning there.
    fn new(row: &'r Row, routine: Routine, dtype: DType) -> Result<Self, String> {
        if !routine.types().contains(&Types::One(dtype)) {
            return Err(format!("the contract has no {routine} of {dtype}"));
        }
        let own = row.call.dtype;
        let (mut arguments, mut arrays, mut returns) =
            (row.arguments.clone(), row.arrays.clone(), row.returns);
        if own.is_complex() && !dtype.is_complex() && has_imaginary(row) {
            return Err(format!("imaginary parts have no place in {dtype}"));
        }
        if routine == Routine::Rotg && own.is_complex() != dtype.is_complex() {
            return Err("real and complex rotg return different things".to_owned());
        }
        let index = matches!(routine, Routine::Iamax | Routine::Iamin);
        let mut numbers: Vec<&mut f64> = Vec::new();
        for argument in &mut arguments {
            match &mut argument.value {
                Value::Scalar(p) => numbers.extend(p),
                Value::Array(v) => numbers.extend(v.iter_mut().flatten()),
                Value::Int(_) | Value::Char(_) => {}
            }
        }
        numbers.extend(arrays.iter_mut().flat_map(|a| &mut a.values).flat_map(Want::parts_mut));
        if !index {
            numbers.extend(returns.iter_mut().flat_map(Want::parts_mut));
        }
        let rounding = take_to(&mut numbers, own, dtype)?;
        let tol = check::tolerance(row.tol, dtype, rounding);
        let returned = match (routine, row.call.form) {
            (Routine::Iamax | Routine::Iamin, _) => (0.0, false),
            (Routine::Dsdot, form) if form != Form::Sdsdot => (row.tol, false),
            (Routine::Dot | Routine::Dotc, _) => (tol, dtype.is_complex()),
            _ => (tol, false),
        };
        let accepted = &row.accepted;
        Ok(Case { row, routine, dtype, arguments, arrays, accepted, returns, tol, returned })
    }

    /// Runs the case; the error says what was found and what was wanted.
    fn run<B: Backend>(&self, handle: &Handle<B>) -> Result<(), String> {
        match self.dtype {
            DType::F16 => self.run_as::<f16, B>(handle),
            DType::BF16 => self.run_as::<bf16, B>(handle),
            DType::F32 => self.run_as::<f32, B>(handle),
            DType::F64 => self.run_as::<f64, B>(handle),
            DType::C32 => self.run_as::<Complex<f32>, B>(handle),
            DType::C64 => self.run_as::<Complex<f64>, B>(handle),
            other => Err(format!("no case can be run for {other}")),
        }
    }

    fn run_as<T: Calls, B: Backend>(&self, handle: &Handle<B>) -> Result<(), String> {
        let device = |e: Error| format!("the operands could not be moved: {e}");
        let arrays = self.arguments.iter().filter_map(|a| match &a.value {
            Value::Array(v) => Some(Array::<T, B>::upload(handle, &a.name, v)),
            _ => None,
        });
        let mut arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(device)?;
        let illegal = Cell::new(false);
        let mut front = Front {
            handle,
            level: self.routine.level(),
            illegal: &illegal,
            form: self.row.call.form,
            layout: Layout::Col,
            real: !self.row.call.dtype.is_complex(),
            arguments: self.arguments.iter(),
            arrays: arrays.iter_mut(),
        };
        let layout = if self.row.call.layout { front.take_layout() } else { Ok(()) };
        let result = layout.and_then(|()| T::call(self.routine, front));
        let mut after = Vec::new();
        for array in arrays {
            let now = array.buffer.to_vec(handle).map_err(device)?;
            after.push(After {
                output: array.output,
                before: array.before.iter().map(|v| v.parts()).collect(),
                now: now.iter().map(|v| v.parts()).collect(),
                name: array.name,
            });
        }
        match result {
            Err(Stop::Malformed(why)) => Err(why),
            Err(Stop::Illegal(_)) => untouched(&after, |_| true),
            Err(Stop::Refused(e @ (Error::Unsupported { .. } | Error::Device { .. }))) => Err(e.to_string()),
            Err(Stop::Refused(_)) if illegal.get() || self.row.refused => untouched(&after, |_| true),
            Err(Stop::Refused(e)) => Err(format!("a legal call was refused: {e}")),
            Ok(_) if illegal.get() || self.row.refused => Err("an illegal call was not refused".to_owned()),
            Ok(returned) => {
                untouched(&after, |a| !a.output)?;
                self.compare(&after)?;
                self.compare_returned(returned)
            }
        }
    }

    fn compare(&self, after: &[After]) -> Result<(), String> {
        for expected in &self.arrays {
            // The names have been checked when the row was read.
            let Some(array) = after.iter().find(|a| a.name == expected.name) else { continue };
            let differs = self.differences(array, expected);
            let accepted = || self.accepted.iter().any(|e| self.differences(array, e).is_empty());
            if !differs.is_empty() && !accepted() {
                return Err(differs.join("; "));
            }
        }
        Ok(())
    }

    /// The first elements that are not as expected.
    fn differences(&self, array: &After, expected: &Expected) -> Vec<String> {
        let complex = self.dtype.is_complex();
        let wrong = array.now.iter().zip(&expected.values).enumerate();
        let wrong = wrong.filter(|(_, (got, want))| !check::agrees(**got, complex, **want, self.tol));
        let text = wrong.map(|(i, (got, want))| {
            let (got, want) = (check::show(*got, complex), check::show_want(*want));
            format!("{}[{i}]: got {got}, want {want}", array.name)
        });
        text.take(4).collect()
    }

    fn compare_returned(&self, returned: Option<Parts>) -> Result<(), String> {
        let (Some(want), (tol, complex)) = (self.returns, self.returned) else { return Ok(()) };
        match returned {
            None => Err(format!("the routine returns nothing, want {}", check::show_want(want))),
            Some(got) if check::agrees(got, complex, want, tol) => Ok(()),
            Some(got) => {
                Err(format!("return: got {}, want {}", check::show(got, complex), check::show_want(want)))
            }
        }
    }
}

/// An array before and after the call.
struct After {
    name: String,
    output: bool,
    before: Vec<Parts>,
    now: Vec<Parts>,
}

/// Checks that arrays hold the bits that they held.
fn untouched(after: &[After], which: impl Fn(&After) -> bool) -> Result<(), String> {
    for a in after.iter().filter(|a| which(a)) {
        let bits = |p: &Parts| p.map(f64::to_bits);
        if let Some(i) = (0..a.now.len()).find(|&i| bits(&a.now[i]) != bits(&a.before[i])) {
            let (now, before) = (check::show(a.now[i], true), check::show(a.before[i], true));
            return Err(format!("{}[{i}] may not be written: got {now}, want {before}", a.name));
        }
    }
    Ok(())
}

fn has_imaginary(row: &Row) -> bool {
    row.arguments.iter().any(|a| match &a.value {
        Value::Scalar(p) => p[1] != 0.0,
        Value::Array(v) => v.iter().any(|p| p[1] != 0.0),
        Value::Int(_) | Value::Char(_) => false,
    })
}

/// Scales the numbers of a row to another type. Returns the largest relative error of rounding them to it.
fn take_to(numbers: &mut [&mut f64], from: DType, to: DType) -> Result<f64, String> {
    if from.real() == to.real() {
        return Ok(0.0);
    }
    let values: Vec<f64> = numbers.iter().map(|v| **v).collect();
    let scaling = Scaling::new(&values, from, to)?;
    for v in &mut *numbers {
        **v = scaling.apply(**v);
    }
    Ok(numbers.iter().map(|v| scale::rounding(**v, to)).fold(0.0, f64::max))
}

#[cfg(test)]
mod tests;
