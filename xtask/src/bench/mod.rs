//! Benchmarks beside peers. What the suites share is here and in `statistics`; each suite is a module.

mod cpu;
mod cuda;
mod statistics;

use std::path::{Path, PathBuf};

use crate::Outcome;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to measure
    #[arg(long, value_enum)]
    suite: Suite,
    /// Fewer sizes and types, and fewer repetitions
    #[arg(long)]
    quick: bool,
    /// Write the measurements as JSON
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
    #[command(flatten)]
    cpu: cpu::Args,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Suite {
    /// blas-cpu beside OpenBLAS, MKL, BLIS and the crates matrixmultiply, gemm and faer
    Cpu,
    /// blas-cuda beside cuBLAS itself and PyTorch, on an NVIDIA GPU
    Cuda,
}

pub(crate) fn run(args: &Args) -> Outcome {
    match args.suite {
        Suite::Cpu => cpu::run(args),
        Suite::Cuda => cuda::run(args),
    }
}

/// Writes measurements as JSON.
fn write_json(path: &Path, report: &impl serde::Serialize) -> Result<(), String> {
    let text = serde_json::to_string_pretty(report).map_err(|e| e.to_string())?;
    std::fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))
}
