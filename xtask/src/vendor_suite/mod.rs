//! AMD's own test program, hipblas-test, on our libhipblas.
//!
//! The program is an ordinary one for the processor, without code for a GPU, as Debian packages it. It is started through
//! the loader of a newer C runtime, from packages too, with the folder of our libraries first on the path. `--pack` puts it all
//! into one file, for a machine with a GPU and nothing else.

mod pack;
mod process;
mod program;
mod report;
mod run;

use std::path::PathBuf;
use std::time::Duration;

use pack::Suite;
use program::{Program, Release};

use crate::{Outcome, compat};

/// What HIP_COMPAT_DEVICE takes.
const DEVICES: &str = "cpu|cuda:N|cpu-far";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Release of ROCm whose test program runs: it tests hipBLAS 3.x (7.2.4) or 0.x (5.5.1)
    #[arg(long, default_value = "7.2.4")]
    release: Release,
    /// What computes behind our libraries
    #[arg(long, default_value = "cpu", value_name = DEVICES)]
    device: String,
    /// Only the tests that match, in Google Test's syntax: `*gemm*-*bad_arg*`
    #[arg(long, value_name = "GTEST_FILTER", default_value = "*", allow_hyphen_values = true)]
    filter: String,
    /// Only the tests that AMD calls quick: nine of ten, none of them large. 7.2.4 alone sorts its tests
    #[arg(long)]
    quick: bool,
    /// How many processes run side by side: one a processor, if left out
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Seconds after which a test that has not ended is stopped, and has failed
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    timeout: u64,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
    /// Folder with the packages already unpacked, or with what `--pack` made, in place of fetching them
    #[arg(long, value_name = "DIR")]
    suite_dir: Option<PathBuf>,
    /// Run nothing: pack the program, its data, its C runtime and our libraries into one file in this folder
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
    /// Folder with the libraries to test, in place of building ours
    #[arg(long, value_name = "DIR")]
    libraries: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let suite = args.suite_dir.as_deref().map(|folder| Suite::open(folder, args.release)).transpose()?;
    let program = Program::find(args.release, program::TEST, suite.as_ref().map(|s| s.folder.as_path()))?;
    let ours = match (&args.libraries, suite.as_ref().and_then(Suite::libraries)) {
        (Some(folder), _) => folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?,
        (None, Some(packed)) => packed,
        (None, None) => compat::build(args.release.abi())?,
    };
    if let Some(folder) = &args.pack {
        pack::pack(&program, &ours, folder)?;
        return Ok(true);
    }
    let tests = program.tests(&ours, &args.filter, args.quick)?;
    let jobs = match args.jobs {
        Some(n) => n.max(1),
        None => std::thread::available_parallelism()?.get(),
    };
    say!("{program}: {} tests on {} in {jobs} processes", tests.len(), args.device)?;
    let limit = Duration::from_secs(args.timeout);
    let results = run::all(&|| program.command(&ours, &args.device), &tests, jobs, limit)?;
    let report = report::Report::new(&program, args, results);
    if let Some(path) = &args.report {
        std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n")?;
    }
    say!("{report}")?;
    Ok(report.ok())
}

/// Arguments of AMD's benchmark.
#[derive(clap::Args)]
pub(crate) struct BenchArgs {
    /// What computes behind our libraries
    #[arg(long, default_value = "cpu", value_name = DEVICES)]
    device: String,
    /// Folder with the packages already unpacked, in place of fetching them
    #[arg(long, value_name = "DIR")]
    suite_dir: Option<PathBuf>,
    /// Arguments of hipblas-bench, after `--`
    #[arg(last = true, value_name = "ARGS")]
    bench: Vec<String>,
}

/// AMD's benchmark, hipblas-bench, on our libhipblas.
pub(crate) fn bench(args: &BenchArgs) -> Outcome {
    let program = Program::find(Release::V7_2_4, program::BENCH, args.suite_dir.as_deref())?;
    let ours = compat::build(Release::V7_2_4.abi())?;
    let status = program.command(&ours, &args.device).args(&args.bench).status()?;
    Ok(status.success())
}
