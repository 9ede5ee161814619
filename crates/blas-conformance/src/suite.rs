//! Runs the cells.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use blas_api::{Any, Backend, DType, Handle, HostMemory, RawHandle, Result, Routine, Support, Types};

use crate::case::{Case, Depth, Fail, Rule, Stop};
use crate::casefile::{self, CaseReport};
use crate::cases;
use crate::properties::{self, HostChecks, Open, PropertyReport, PropertyResult, host_checks};
use crate::report::{Cell, DeviationReport, Failure, Report};
use crate::rng::{digest, mix};
use crate::table::{Scenario, Table};
use crate::worker::Worker;

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// How much is tried.
    pub depth: Depth,
    /// Seed of all cases.
    pub seed: u64,
    /// Only these routines, if any are named.
    pub routines: Vec<Routine>,
    /// Only cells of which the type of C (or the only type) is one of these, if any are named.
    pub dtypes: Vec<DType>,
    /// Whether cells are run. Without them there are only case files and properties.
    pub cells: bool,
    /// Only the case of this id, as a failure prints it.
    pub case: Option<String>,
    /// Stops at the first case that fails.
    pub until_failure: bool,
    /// How long a cell, a line of a case file or a property may take. One that takes longer has failed, and the next one has
    /// a handle of its own.
    pub limit: Duration,
    /// Failures of each check of a cell that are kept in full; further ones are counted.
    pub max_failures: usize,
}

impl Options {
    /// The quick run.
    pub fn quick() -> Self {
        Options {
            depth: Depth::Quick,
            seed: 0x616e_7962_6c61_7321,
            routines: Vec::new(),
            dtypes: Vec::new(),
            cells: true,
            case: None,
            until_failure: false,
            limit: Duration::from_secs(600),
            max_failures: 3,
        }
    }

    /// The full run.
    pub fn full() -> Self {
        Options { depth: Depth::Full, ..Options::quick() }
    }

    fn includes(&self, routine: Routine, types: Types) -> bool {
        let dtype = match types {
            Types::One(t) => t,
            Types::Gemm(g) => g.c,
            _ => return false,
        };
        (self.routines.is_empty() || self.routines.contains(&routine))
            && (self.dtypes.is_empty() || self.dtypes.contains(&dtype))
            && self.case.as_ref().is_none_or(|id| id.starts_with(&format!("{routine}/{types}/")))
    }

    /// Whether neither cells nor a single case were asked for: then case files and properties run too.
    fn is_whole(&self) -> bool {
        self.routines.is_empty() && self.dtypes.is_empty() && self.case.is_none()
    }

    /// The cells that a run visits.
    pub fn cells(&self) -> Vec<(Routine, Types)> {
        let all = Routine::ALL.iter().flat_map(|&r| r.types().iter().map(move |&t| (r, t)));
        all.filter(|&(r, t)| self.cells && self.includes(r, t)).collect()
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Cells done.
    pub done: usize,
    /// Cells in all.
    pub total: usize,
    /// The cell just done.
    pub cell: &'a Cell,
}

/// What the suite runs on: a way to open handles on a device.
///
/// The suite is compiled once, for handles whose backend is known at run time only; those of other backends are
/// [erased](Handle::erase).
#[derive(Clone)]
pub struct Subject {
    pub(crate) open: Open<Any>,
    pub(crate) host: Option<HostChecks>,
}

impl Subject {
    /// Any backend.
    pub fn new<B: Backend>(open: impl Fn() -> Result<Handle<B>> + Send + Sync + 'static) -> Self {
        Subject { open: Arc::new(move || Ok(open()?.erase())), host: None }
    }

    /// A backend whose device memory is the host's: there is more to see, by guard pages, sparse memory and the flags of
    /// the processor.
    pub fn on_host<B: HostMemory>(
        open: impl Fn() -> Result<Handle<B>> + Clone + Send + Sync + 'static,
    ) -> Self {
        Subject { host: Some(host_checks(open.clone())), ..Subject::new(open) }
    }
}

/// Runs the suite.
///
/// # Errors
/// Only if the device cannot be opened.
pub fn run(subject: &Subject, options: &Options) -> Result<Report> {
    run_with(subject, options, &mut |_| {})
}

/// The same, telling after each cell how far it has come.
///
/// # Errors
/// Only if the device cannot be opened.
pub fn run_with(
    subject: &Subject,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Report> {
    let handle = (subject.open)()?;
    let mut worker = Worker::new(&subject.open, options.limit);
    let mut report = run_cells(&handle, options, progress, &mut |cell, deviations| {
        let (options, mut seen) = (options.clone(), deviations.clone());
        let done = worker.run(move |handle| (run_cell(handle, &options, cell, &mut seen), seen));
        match done {
            Ok((cell, seen)) => {
                *deviations = seen;
                cell
            }
            Err(why) => {
                let mut failed = Cell::new(cell.0, cell.1);
                failed.fail(Failure::of_cell(&failed, &why, "an end of the cell"));
                failed
            }
        }
    });
    if options.is_whole() {
        report.add_section("cases from bug reports", run_file(&mut worker, casefile::HANDED));
        report.add_section("cases of the suite's own", run_file(&mut worker, casefile::OWN));
        report.add_section("properties", run_properties(&mut worker, subject, options.depth).cases());
    }
    Ok(report)
}

/// Runs the lines of a case file.
fn run_file(worker: &mut Worker, text: &str) -> CaseReport {
    let results = casefile::lines(text).flat_map(|(number, line)| {
        let text = line.to_owned();
        let results = worker.run(move |handle| casefile::run_line(handle, number, &text));
        results.unwrap_or_else(|why| vec![casefile::not_run(number, line, why)])
    });
    CaseReport { results: results.collect() }
}

/// Checks the properties.
fn run_properties(worker: &mut Worker, subject: &Subject, depth: Depth) -> PropertyReport {
    let results = properties::plans().into_iter().map(|property| {
        let (id, Subject { open, host }) = (property.0, subject.clone());
        let result =
            worker.run(move |handle| properties::check(handle, Some(&open), depth, host.as_ref(), property));
        result.unwrap_or_else(|why| PropertyResult::not_checked(id, why))
    });
    PropertyReport { results: results.collect() }
}

/// Runs a case file (see [`casefile`]) in place of the suite.
///
/// # Errors
/// Only if the device cannot be opened.
pub fn run_cases(subject: &Subject, name: &str, text: &str) -> Result<Report> {
    let handle = (subject.open)()?;
    let mut report = Report::new(handle.device(), &Options::quick());
    let mut worker = Worker::new(&subject.open, Options::quick().limit);
    report.add_section(name, run_file(&mut worker, text));
    Ok(report)
}

/// Runs the cells alone, each by a function that notes what it sees of the deviations.
pub(crate) fn run_cells(
    handle: &Handle<Any>,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
    run: &mut dyn FnMut((Routine, Types), &mut Vec<DeviationReport>) -> Cell,
) -> Report {
    let cells = options.cells();
    let mut report = Report::new(handle.device(), options);
    let mut deviations: Vec<DeviationReport> =
        handle.raw().deviations().iter().map(DeviationReport::new).collect();
    for (done, &cell) in cells.iter().enumerate() {
        let cell = run(cell, &mut deviations);
        progress(Progress { done: done + 1, total: cells.len(), cell: &cell });
        report.add(cell);
        if options.until_failure && !report.ok() {
            break;
        }
    }
    report.close(deviations, options.depth == Depth::Full && options.case.is_none());
    report
}

pub(crate) fn run_cell<B: Backend>(
    handle: &Handle<B>,
    options: &Options,
    (routine, types): (Routine, Types),
    deviations: &mut [DeviationReport],
) -> Cell {
    let mut cell = Cell::new(routine, types);
    match handle.supports_types(routine, types) {
        Support::Yes => {}
        Support::No(why) => {
            cell.skip(why);
            return cell;
        }
        other => {
            cell.skip(&format!("{other:?}"));
            return cell;
        }
    }
    let mut table = Table::new(types);
    cases::register(routine, &mut table);
    if table.scenarios.is_empty() {
        cell.fail(Failure::of_cell(&cell, "no cases are written for this cell", "cases"));
        return cell;
    }
    for scenario in &table.scenarios {
        for &rule in &scenario.rules {
            if options.until_failure && cell.failed > 0 {
                return cell;
            }
            run_rule(handle, options, (routine, types), scenario, rule, &mut cell, deviations);
        }
    }
    cell
}

fn run_rule<B: Backend>(
    handle: &Handle<B>,
    options: &Options,
    (routine, types): (Routine, Types),
    scenario: &Scenario<B>,
    rule: Rule,
    cell: &mut Cell,
    deviations: &mut [DeviationReport],
) {
    let count = rule.quick() * if options.depth == Depth::Full { FULL } else { 1 };
    let stem = format!("{routine}/{types}/{}/{}", scenario.name, rule.name());
    let seed = mix(options.seed, &stem);
    for index in 0..count as u64 {
        let id = format!("{stem}/{index}");
        if options.case.as_ref().is_some_and(|only| *only != id) {
            continue;
        }
        let mut case = Case::new(handle, (routine, types), rule, index, options.depth, seed);
        let verdict = catch_unwind(AssertUnwindSafe(|| (scenario.body)(&mut case)));
        cell.digest = digest(cell.digest, case.digest());
        let fail = match verdict {
            Ok(Ok(()) | Err(Stop::Done)) => {
                for d in deviations.iter_mut().filter(|d| d.is(routine, rule.name())) {
                    d.kept += 1;
                }
                cell.passed += 1;
                continue;
            }
            Ok(Err(Stop::Failed(fail))) => fail,
            Err(panic) => Fail { check: rule.name(), got: panicked(&*panic), want: "no panic".to_owned() },
        };
        if let Some(d) = deviations.iter_mut().find(|d| d.is(routine, fail.check)) {
            d.broken += 1;
            cell.deviated += 1;
            continue;
        }
        let keep = cell.failures.iter().filter(|f| f.check == fail.check).count() < options.max_failures;
        cell.failed += 1;
        if keep {
            cell.failures.push(Failure {
                id,
                seed: options.seed,
                check: fail.check.to_owned(),
                parameters: case.description(),
                got: fail.got,
                want: fail.want,
            });
        }
    }
}

/// Cases of a full run for each of a quick one.
const FULL: usize = 8;

fn panicked(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_default())
}
