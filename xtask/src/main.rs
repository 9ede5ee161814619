//! Tasks of the workspace: `cargo xtask COMMAND`. One module a command; this file declares the whole command line.

#![warn(clippy::print_stdout)]

/// Prints a line. A reader that has gone is an error, where `println!` panics.
macro_rules! say { ($($line:tt)*) => {
    std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($line)*)))
}}

mod abi;
mod bench;
mod c_programs;
mod ci;
mod compat;
mod conformance;
mod coverage;
mod gpu;
mod interop;
mod packages;
mod vendor_suite;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks of the anyblas workspace", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the conformance suite on a backend
    Conformance(conformance::Args),
    /// Write SUPPORT.md from the backends' support tables, and the table of hipBLAS's functions
    Coverage(coverage::Args),
    /// Build libhipblas and libamdhip64 over the backends of anyblas, and print their folders
    Compat(compat::Args),
    /// Compare the ABI table with the headers and libraries of real releases
    Abi(abi::Args),
    /// Run AMD's own test program of hipBLAS on our libhipblas
    VendorSuite(vendor_suite::Args),
    /// Run AMD's own benchmark of hipBLAS on our libhipblas
    VendorBench(vendor_suite::BenchArgs),
    /// Compile the C programs of tests/c with real headers, and run them on our own libraries
    CPrograms(c_programs::Args),
    /// Build and test the crates that need a HIP or CUDA installation, with stand-ins
    Interop(interop::Args),
    /// Measure speed beside other libraries
    Bench(bench::Args),
    /// Carry everything that must be shown on a GPU to a machine that has one, and run it there
    Gpu(gpu::Args),
    /// Run every check that CI runs
    Ci(ci::Args),
}

/// What a task answers: whether everything passed, or why it could not run.
type Outcome = Result<bool, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Conformance(args) => conformance::run(&args),
        Command::Coverage(args) => coverage::run(&args),
        Command::Compat(args) => compat::run(&args),
        Command::Abi(args) => abi::run(&args),
        Command::VendorSuite(args) => vendor_suite::run(&args),
        Command::VendorBench(args) => vendor_suite::bench(&args),
        Command::CPrograms(args) => c_programs::run(&args),
        Command::Interop(args) => interop::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Gpu(args) => gpu::run(&args),
        Command::Ci(args) => ci::run(&args),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}
