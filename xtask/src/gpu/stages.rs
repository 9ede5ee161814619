//! The stages of a run: the processes that each is cut into, and what its report is made of.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyblas::Routine;
use serde_json::{Value, json};

use super::merge;
use super::names;
use super::pool::{End, Ended, Job};

/// Processes that a run of the suite is cut into, beside the one for what belongs to no routine.
const PARTS: usize = 24;

/// What is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Stage {
    /// AMD's tests of hipBLAS on libhipblas over CUDA
    Vendor,
    /// The conformance suite on CUDA
    Conformance,
    /// The conformance suite on this machine's own processor
    Processor,
    /// The quick suite through hip, on libhipblas over CUDA
    Hip,
    /// The quick suite twice on CUDA: all results must have the same bits
    Repeat,
    /// The quick suite under compute-sanitizer's memcheck
    Sanitizer,
    /// Cases from bug reports, the tests and the examples of blas-cuda
    Tests,
    /// Timings, alone
    Bench,
}

impl Stage {
    /// All stages, the longest first; what is timed comes last.
    pub(super) const ALL: [Stage; 8] = [
        Stage::Vendor,
        Stage::Conformance,
        Stage::Processor,
        Stage::Hip,
        Stage::Sanitizer,
        Stage::Repeat,
        Stage::Tests,
        Stage::Bench,
    ];

    /// Name of its report, without the device and `.json`.
    pub(super) fn report(self) -> &'static str {
        match self {
            Stage::Vendor => "vendor-suite-7.2.4",
            Stage::Conformance => "conformance-cuda",
            Stage::Processor => "conformance-cpu",
            Stage::Hip => "conformance-hip-on-compat",
            Stage::Repeat => "repeat-cuda",
            Stage::Sanitizer => "sanitizer",
            Stage::Tests => "tests-cuda",
            Stage::Bench => "bench-cuda",
        }
    }
}

/// Where the stages find their programs and leave their files.
pub(super) struct Site {
    /// What was packed.
    pub(super) folder: PathBuf,
    /// Reports and logs of the processes.
    pub(super) parts: PathBuf,
    pub(super) quick: bool,
    /// Number of processors.
    pub(super) processors: usize,
    /// Whether only one stage runs.
    pub(super) alone: bool,
}

/// What a stage found.
pub(super) struct Found {
    /// Its report, with `totals`.
    pub(super) report: Value,
    /// What did not go as it should, beside what the report has.
    pub(super) problems: Vec<String>,
}

impl Site {
    fn packed(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn part(&self, job: &str) -> PathBuf {
        self.parts.join(format!("{job}.json"))
    }

    fn job(&self, name: &str, command: Vec<String>, seconds: u64) -> Job {
        Job {
            name: name.to_owned(),
            command,
            environment: BTreeMap::new(),
            slots: 1,
            limit: Duration::from_secs(seconds),
            log: self.parts.join(format!("{name}.log")),
        }
    }

    /// This program with a report.
    fn xtask(&self, name: &str, arguments: &[&str], seconds: u64) -> Job {
        let mut command = vec![self.packed(names::XTASK)];
        command.extend(arguments.iter().map(|&a| a.to_owned()));
        command.extend(["--report".to_owned(), self.part(name).display().to_string()]);
        self.job(name, command, seconds)
    }

    /// The suite in `parts` parts of some routines each, and one of the rest.
    fn suite(&self, name: &str, arguments: &[&str], parts: usize, seconds: u64) -> Vec<Job> {
        let arguments = [&["conformance"], arguments].concat();
        let of_routines = (0..parts).map(|i| {
            let routines = Routine::ALL.iter().skip(i).step_by(parts);
            let mut arguments = arguments.clone();
            arguments.extend(routines.flat_map(|r| ["--routine", r.name()]));
            self.xtask(&format!("{name}-{i:02}"), &arguments, seconds)
        });
        let rest = self.xtask(&format!("{name}-rest"), &[&arguments[..], &["--no-cells"]].concat(), seconds);
        std::iter::once(rest).chain(of_routines).collect()
    }

    /// The processes of a stage.
    pub(super) fn jobs(&self, stage: Stage) -> Result<Vec<Job>, String> {
        let depth = if self.quick { "--quick" } else { "--full" };
        Ok(match stage {
            Stage::Conformance => self.suite("cuda", &["--backend", "cuda", depth], PARTS, 420),
            Stage::Processor => {
                let mut jobs = self.suite("cpu", &["--backend", "cpu", depth], PARTS, 420);
                for job in &mut jobs {
                    // Two are what products are shared out among; the processors have other work.
                    job.environment.insert("RAYON_NUM_THREADS".to_owned(), "2".to_owned());
                }
                jobs
            }
            Stage::Repeat => ["repeat-1", "repeat-2"]
                .iter()
                .flat_map(|run| self.suite(run, &["--backend", "cuda", "--quick"], PARTS / 3, 200))
                .filter(|job| !job.name.ends_with("rest"))
                .collect(),
            Stage::Hip => {
                let compat = self.packed(names::COMPAT);
                // The whole sample would take a quarter of an hour by way of two runtimes.
                let mut jobs = self.suite("hip", &["--backend", "hip", "--quick"], PARTS, 300);
                for job in &mut jobs {
                    job.environment.insert("ANYBLAS_HIP_PATH".to_owned(), compat.clone());
                    job.environment.insert("HIP_COMPAT_DEVICE".to_owned(), "cuda:0".to_owned());
                }
                jobs
            }
            Stage::Sanitizer => {
                let tool = sanitizer().ok_or("no compute-sanitizer on PATH or in /usr/local/cuda")?;
                let mut jobs = self.suite("sanitizer", &["--backend", "cuda", "--quick"], PARTS, 240);
                jobs.retain(|job| !job.name.ends_with("rest"));
                for job in &mut jobs {
                    // Errors of the driver's functions are what the suite provokes; memory is what is looked after here.
                    let options = ["--tool", "memcheck", "--report-api-errors", "no"].map(str::to_owned);
                    job.command.splice(0..0, std::iter::once(tool.clone()).chain(options));
                }
                jobs
            }
            Stage::Vendor => {
                let jobs = if self.alone { self.processors } else { (self.processors * 3 / 8).max(1) };
                let (vendor, number) = (self.packed(names::VENDOR), jobs.to_string());
                let mut arguments = vec!["vendor-suite", "--suite-dir", &vendor];
                arguments.extend(["--device", "cuda:0", "--jobs", &number, "--timeout", "60"]);
                arguments.extend(self.quick.then_some("--quick"));
                vec![Job { slots: jobs, ..self.xtask("vendor", &arguments, 400) }]
            }
            Stage::Tests => {
                let cases = self.packed(names::CASES);
                let mut jobs =
                    vec![self.xtask("cases", &["conformance", "--backend", "cuda", "--cases", &cases], 120)];
                for program in programs(&self.folder.join(names::TESTS)) {
                    let arguments = ["--include-ignored", "--test-threads=1", "--nocapture"];
                    let command = std::iter::once(program.clone()).chain(arguments.map(str::to_owned));
                    jobs.push(self.job(&format!("test-{}", stem(&program)), command.collect(), 200));
                }
                for program in programs(&self.folder.join(names::EXAMPLES)) {
                    jobs.push(self.job(&format!("example-{}", stem(&program)), vec![program.clone()], 60));
                }
                jobs
            }
            Stage::Bench => {
                let arguments = ["bench", "--suite", "cuda", "--quick"];
                let arguments = &arguments[..if self.quick { 4 } else { 3 }];
                vec![Job { slots: self.processors, ..self.xtask("bench", arguments, 180) }]
            }
        })
    }

    /// What the processes of a stage have left.
    pub(super) fn found(&self, stage: Stage, jobs: &[(&Job, Ended)]) -> Found {
        let mut problems = Vec::new();
        // A failed run of the suite has a report, and ends with 1.
        let reports: Vec<Part> = jobs
            .iter()
            .map(|&(job, Ended { end, .. })| {
                let well = matches!(end, End::Exited(Some(0 | 1)));
                let report = read_to_string(self.part(&job.name)).ok();
                let report = report.and_then(|text| serde_json::from_str::<Value>(&text).ok());
                let wanted = !job.name.starts_with("test-") && !job.name.starts_with("example-");
                if !well || wanted && report.is_none() {
                    problems.push(format!("{}: {}\n{}", job.name, said(end), tail(&job.log)));
                }
                Part { job, end, report }
            })
            .collect();
        let all = || reports.iter().filter_map(|p| p.report.clone()).collect::<Vec<Value>>();
        let report = match stage {
            Stage::Conformance | Stage::Processor | Stage::Hip => merge::merge(all()).unwrap_or_else(empty),
            Stage::Vendor | Stage::Bench => all().pop().unwrap_or_else(empty),
            Stage::Repeat => repeat(&reports),
            Stage::Sanitizer => sanitized(&reports),
            Stage::Tests => tests(&reports, &mut problems),
        };
        Found { report, problems }
    }
}

/// A process of a stage, how it ended, and the report that it has left.
struct Part<'a> {
    job: &'a Job,
    end: End,
    report: Option<Value>,
}

/// A report of nothing.
fn empty() -> Value {
    json!({"totals": {"passed": 0, "failed": 0, "skipped": 0}})
}

/// Cells of which two runs have the same bits.
fn repeat(reports: &[Part]) -> Value {
    let of = |run: &str| {
        let parts = reports.iter().filter(|p| p.job.name.starts_with(run));
        merge::merge(parts.filter_map(|p| p.report.clone()).collect()).unwrap_or_else(empty)
    };
    let runs = ["repeat-1", "repeat-2"].map(of);
    let [first, second] = runs.each_ref().map(merge::digests);
    let differ: Vec<&String> =
        first.iter().filter(|(cell, d)| second.get(*cell) != Some(d)).map(|(c, _)| c).collect();
    let missing = second.keys().filter(|cell| !first.contains_key(*cell)).count();
    let failed = differ.len() + missing;
    json!({
        "suite": "anyblas conformance, quick, twice: bits of all results of each cell",
        "device": runs[0].get("device"),
        "versions": runs[0].get("versions"),
        "totals": {"passed": first.len() - differ.len(), "failed": failed, "skipped": 0},
        "cases": runs[0]["totals"].get("passed"),
        "differ": differ,
    })
}

/// What compute-sanitizer says, with the totals of the cases that ran under it.
fn sanitized(reports: &[Part]) -> Value {
    let mut parts = Vec::new();
    let (mut errors, mut unfinished) = (0, 0);
    for Part { job, report, .. } in reports {
        let log = read_to_string(&job.log).unwrap_or_default();
        let found = summary(&log);
        errors += found.unwrap_or(0);
        unfinished += u64::from(found.is_none() || report.is_none());
        let lines = log.lines().filter(|l| l.starts_with("=========")).take(40).collect::<Vec<_>>();
        parts.push(json!({
            "part": job.name,
            "routines": routines(&job.command),
            "errors": found,
            "cases": report.as_ref().and_then(|r| r["totals"]["passed"].as_u64()),
            "said": if found == Some(0) { &[][..] } else { &lines[..] },
        }));
    }
    let all: Vec<Value> = reports.iter().filter_map(|p| p.report.clone()).collect();
    let merged = merge::merge(all).unwrap_or_else(empty);
    let count = |key: &str| merged["totals"][key].as_u64().unwrap_or(0);
    json!({
        "suite": "compute-sanitizer memcheck on the quick run of anyblas conformance",
        "tool": sanitizer().and_then(|tool| version(&tool)),
        "device": merged.get("device"),
        "versions": merged.get("versions"),
        "totals": {
            "passed": count("passed"),
            "failed": count("failed") + errors,
            "skipped": count("skipped") + unfinished,
        },
        "errors": errors,
        "unfinished_parts": unfinished,
        "parts": parts,
    })
}

/// Errors that compute-sanitizer has counted: `========= ERROR SUMMARY: 0 errors`.
fn summary(log: &str) -> Option<u64> {
    let line = log.lines().rev().find_map(|l| l.split_once("ERROR SUMMARY: "))?.1;
    line.split(' ').next()?.parse().ok()
}

fn routines(command: &[String]) -> Vec<&String> {
    command
        .iter()
        .zip(command.iter().skip(1))
        .filter(|(flag, _)| *flag == "--routine")
        .map(|(_, r)| r)
        .collect()
}

/// Results of case files, tests and examples.
fn tests(reports: &[Part], problems: &mut Vec<String>) -> Value {
    let mut parts = Vec::new();
    for Part { job, end, report } in reports {
        let log = read_to_string(&job.log).unwrap_or_default();
        let totals = match report {
            Some(report) => report["totals"].clone(),
            // An example has one thing to show.
            None if job.name.starts_with("example-") => {
                let well = *end == End::Exited(Some(0));
                json!({"passed": u64::from(well), "failed": u64::from(!well), "skipped": 0})
            }
            None => totals_of_libtest(&log).unwrap_or_else(|| {
                problems.push(format!("{}: no result of its tests", job.name));
                json!({"passed": 0, "failed": 1, "skipped": 0})
            }),
        };
        let failed = totals["failed"].as_u64() != Some(0);
        let skips: Vec<&str> = log.lines().filter(|l| l.starts_with("skipped")).collect();
        let said = if failed { tail(&job.log) } else { String::new() };
        parts.push(json!({"name": job.name, "totals": totals, "skips": skips, "said": said}));
    }
    let totals: Vec<&Value> = parts.iter().map(|p| &p["totals"]).collect();
    let first = reports.iter().find_map(|p| p.report.as_ref());
    json!({
        "suite": "anyblas tests on CUDA",
        "device": first.and_then(|r| r.get("device")),
        "versions": first.and_then(|r| r.get("versions")),
        "totals": merge::sum(&totals),
        "parts": parts,
    })
}

/// The totals that a test program of Rust's prints.
fn totals_of_libtest(log: &str) -> Option<Value> {
    let line = log.lines().rev().find_map(|l| l.split_once("test result: "))?.1;
    let count = |word: &str| {
        let before = line.split(word).next()?;
        before.trim_end().rsplit(' ').next()?.parse::<u64>().ok()
    };
    Some(json!({"passed": count(" passed")?, "failed": count(" failed")?, "skipped": count(" ignored")?}))
}

fn said(end: End) -> String {
    match end {
        End::Exited(Some(status)) => format!("ended with {status}"),
        End::Exited(None) => "ended by a signal".to_owned(),
        End::Stopped => "stopped: out of time".to_owned(),
        End::NotStarted => "could not be started".to_owned(),
    }
}

/// The last lines of a log.
fn tail(log: &Path) -> String {
    let text = read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}

/// Programs in a folder, if it is there.
fn programs(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut programs: Vec<String> =
        entries.map(|e| e.path()).filter(|p| p.is_file()).map(|p| p.display().to_string()).collect();
    programs.sort();
    programs
}

fn stem(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Where compute-sanitizer is.
fn sanitizer() -> Option<String> {
    let name = "compute-sanitizer";
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path)
        .chain(["/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer"].map(PathBuf::from));
    folders.map(|f| f.join(name)).find(|p| p.is_file()).map(|p| p.display().to_string())
}

fn version(tool: &str) -> Option<String> {
    let out = std::process::Command::new(tool).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    text.lines().find(|l| l.contains("ersion")).map(|l| l.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_routine_is_in_one_part() {
        let site = Site {
            folder: "/packed".into(),
            parts: "/parts".into(),
            quick: false,
            processors: 16,
            alone: false,
        };
        let jobs = site.jobs(Stage::Conformance).unwrap();
        let mut all: Vec<&String> = jobs.iter().flat_map(|j| routines(&j.command)).collect();
        assert_eq!(all.len(), Routine::ALL.len());
        all.sort();
        all.dedup();
        assert_eq!(all.len(), Routine::ALL.len());
        let rest: Vec<&Job> = jobs.iter().filter(|j| j.command.iter().any(|a| a == "--no-cells")).collect();
        assert_eq!((rest.len(), routines(&rest[0].command).len()), (1, 0));
    }

    #[test]
    fn what_other_programs_print_is_read() {
        assert_eq!(summary("x\n========= ERROR SUMMARY: 12 errors (in 1 contexts)\n"), Some(12));
        assert_eq!(summary("========= COMPUTE-SANITIZER\n"), None);
        let log =
            "running 3 tests\ntest result: FAILED. 2 passed; 1 failed; 4 ignored; 0 measured; 0 filtered out";
        assert_eq!(totals_of_libtest(log), Some(json!({"passed": 2, "failed": 1, "skipped": 4})));
        assert_eq!(totals_of_libtest("Segmentation fault"), None);
    }

    #[test]
    fn runs_with_other_bits_are_told() {
        let site = Site {
            folder: "/packed".into(),
            parts: "/parts".into(),
            quick: true,
            processors: 4,
            alone: false,
        };
        let jobs = [site.job("repeat-1-00", Vec::new(), 1), site.job("repeat-2-00", Vec::new(), 1)];
        let run = |bits: &str| {
            json!({"totals": {"passed": 4}, "cells": [
                {"routine": "dot", "types": "f32", "digest": bits},
                {"routine": "axpy", "types": "f32", "digest": "aa"},
            ]})
        };
        let both = |first: Option<Value>, second: Option<Value>| {
            let end = End::Exited(Some(0));
            let part = |i: usize, report| Part { job: &jobs[i], end, report };
            repeat(&[part(0, first), part(1, second)])
        };
        let report = both(Some(run("01")), Some(run("02")));
        assert_eq!(report["totals"], json!({"passed": 1, "failed": 1, "skipped": 0}));
        assert_eq!(report["differ"], json!(["dot f32"]));
        assert_eq!(both(Some(run("01")), Some(run("01")))["totals"]["failed"], 0);
        // A run of which nothing is left has not given the same bits.
        assert_eq!(both(Some(run("01")), None)["totals"]["failed"], 2);
    }
}
