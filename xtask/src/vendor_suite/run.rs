//! All tests, in several processes at a time.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::process::{self, Ended, Verdict};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// How many shards a process gets on average: tests differ in length, and so do shards.
const SHARDS: usize = 4;
/// Fewer tests are not worth the start of a process, which takes as long as some hundred of them.
const SHORTEST: usize = 500;

/// What all processes found.
#[derive(Default)]
pub(super) struct Results {
    pub(super) tests: Vec<Ended>,
    /// What the program says of itself and the device.
    pub(super) heading: Vec<String>,
    /// How many times a process ended in the middle of a test.
    pub(super) crashes: usize,
    pub(super) seconds: f64,
}

/// Runs all tests. A test in which the process ends has failed, and the rest of its shard goes on in another process.
pub(super) fn all(
    program: &(dyn Fn() -> Command + Sync),
    tests: &[String],
    jobs: usize,
    limit: Duration,
) -> Result<Results> {
    let start = Instant::now();
    let bar = ProgressBar::new(tests.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    let results = Mutex::new(Results::default());
    // Neighbours are alike: taken in turn, they make shards of the same length.
    let count = (tests.len() / SHORTEST).clamp(jobs.min(tests.len()), jobs * SHARDS);
    let shard = |i: usize| tests.iter().skip(i).step_by(count).map(String::as_str).collect();
    let shards: Mutex<VecDeque<Vec<&str>>> = Mutex::new((0..count).map(shard).collect());
    std::thread::scope(|scope| {
        let worker = |number: usize| {
            let flags = Flags::new(number);
            loop {
                let next = shards.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                match next {
                    Some(shard) => run_shard(program, shard, &flags, limit, &results, &bar)?,
                    None => return Ok(()),
                }
            }
        };
        let workers: Vec<_> = (0..jobs)
            .map(|n| scope.spawn(move || worker(n).map_err(|e: Box<dyn std::error::Error>| e.to_string())))
            .collect();
        workers.into_iter().try_for_each(|w| w.join().map_err(|_| "a thread panicked".to_owned())?)
    })?;
    bar.finish_and_clear();
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.seconds = start.elapsed().as_secs_f64();
    Ok(results)
}

fn run_shard(
    program: &(dyn Fn() -> Command + Sync),
    shard: Vec<&str>,
    flags: &Flags,
    limit: Duration,
    results: &Mutex<Results>,
    bar: &ProgressBar,
) -> Result<()> {
    let mut left: HashSet<&str> = shard.into_iter().collect();
    while !left.is_empty() {
        flags.write(&left)?;
        let before = left.len();
        let mut each = |ended: Ended| {
            if left.remove(ended.test.as_str()) {
                add(results, bar, ended);
            }
        };
        let end = process::watch(program(), &flags.path, limit, &mut each)?;
        let why = match end.stopped {
            true => format!("did not end in {} s", limit.as_secs()),
            false => format!("the program ended: {}", end.status),
        };
        let mut all = results.lock().unwrap_or_else(PoisonError::into_inner);
        if all.heading.is_empty() {
            all.heading = end.heading;
        }
        match end.running {
            Some(test) if left.remove(test.as_str()) => {
                all.crashes += 1;
                drop(all);
                let mut output = end.output;
                output.insert(0, why);
                add(results, bar, Ended { test, verdict: Verdict::Failed, output });
            }
            _ if left.is_empty() => {}
            // Between two tests, or before the first: what comes next is not known, but it must come to an end.
            _ if left.len() < before => all.crashes += 1,
            _ => {
                let text = end.output.join("\n");
                return Err(format!("the program runs none of {} tests: {why}\n{text}", left.len()).into());
            }
        }
    }
    Ok(())
}

fn add(results: &Mutex<Results>, bar: &ProgressBar, mut ended: Ended) {
    bar.inc(1);
    if ended.verdict == Verdict::Passed {
        ended.output.clear();
    } else if ended.verdict == Verdict::Failed {
        bar.set_message(format!("failed: {}", ended.test));
    }
    results.lock().unwrap_or_else(PoisonError::into_inner).tests.push(ended);
}

/// A file with the names of the tests to run: there are too many for a command line.
struct Flags {
    path: PathBuf,
}

impl Flags {
    fn new(number: usize) -> Self {
        let name = format!("anyblas-vendor-suite-{}-{number}.flags", std::process::id());
        Flags { path: std::env::temp_dir().join(name) }
    }

    fn write(&self, tests: &HashSet<&str>) -> std::io::Result<()> {
        let names: Vec<&str> = tests.iter().copied().collect();
        std::fs::write(&self.path, format!("--gtest_filter={}\n", names.join(":")))
    }
}

impl Drop for Flags {
    fn drop(&mut self) {
        // The system clears the folder in any case.
        let _ = std::fs::remove_file(&self.path);
    }
}
