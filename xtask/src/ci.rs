//! Every check that CI runs, in the order in which they fail soonest.

use std::process::Command;
use std::time::Instant;

use crate::Outcome;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave out the steps whose names contain this
    #[arg(long, value_name = "NAME")]
    skip: Vec<String>,
}

/// Name, environment, and arguments of cargo.
type Step = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const STEPS: &[Step] = &[
    ("format", &[], &["fmt", "--all", "--check"]),
    ("support table", &[], &["xtask", "coverage", "--check"]),
    (
        "clippy",
        &[],
        &["clippy", "--workspace", "--all-targets", "--all-features", "--locked", "--", "-D", "warnings"],
    ),
    (
        "docs",
        &[("RUSTDOCFLAGS", "-D warnings")],
        &["doc", "--workspace", "--all-features", "--no-deps", "--locked"],
    ),
    ("tests", &[], &["test", "--workspace", "--all-features", "--locked"]),
    (
        "hipblas-compat with far memory",
        &[("HIP_COMPAT_DEVICE", "cpu-far")],
        &["test", "--package", "hipblas-compat", "--locked"],
    ),
    ("example sgemm", &[], &["run", "--release", "--locked", "-p", "anyblas", "--example", "sgemm"]),
    ("example saxpy", &[], &["run", "--release", "--locked", "--example", "saxpy"]),
    ("example solve", &[], &["run", "--release", "--locked", "--example", "solve"]),
    ("example pca_digits", &[], &["run", "--release", "--locked", "--example", "pca_digits"]),
    ("example transformer_block", &[], &["run", "--release", "--locked", "--example", "transformer_block"]),
    (
        "hip on hipblas-compat",
        &[],
        &["xtask", "compat", "--", "cargo", "test", "--locked", "--package", "blas-hip", "--", "--ignored"],
    ),
    (
        "example sgemm on hip",
        &[],
        &[
            "xtask",
            "compat",
            "--abi",
            "3",
            "--",
            "cargo",
            "run",
            "--release",
            "--locked",
            "--example",
            "sgemm",
            "--features",
            "hip",
            "--",
            "--device",
            "hip:0",
        ],
    ),
    ("abi", &[], &["xtask", "abi"]),
    ("AMD's tests of hipBLAS", &[], &["xtask", "vendor-suite"]),
    (
        "AMD's tests of hipBLAS with far memory",
        &[],
        &["xtask", "vendor-suite", "--quick", "--device", "cpu-far"],
    ),
    ("c programs", &[], &["xtask", "c-programs"]),
    ("interop", &[], &["xtask", "interop"]),
    ("self-test", &[], &["xtask", "conformance", "--self-test"]),
    ("conformance", &[], &["xtask", "conformance", "--backend", "cpu", "--full"]),
    // The run above has the best instructions of the machine; these are for the plainer ones.
    (
        "conformance of portable kernels",
        &[("ANYBLAS_CPU_ISA", "portable")],
        &["xtask", "conformance", "--backend", "cpu", "--quick"],
    ),
    (
        "conformance of AVX2 kernels",
        &[("ANYBLAS_CPU_ISA", "avx2")],
        &["xtask", "conformance", "--backend", "cpu", "--quick"],
    ),
    (
        "guard pages of portable kernels",
        &[("ANYBLAS_CPU_ISA", "portable")],
        &["test", "-p", "blas-cpu", "--test", "guard_pages"],
    ),
    ("conformance of hip", &[], &["xtask", "conformance", "--backend", "hip", "--quick", "--abi", "all"]),
    (
        "conformance of hip with far memory",
        &[("HIP_COMPAT_DEVICE", "cpu-far")],
        &["xtask", "conformance", "--backend", "hip", "--quick"],
    ),
];

pub(crate) fn run(args: &Args) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut failed = Vec::new();
    for (name, env, cargo_args) in STEPS {
        if args.skip.iter().any(|s| name.contains(s.as_str())) {
            say!("== {name}: left out")?;
            continue;
        }
        say!("== {name}: cargo {}", cargo_args.join(" "))?;
        let start = Instant::now();
        let status = Command::new(&cargo)
            .args(*cargo_args)
            .envs(env.iter().copied())
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .status()?;
        say!("== {name}: {status} in {:.0} s", start.elapsed().as_secs_f64())?;
        if !status.success() {
            failed.push(*name);
        }
    }
    if !failed.is_empty() {
        say!("== failed: {}", failed.join(", "))?;
    }
    Ok(failed.is_empty())
}
