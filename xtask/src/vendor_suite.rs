//! AMD's own test program, hipblas-test, on our libhipblas.
//!
//! The program is a host program without device code and runs on any library with hipBLAS's C ABI. Debian has it ready
//! built for two releases: that of 7.2.4 reads its 47,000 tests from a data file; that of 5.5.1 has 290,000 compiled in.
//! Both want a newer C runtime than this machine may have, so they are started through the loader of one fetched with
//! them. Nothing is installed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hipblas_abi::Abi;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::packages::{self, Packages};
use crate::{Outcome, compat};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Release of ROCm whose test program is run
    #[arg(long, value_enum, default_value = "7.2.4")]
    release: Release,
    /// Device that computes
    #[arg(long, default_value = "cpu", value_name = "cpu|cuda")]
    device: String,
    /// Which tests, as GoogleTest's --gtest_filter; all by default, for 5.5.1 all but those of very large sizes
    #[arg(long, value_name = "GTEST_FILTER")]
    filter: Option<String>,
    /// Processes at a time; as many as there are cores by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
    /// Folder of unpacked packages (or of folders of them) to use instead of fetching any
    #[arg(long, value_name = "DIR")]
    suite_dir: Option<PathBuf>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Release {
    #[value(name = "7.2.4")]
    R7,
    #[value(name = "5.5.1")]
    R5,
}

/// The loader of the C library, in its package.
const LOADER: &str = "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2";
/// Shards a process slot: a crash loses one shard, and slots stay busy to the end.
const SHARDS_PER_JOB: usize = 8;

impl Release {
    fn name(self) -> &'static str {
        match self {
            Release::R7 => "7.2.4",
            Release::R5 => "5.5.1",
        }
    }

    fn abi(self) -> Abi {
        match self {
            Release::R7 => Abi::V3,
            Release::R5 => Abi::V0,
        }
    }

    /// The program, and the data file if it has one, in its packages.
    fn files(self) -> (&'static str, Option<&'static str>) {
        match self {
            Release::R7 => (
                "usr/libexec/rocm/libhipblas3-tests/hipblas-test",
                Some("usr/libexec/rocm/libhipblas3-tests/data/hipblas_gtest.data"),
            ),
            Release::R5 => ("usr/libexec/rocm/libhipblas0-tests/hipblas-test", None),
        }
    }

    fn packages(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Release::R7 => ("experimental", &["libhipblas3-tests=7.2.4*", "libhipblas3-tests-data=7.2.4*"]),
            Release::R5 => ("trixie", &["libhipblas0-tests=5.5.1*"]),
        }
    }

    /// The tests of 5.5.1 with matrices of 24000 or 4011 rows would take hours on a CPU.
    fn filter(self) -> &'static str {
        match self {
            Release::R7 => "*",
            Release::R5 => "-*chunk*:*large*",
        }
    }
}

/// The C runtime, and the BLAS and LAPACK that the program of 5.5.1 compares with.
const RUNTIME: &[&str] =
    &["libc6", "libstdc++6", "libgcc-s1", "libgfortran5", "libquadmath0", "libblas3", "liblapack3"];

pub(crate) fn run(args: &Args) -> Outcome {
    let library = compat::build(args.release.abi())?;
    let program = Program::find(args)?;
    let filter = args.filter.as_deref().unwrap_or(args.release.filter());
    let jobs =
        args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    println!(
        "hipblas-test {} on {}, computed by {}: {filter}",
        args.release.name(),
        library.display(),
        args.device
    );
    let results = run_shards(&program, &library, filter, &args.device, jobs)?;
    print!("{results}");
    if let Some(path) = &args.report {
        fs::write(path, serde_json::to_string_pretty(&results)? + "\n")?;
    }
    Ok(results.ok())
}

/// What is needed to start the program.
struct Program {
    program: PathBuf,
    data: Option<PathBuf>,
    /// Folder of the C runtime.
    runtime: PathBuf,
}

impl Program {
    fn find(args: &Args) -> Result<Self, Box<dyn std::error::Error>> {
        let (program, data) = args.release.files();
        let mut roots = Vec::new();
        if let Some(dir) = &args.suite_dir {
            roots.push(dir.canonicalize().map_err(|e| format!("{}: {e}", dir.display()))?);
            let mut inner: Vec<PathBuf> = fs::read_dir(dir)?.flatten().map(|e| e.path()).collect();
            inner.sort();
            roots.append(&mut inner);
        } else {
            let packages = Packages::new(None)?;
            let (suite, names) = args.release.packages();
            roots.push(packages.fetch(suite, names)?);
            roots.push(packages.fetch("sid", RUNTIME)?);
        }
        let find = |file: &str| {
            let found = roots.iter().map(|r| r.join(file)).find(|p| p.exists());
            found.ok_or_else(|| format!("{file} is in none of {roots:?}"))
        };
        let loader = find(LOADER)?;
        Ok(Program {
            program: find(program)?,
            data: data.map(find).transpose()?,
            runtime: loader.parent().unwrap_or(&loader).to_owned(),
        })
    }

    /// The program under the fetched runtime's loader, with our library before all others.
    fn command(&self, library: &Path) -> Command {
        let folders = [
            library.to_owned(),
            self.runtime.clone(),
            self.runtime.join("blas"),
            self.runtime.join("lapack"),
        ];
        let path: Vec<String> = folders.iter().map(|p| p.display().to_string()).collect();
        let mut command = Command::new(self.runtime.join("ld-linux-x86-64.so.2"));
        command.arg("--library-path").arg(path.join(":")).arg(&self.program);
        if let Some(data) = &self.data {
            command.arg("--data").arg(data);
        }
        command
    }
}

fn run_shards(
    program: &Program,
    library: &Path,
    filter: &str,
    device: &str,
    jobs: usize,
) -> Result<Results, Box<dyn std::error::Error>> {
    let folder = packages::target().join("vendor-suite").join(std::process::id().to_string());
    fs::create_dir_all(&folder)?;
    let shards = jobs * SHARDS_PER_JOB;
    let bar = ProgressBar::new(shards as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    let (next, results, start) = (AtomicUsize::new(0), Mutex::new(Results::default()), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let shard = next.fetch_add(1, Ordering::Relaxed);
                    if shard >= shards {
                        return;
                    }
                    let mut command = program.command(library);
                    command.env("HIP_COMPAT_DEVICE", device).arg(format!("--gtest_filter={filter}"));
                    command.env("GTEST_TOTAL_SHARDS", shards.to_string());
                    command.env("GTEST_SHARD_INDEX", shard.to_string());
                    let outcome = run_shard(command, &folder.join(shard.to_string()));
                    let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    match outcome {
                        Ok(document) => results.add(document),
                        Err(why) => results.crashes.push(format!("shard {shard} of {shards}: {why}")),
                    }
                    bar.set_message(results.counts());
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.seconds = start.elapsed().as_secs();
    fs::remove_dir_all(&folder)?;
    Ok(results)
}

/// Runs one shard. Its results come from the file that GoogleTest writes at the end, which a crash leaves unwritten.
fn run_shard(mut command: Command, file: &Path) -> Result<Document, String> {
    let (json, log) = (file.with_extension("json"), file.with_extension("log"));
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let output = File::create(&log).map_err(|e| text(&e))?;
    let status = command
        .arg(format!("--gtest_output=json:{}", json.display()))
        .stdin(Stdio::null())
        .stderr(output.try_clone().map_err(|e| text(&e))?)
        .stdout(output)
        .status()
        .map_err(|e| text(&e))?;
    let document = fs::read_to_string(&json).map_err(|_| {
        let log = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
        let last = log.lines().rev().map(str::trim).find(|l| l.starts_with("[ RUN"));
        let last = last.or_else(|| log.lines().rev().find(|l| !l.trim().is_empty()));
        format!("{status}, last line: {}", last.unwrap_or("none"))
    })?;
    serde_json::from_str(&document).map_err(|e| format!("{}: {e}", json.display()))
}

/// What GoogleTest writes.
#[derive(Deserialize)]
struct Document {
    testsuites: Vec<Suite>,
}

#[derive(Deserialize)]
struct Suite {
    name: String,
    testsuite: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    status: String,
    result: String,
    #[serde(default)]
    failures: Vec<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    failure: String,
}

/// Of one family, or of all.
#[derive(Default, Clone, Copy, Serialize)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

#[derive(Default, Serialize)]
struct Results {
    total: Counts,
    seconds: u64,
    families: BTreeMap<String, Counts>,
    /// Name and first message of each failed test.
    failures: BTreeMap<String, String>,
    /// Shards that did not come to their end.
    crashes: Vec<String>,
}

impl Results {
    fn add(&mut self, document: Document) {
        for suite in document.testsuites {
            for test in suite.testsuite.into_iter().filter(|t| t.status == "RUN") {
                let family = self.families.entry(family(&suite.name).to_owned()).or_default();
                for counts in [family, &mut self.total] {
                    match (test.result.as_str(), test.failures.is_empty()) {
                        (_, false) => counts.failed += 1,
                        ("SKIPPED", true) => counts.skipped += 1,
                        (_, true) => counts.passed += 1,
                    }
                }
                if let Some(first) = test.failures.into_iter().next() {
                    self.failures.insert(format!("{}.{}", suite.name, test.name), first.failure);
                }
            }
        }
    }

    fn counts(&self) -> String {
        let Counts { passed, failed, skipped } = self.total;
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }

    /// Whether there were tests, all passed.
    fn ok(&self) -> bool {
        self.total.passed > 0 && self.total.failed == 0 && self.crashes.is_empty()
    }
}

/// `gemm_batched` of the test suite `_/gemm_batched` (7.2.4) or `hipblasGemmBatched/gemm_batched_gtest` (5.5.1).
fn family(suite: &str) -> &str {
    let last = suite.rsplit('/').next().unwrap_or(suite);
    last.trim_end_matches("_gtest")
}

impl std::fmt::Display for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, counts) in self.families.iter().filter(|(_, c)| c.failed > 0) {
            writeln!(f, "{name}: {} of {} failed", counts.failed, counts.failed + counts.passed)?;
            let failures = self
                .failures
                .iter()
                .filter(|(test, _)| test.split_once('.').is_some_and(|(suite, _)| family(suite) == name));
            for (test, message) in failures {
                writeln!(f, "  {test}\n    {}", message.trim_end().replace('\n', "\n    "))?;
            }
        }
        for crash in &self.crashes {
            writeln!(f, "did not end: {crash}")?;
        }
        writeln!(f, "{} in {} s", self.counts(), self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_by_family() {
        let document = r#"{"tests": 4, "testsuites": [
            {"name": "_/gemm", "testsuite": [
                {"name": "a", "status": "RUN", "result": "COMPLETED"},
                {"name": "b", "status": "RUN", "result": "COMPLETED", "failures": [{"failure": "1 != 2\n", "type": ""}]}]},
            {"name": "hipblasGemm_small/gemm_gtest", "testsuite": [
                {"name": "c/0", "status": "RUN", "result": "SKIPPED"},
                {"name": "d/0", "status": "NOTRUN", "result": "SUPPRESSED"}]}]}"#;
        let mut results = Results::default();
        results.add(serde_json::from_str(document).unwrap());
        let gemm = results.families["gemm"];
        assert_eq!((gemm.passed, gemm.failed, gemm.skipped), (1, 1, 1));
        assert_eq!(results.counts(), "1 passed, 1 failed, 1 skipped");
        assert!(!results.ok());
        assert!(results.to_string().contains("gemm: 1 of 2 failed\n  _/gemm.b\n    1 != 2\n"));
    }
}
