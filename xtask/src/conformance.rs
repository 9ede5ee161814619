//! The conformance suite on a backend, its self-test, and case files.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyblas::{Backend, Cpu, DType, Driver, Routine};
use blas_conformance::{Options, Report, Subject, Totals, selftest};
use hipblas_abi::Abi;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{Outcome, compat};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Backend to test: its name, or `all` for each one of this build
    #[arg(long, default_value = "cpu", value_name = "cpu|hip|cuda|all")]
    backend: String,
    /// Number of the device
    #[arg(long, default_value_t = 0)]
    device: usize,
    /// ABI of the library that stands in for hipBLAS where there is no AMD GPU: 0 to 3, or `all`
    #[arg(long, default_value = "3", value_name = "N|all")]
    abi: String,
    /// A sample of each cell, in under a minute (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// A sample some eight times as large, with larger sizes
    #[arg(long)]
    full: bool,
    /// Only this routine (may be repeated)
    #[arg(long, value_name = "R")]
    routine: Vec<Routine>,
    /// Only this element type, as f32, bf16, c64 (may be repeated)
    #[arg(long, value_name = "T", value_parser = dtype)]
    dtype: Vec<DType>,
    /// Only the case files and properties, which belong to no routine
    #[arg(long, conflicts_with_all = ["routine", "dtype", "case"])]
    no_cells: bool,
    /// Only the case of this id, as a failure prints it
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// Run the calls of this file instead of the suite
    #[arg(long, value_name = "FILE", conflicts_with_all = ["self_test", "full", "routine", "dtype", "case"])]
    cases: Option<PathBuf>,
    /// Run the suite on deliberately broken backends: each must be caught
    #[arg(long)]
    self_test: bool,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
    /// Write the report as JUnit XML
    #[arg(long, value_name = "FILE.xml")]
    junit: Option<PathBuf>,
}

fn dtype(name: &str) -> Result<DType, String> {
    const ALL: [DType; 8] =
        [DType::F16, DType::BF16, DType::F32, DType::F64, DType::C32, DType::C64, DType::I8, DType::I32];
    ALL.into_iter().find(|t| t.name() == name).ok_or_else(|| format!("no element type named {name:?}"))
}

pub(crate) fn run(args: &Args) -> Outcome {
    if args.self_test {
        return self_test();
    }
    let backends: Vec<String> = match args.backend.as_str() {
        "all" => anyblas::backends().iter().map(|b| b.name.to_owned()).collect(),
        one => vec![one.to_owned()],
    };
    let many = backends.len() > 1;
    let mut ok = true;
    for backend in backends {
        if backend == HIP && needs_stand_in() {
            ok &= on_stand_in(args, if many { Some(HIP) } else { None })?;
            continue;
        }
        let name = format!("{backend}:{}", args.device);
        if let Some(device) = anyblas::devices().iter().find(|d| d.id.to_string() == name) {
            let versions = device.versions.iter().map(|(what, version)| format!(", {what} {version}"));
            say!("{name} is {}{}", device.name, versions.collect::<String>())?;
        }
        let subject = subject(&backend, args.device);
        let report = match &args.cases {
            Some(file) => {
                let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
                blas_conformance::run_cases(&subject, &file.display().to_string(), &text)?
            }
            None => suite(args, &subject)?,
        };
        let report = match anyblas::devices().iter().find(|d| d.id.to_string() == name) {
            Some(device) => report.on(device),
            None => report,
        };
        say!("{report}")?;
        if report.totals == Totals::default() {
            return Err("no case matches: nothing was tested".into());
        }
        // One file a backend.
        let path = |p: &PathBuf| if many { numbered(p, &backend) } else { p.clone() };
        if let Some(p) = &args.report {
            std::fs::write(path(p), report.json()? + "\n")?;
        }
        if let Some(p) = &args.junit {
            std::fs::write(path(p), report.junit())?;
        }
        ok &= report.ok();
    }
    Ok(ok)
}

/// Name of the AMD backend.
const HIP: &str = "hip";
/// Folders in which it looks for its libraries.
const HIP_PATH: &str = "ANYBLAS_HIP_PATH";

/// Whether the AMD backend has neither a device nor a library that the user chose.
fn needs_stand_in() -> bool {
    let has_device = anyblas::backends()
        .iter()
        .any(|b| b.name == HIP && b.devices().is_ok_and(|devices| !devices.is_empty()));
    std::env::var_os(HIP_PATH).is_none() && !has_device
}

/// The suite through the AMD backend on our own libhipblas, once for each ABI asked for, in processes of their own: a
/// process loads one library.
fn on_stand_in(args: &Args, suffix: Option<&str>) -> Outcome {
    let abis = match args.abi.as_str() {
        "all" => Abi::ALL.to_vec(),
        n => {
            let abi = n.parse().ok().and_then(|n: usize| Abi::ALL.get(n).copied());
            vec![abi.ok_or_else(|| format!("no ABI {n:?}; there are 0 to 3"))?]
        }
    };
    let many = abis.len() > 1;
    let mut ok = true;
    for abi in abis {
        let device = std::env::var("HIP_COMPAT_DEVICE").unwrap_or_else(|_| Cpu::NAME.to_owned());
        say!(
            "no AMD GPU: hip runs on hipblas-compat, our own library, as hipBLAS {}.x, computed by {device}",
            abi.major()
        )?;
        let folder = compat::build(abi)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["conformance", "--backend", HIP, "--device", &args.device.to_string()]);
        command.env(HIP_PATH, folder);
        command.args(args.full.then_some("--full"));
        command.args(args.no_cells.then_some("--no-cells"));
        for routine in &args.routine {
            command.args(["--routine", routine.name()]);
        }
        for dtype in &args.dtype {
            command.args(["--dtype", dtype.name()]);
        }
        if let Some(case) = &args.case {
            command.args(["--case", case]);
        }
        let file = |p: &PathBuf| {
            let p = suffix.map_or_else(|| p.clone(), |s| numbered(p, s));
            if many { numbered(&p, &format!("abi{}", abi.major())) } else { p }
        };
        for (option, path) in [("--report", &args.report), ("--junit", &args.junit)] {
            if let Some(p) = path {
                command.arg(option).arg(file(p));
            }
        }
        if let Some(p) = &args.cases {
            command.arg("--cases").arg(p);
        }
        ok &= command.status()?.success();
    }
    Ok(ok)
}

/// `conformance.json` as `conformance-hip.json`.
fn numbered(path: &Path, what: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{what}.{extension}"))
}

fn subject(backend: &str, device: usize) -> Subject {
    // On the host there is more to see: guard pages, sparse memory, the flags of the processor.
    if backend == Cpu::NAME {
        return Subject::on_host(move || Cpu::open(device));
    }
    let name = format!("{backend}:{device}");
    Subject::new(move || anyblas::open(&name))
}

fn suite(args: &Args, subject: &Subject) -> anyblas::Result<Report> {
    let options = Options {
        routines: args.routine.clone(),
        dtypes: args.dtype.clone(),
        cells: !args.no_cells,
        case: args.case.clone(),
        ..if args.full { Options::full() } else { Options::quick() }
    };
    let bar = bar(options.cells().len());
    let report = blas_conformance::run_with(subject, &options, &mut |p| {
        bar.set_message(format!("{} {}", p.cell.routine, p.cell.types));
        bar.set_position(p.done as u64);
    });
    bar.finish_and_clear();
    report
}

fn self_test() -> Outcome {
    let bar = bar(selftest::broken_backends());
    let result = selftest::self_test(Cpu::handle, &mut |outcome| {
        bar.set_message(outcome.fault);
        bar.inc(1);
    });
    bar.finish_and_clear();
    say!("{result}")?;
    Ok(result.ok())
}

/// A progress bar, drawn on a terminal only.
fn bar(len: usize) -> ProgressBar {
    let bar = ProgressBar::new(len as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar
}
