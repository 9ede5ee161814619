//! What a run found: cells, failures, totals; as text, JSON and JUnit XML.

use std::fmt::{self, Write as _};

use blas_api::{Deviation, Device, DeviceId, Level, Routine, Types};
use serde::Serialize;

use crate::case::Depth;
use crate::casefile::{CaseOutcome, CaseReport};
use crate::suite::Options;

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Name of the suite.
    pub suite: &'static str,
    /// The backend.
    pub backend: String,
    /// The device, by id and name.
    pub device: String,
    /// Versions of driver and libraries.
    pub versions: Vec<(String, String)>,
    /// How much was tried.
    pub depth: Depth,
    /// Seed of all cases.
    pub seed: u64,
    /// Sums over all cells.
    pub totals: Totals,
    /// One for each routine and combination of types.
    pub cells: Vec<Cell>,
    /// Rules that the backend says it does not keep.
    pub deviations: Vec<DeviationReport>,
    /// Case files and properties.
    pub sections: Vec<Section>,
}

/// Cases that belong to no cell: a case file, or the properties.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Sums over its cases.
    pub totals: Totals,
    /// Its cases.
    #[serde(flatten)]
    pub cases: CaseReport,
}

/// Numbers of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Cases that passed.
    pub passed: usize,
    /// Cases that failed.
    pub failed: usize,
    /// Cells that the backend does not have, each counted once.
    pub skipped: usize,
    /// Cases that broke a rule which the backend declares not to keep.
    pub deviated: usize,
}

/// A routine for a combination of types.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Cell {
    /// Routine.
    pub routine: String,
    /// Types.
    pub types: String,
    /// Cases that passed.
    pub passed: usize,
    /// Cases that failed.
    pub failed: usize,
    /// 1 if the cell was skipped.
    pub skipped: usize,
    /// Cases that broke a rule which the backend declares not to keep.
    pub deviated: usize,
    /// A number made of the bits of all results, to compare runs by.
    #[serde(serialize_with = "hex")]
    pub digest: u64,
    /// Why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The first failures in full.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
}

/// Readers of JSON need not keep more than 53 bits of a number.
fn hex<S: serde::Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{value:016x}"))
}

/// A case that failed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Failure {
    /// Names the case: routine, types, scenario, rule, number. [`Options::case`] runs it again.
    pub id: String,
    /// Seed of the run.
    pub seed: u64,
    /// The check that did not hold.
    pub check: String,
    /// All parameters of the case.
    pub parameters: String,
    /// What was found.
    pub got: String,
    /// What the contract asks for.
    pub want: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "FAILED {} ({}; seed {:#x})", self.id, self.check, self.seed)?;
        writeln!(f, "  case: {}", self.parameters)?;
        writeln!(f, "  got:  {}", self.got)?;
        write!(f, "  want: {}", self.want)
    }
}

impl Failure {
    pub(crate) fn of_cell(cell: &Cell, got: &str, want: &str) -> Self {
        Failure {
            id: format!("{}/{}", cell.routine, cell.types),
            seed: 0,
            check: "registered".to_owned(),
            parameters: String::new(),
            got: got.to_owned(),
            want: want.to_owned(),
        }
    }
}

/// A declared deviation and what the run saw of it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DeviationReport {
    /// Routine.
    pub routine: String,
    /// The rule not kept.
    pub rule: String,
    /// The backend's reason.
    pub reason: String,
    /// Cases that broke the rule.
    pub broken: usize,
    /// Cases of the rule that kept it.
    pub kept: usize,
}

impl DeviationReport {
    pub(crate) fn new(d: &Deviation) -> Self {
        DeviationReport {
            routine: d.routine.name().to_owned(),
            rule: d.rule.to_owned(),
            reason: d.reason.to_owned(),
            broken: 0,
            kept: 0,
        }
    }

    pub(crate) fn is(&self, routine: Routine, rule: &str) -> bool {
        self.routine == routine.name() && self.rule == rule
    }
}

impl Cell {
    pub(crate) fn new(routine: Routine, types: Types) -> Self {
        Cell {
            routine: routine.name().to_owned(),
            types: types.to_string(),
            passed: 0,
            failed: 0,
            skipped: 0,
            deviated: 0,
            digest: 0,
            reason: None,
            failures: Vec::new(),
        }
    }

    pub(crate) fn skip(&mut self, why: &str) {
        self.skipped = 1;
        self.reason = Some(why.to_owned());
    }

    pub(crate) fn fail(&mut self, failure: Failure) {
        self.failed += 1;
        self.failures.push(failure);
    }
}

impl Report {
    pub(crate) fn new(device: DeviceId, options: &Options) -> Self {
        Report {
            suite: "anyblas conformance",
            backend: device.backend.to_owned(),
            device: device.to_string(),
            versions: Vec::new(),
            depth: options.depth,
            seed: options.seed,
            totals: Totals::default(),
            cells: Vec::new(),
            deviations: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Adds cases that belong to no cell.
    pub fn add_section(&mut self, name: &str, cases: CaseReport) {
        let totals = Totals {
            passed: cases.passed(),
            failed: cases.failed(),
            skipped: cases.skipped(),
            deviated: cases.deviated(),
        };
        self.totals.passed += totals.passed;
        self.totals.failed += totals.failed;
        self.totals.skipped += totals.skipped;
        self.totals.deviated += totals.deviated;
        self.sections.push(Section { name: name.to_owned(), totals, cases });
    }

    /// Adds what is known of the device.
    #[must_use]
    pub fn on(mut self, device: &Device) -> Self {
        self.device = format!("{} ({}) {}", device.id, device.name, device.arch).trim_end().to_owned();
        self.versions.clone_from(&device.versions);
        self
    }

    pub(crate) fn add(&mut self, cell: Cell) {
        self.totals.passed += cell.passed;
        self.totals.failed += cell.failed;
        self.totals.skipped += cell.skipped;
        self.totals.deviated += cell.deviated;
        self.cells.push(cell);
    }

    /// A deviation that the run has looked for and not found is a failure, if all of its cases were run: a sample may lack
    /// those that show it.
    pub(crate) fn close(&mut self, deviations: Vec<DeviationReport>, whole: bool) {
        for d in &deviations {
            let gone = whole && d.broken == 0 && d.kept > 0;
            if let Some(cell) = self.cells.iter_mut().find(|c| gone && c.routine == d.routine) {
                let got = format!("all {} cases of rule {:?} passed", d.kept, d.rule);
                let failure = Failure {
                    check: "deviation".to_owned(),
                    ..Failure::of_cell(cell, &got, "the rule is still broken, as deviations() says")
                };
                cell.fail(failure);
                self.totals.failed += 1;
            }
        }
        self.deviations = deviations;
    }

    /// Whether nothing failed.
    pub fn ok(&self) -> bool {
        self.totals.failed == 0
    }

    /// All failures kept.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.cells.iter().flat_map(|c| &c.failures)
    }

    /// As JSON.
    ///
    /// # Errors
    /// Only if memory runs out.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// As JUnit XML: a test suite a routine, a test case a cell.
    pub fn junit(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let t = &self.totals;
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<testsuites name=\"{} on {}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
            escape(self.suite),
            escape(&self.device),
            t.passed + t.failed + t.skipped + t.deviated,
            t.failed,
            t.skipped
        );
        for cells in self.cells.chunk_by(|a, b| a.routine == b.routine) {
            let routine = escape(&cells[0].routine);
            let failed = cells.iter().filter(|c| c.failed > 0).count();
            let skipped = cells.iter().filter(|c| c.skipped > 0).count();
            let _ = writeln!(
                out,
                "  <testsuite name=\"{routine}\" tests=\"{}\" failures=\"{failed}\" skipped=\"{skipped}\">",
                cells.len()
            );
            for c in cells {
                let _ = write!(out, "    <testcase classname=\"{routine}\" name=\"{}\"", escape(&c.types));
                if let Some(why) = &c.reason {
                    let _ = writeln!(out, "><skipped message=\"{}\"/></testcase>", escape(why));
                } else if c.failed > 0 {
                    let text: Vec<String> = c.failures.iter().map(ToString::to_string).collect();
                    let _ = writeln!(
                        out,
                        "><failure message=\"{} of {} cases failed\">{}</failure></testcase>",
                        c.failed,
                        c.failed + c.passed,
                        escape(&text.join("\n"))
                    );
                } else {
                    let _ = writeln!(out, "/>");
                }
            }
            let _ = writeln!(out, "  </testsuite>");
        }
        for section in &self.sections {
            let name = escape(&section.name);
            let Totals { passed, failed, skipped, deviated } = section.totals;
            let tests = passed + failed + skipped + deviated;
            let _ = writeln!(
                out,
                "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failed}\" skipped=\"{skipped}\">"
            );
            for c in &section.cases.results {
                let id = format!("{} {}", c.id, c.dtype);
                let _ = write!(out, "    <testcase classname=\"{name}\" name=\"{}\"", escape(id.trim_end()));
                let _ = match &c.outcome {
                    CaseOutcome::Passed | CaseOutcome::Deviated(_) => writeln!(out, "/>"),
                    CaseOutcome::Failed(why) => {
                        writeln!(out, "><failure message=\"{}\"/></testcase>", escape(why))
                    }
                    CaseOutcome::Skipped(why) => {
                        writeln!(out, "><skipped message=\"{}\"/></testcase>", escape(why))
                    }
                };
            }
            let _ = writeln!(out, "  </testsuite>");
        }
        out.push_str("</testsuites>\n");
        out
    }
}

/// Text for XML content and attributes. Characters that XML 1.0 cannot hold become U+FFFD.
fn escape(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' => out.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The matrix of routines and types, the failures, the deviations, and the totals.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({:?}) on {}", self.suite, self.depth, self.device)?;
        for (name, version) in &self.versions {
            writeln!(f, "  {name} {version}")?;
        }
        let mut level: Option<Level> = None;
        for cells in self.cells.chunk_by(|a, b| a.routine == b.routine) {
            let now = cells[0].routine.parse::<Routine>().ok().map(Routine::level);
            if now != level {
                level = now;
                let title = match level {
                    Some(Level::Solver) => "Solvers",
                    Some(Level::Three) => "Level 3",
                    Some(Level::Two) => "Level 2",
                    _ => "Level 1",
                };
                writeln!(f, "{title}")?;
            }
            write!(f, "  {:<8}", cells[0].routine)?;
            for c in cells {
                let text = match c {
                    Cell { skipped: 1, .. } => "skipped".to_owned(),
                    Cell { failed: 0, deviated: 0, passed, .. } => passed.to_string(),
                    Cell { failed: 0, deviated, passed, .. } => format!("{passed} ({deviated} deviate)"),
                    Cell { failed, .. } => format!("{failed} FAILED"),
                };
                write!(f, " {} {:<9}", c.types, text)?;
            }
            writeln!(f)?;
        }
        for failure in self.failures() {
            writeln!(f, "{failure}")?;
        }
        for d in self.deviations.iter().filter(|d| d.broken + d.kept > 0) {
            let DeviationReport { routine, rule, reason, broken, kept } = d;
            writeln!(
                f,
                "deviation: {routine} {rule}: {reason} ({broken} cases broke the rule, {kept} kept it)"
            )?;
        }
        for c in self.cells.iter().filter(|c| c.skipped > 0) {
            writeln!(f, "skipped: {} {}: {}", c.routine, c.types, c.reason.as_deref().unwrap_or_default())?;
        }
        for s in &self.sections {
            writeln!(f, "{}: {}", s.name, s.cases)?;
        }
        let Totals { passed, failed, skipped, .. } = self.totals;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn xml_is_escaped() {
        assert_eq!(escape("a<b & \"c\" 'd'\u{1}\n"), "a&lt;b &amp; &quot;c&quot; &apos;d&apos;\u{fffd}\n");
    }
}
