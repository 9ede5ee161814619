//! The result of all stages.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::stages::{Found, Stage};

#[derive(Serialize)]
pub(super) struct Summary {
    suite: &'static str,
    device: String,
    versions: Vec<(String, String)>,
    anyblas: &'static str,
    pub(super) seconds: f64,
    totals: Totals,
    stages: Vec<Row>,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Totals {
    passed: u64,
    failed: u64,
    skipped: u64,
}

/// A stage.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    ok: bool,
    totals: Totals,
    /// Of all its processes together.
    seconds: f64,
    /// What did not go as it should, beside what its report has.
    problems: Vec<String>,
}

impl Summary {
    pub(super) fn new(device: String, versions: Vec<(String, String)>) -> Self {
        Summary {
            suite: "anyblas on a GPU",
            device,
            versions,
            anyblas: env!("CARGO_PKG_VERSION"),
            seconds: 0.0,
            totals: Totals::default(),
            stages: Vec::new(),
        }
    }

    /// Adds what a stage found. A process that did not end as it should is a failure.
    pub(super) fn add(&mut self, stage: Stage, found: &Found, time: Duration) {
        let count = |key: &str| found.report["totals"].get(key).and_then(Value::as_u64).unwrap_or(0);
        let failed = count("failed") + found.problems.len() as u64;
        let totals = Totals { passed: count("passed"), failed, skipped: count("skipped") };
        self.totals.passed += totals.passed;
        self.totals.failed += totals.failed;
        self.totals.skipped += totals.skipped;
        let ok = totals.failed == 0 && totals.passed > 0;
        let (seconds, problems) = (time.as_secs_f64(), found.problems.clone());
        self.stages.push(Row { name: stage.report(), ok, totals, seconds, problems });
    }

    pub(super) fn ok(&self) -> bool {
        self.stages.iter().all(|s| s.ok)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in self.stages.iter().flat_map(|s| &s.problems) {
            writeln!(f, "PROBLEM {problem}")?;
        }
        writeln!(f, "{}", self.device)?;
        for (name, version) in &self.versions {
            writeln!(f, "  {name} {version}")?;
        }
        writeln!(f, "{:<28} {:>9} {:>8} {:>8} {:>9}", "stage", "passed", "failed", "skipped", "seconds")?;
        for Row { name, ok, totals: Totals { passed, failed, skipped }, seconds, .. } in &self.stages {
            let verdict = if *ok { "ok" } else { "FAILED" };
            writeln!(f, "{name:<28} {passed:>9} {failed:>8} {skipped:>8} {seconds:>9.1}  {verdict}")?;
        }
        let Totals { passed, failed, skipped } = self.totals;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped in {:.0} s", self.seconds)
    }
}
