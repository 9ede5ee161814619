//! blas-cpu beside other libraries on the same machine.
//!
//! For one thread, all libraries are in one process and take turns on the same operands. For more, each is in a process
//! of its own, and all but the one whose turn it is are stopped: threads that wait for work by spinning would disturb.

mod document;
mod grid;
mod measure;
mod plot;
#[path = "../../../../bench/src/protocol.rs"]
mod protocol;
mod quiet;
mod worker;

use std::path::PathBuf;

use anyblas::Driver as _;
use measure::Run;

use crate::Outcome;

#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Args {
    /// Threads that each library may use (may be repeated: one run each)
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Vec<u16>,
    /// A shared library with the symbols of CBLAS, to compare with (may be repeated)
    #[arg(long, value_name = "NAME=PATH", value_parser = peer)]
    peer: Vec<Peer>,
    /// The program that measures, built elsewhere (`bench/`, in release), for a machine without cargo
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Only rows whose names contain this, as `dgemm NN` (may be repeated)
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Write tables to this file, and plots beside it, as docs/performance/avx2.md
    #[arg(long, value_name = "FILE.md", conflicts_with = "only")]
    docs: Option<PathBuf>,
}

/// A library that is compared with.
#[derive(Clone, Debug)]
struct Peer {
    name: String,
    path: PathBuf,
}

fn peer(argument: &str) -> Result<Peer, String> {
    let (name, path) = argument.split_once('=').ok_or("not of the form NAME=PATH")?;
    let path = std::fs::canonicalize(path).map_err(|e| format!("{path}: {e}"))?;
    Ok(Peer { name: name.to_owned(), path })
}

/// All that was measured.
#[derive(serde::Serialize)]
struct Report {
    /// What the processor calls itself.
    processor: String,
    /// The family of our kernels.
    kernels: String,
    /// GFLOP/s of one core in f32 and f64.
    peak: Option<[f64; 2]>,
    /// Seconds from nothing to the end of the first product.
    first_call: f64,
    runs: Vec<Run>,
}

pub(super) fn run(args: &super::Args) -> Outcome {
    let program = args.cpu.program.clone().map_or_else(worker::build, Ok)?;
    let (peak, first_call) = measure::machine(&program)?;
    let mut report =
        Report { processor: processor(), kernels: kernels()?, peak, first_call, runs: Vec::new() };
    say!("{}", document::head(&report))?;
    let only = &args.cpu.only;
    let problems: Vec<_> = grid::problems(args.quick)
        .into_iter()
        .filter(|p| only.is_empty() || only.iter().any(|text| p.name().contains(text.as_str())))
        .collect();
    for &threads in &args.cpu.threads {
        let mut bench = measure::Bench::start(&program, threads.into(), &args.cpu.peer, args.quick)?;
        let run = bench.run(&problems, peak)?;
        say!("\n{}", document::summary(&run))?;
        report.runs.push(run);
    }
    if let Some(path) = &args.report {
        super::write_json(path, &report)?;
    }
    if let Some(path) = &args.cpu.docs {
        document::write(&report, path)?;
        plot::write(&report, path)?;
    }
    Ok(true)
}

/// The family of kernels that blas-cpu uses here, in this process as in the one that measures.
fn kernels() -> Result<String, Box<dyn std::error::Error>> {
    anyblas::open("cpu")?;
    let devices = anyblas::Cpu::devices()?;
    let versions = devices.into_iter().flat_map(|device| device.versions);
    Ok(versions.filter(|(what, _)| what == "kernels").map(|(_, name)| name).next().unwrap_or_default())
}

/// The name of the processor, as the operating system tells it.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':'));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", name.map_or(std::env::consts::ARCH, |(_, name)| name.trim()))
}
