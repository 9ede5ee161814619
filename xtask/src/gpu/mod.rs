//! Everything that must be shown on a GPU, for a machine with a GPU and nothing to build with.
//!
//! `cargo xtask gpu pack FOLDER` builds here and leaves in a folder all that is needed there: this program, our libhipblas,
//! AMD's tests with their C runtime, the tests and examples of `blas-cuda`. `FOLDER/xtask gpu run --reports OUT` then
//! runs it all in one go: every stage is cut into processes, which share the processors, and what is timed comes last and
//! alone. The machine is to be x86-64 Linux with a C library no older than the one here, a driver and CUDA.

mod merge;
mod pack;
mod pool;
mod report;
mod run;
mod stages;

use crate::Outcome;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Build here, and collect in a folder what runs on a machine with a GPU
    Pack(pack::Args),
    /// Run what was packed, on that machine
    Run(run::Args),
}

pub(crate) fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::Pack(args) => pack::run(args),
        Command::Run(args) => run::run(args),
    }
}

/// Names in the packed folder.
mod names {
    /// This program.
    pub(super) const XTASK: &str = "xtask";
    /// Cases from bug reports.
    pub(super) const CASES: &str = "cases.jsonl";
    /// Folder of our libhipblas and libamdhip64.
    pub(super) const COMPAT: &str = "compat";
    /// Folder with AMD's test program, packed with its C runtime and our libraries.
    pub(super) const VENDOR: &str = "vendor";
    /// Folder of the tests of `blas-cuda`.
    pub(super) const TESTS: &str = "tests";
    /// Folder of programs that show something and answer with their exit status.
    pub(super) const EXAMPLES: &str = "examples";
}
