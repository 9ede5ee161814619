//! All stages on the machine with the GPU.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyblas::Device;

use super::pool::{self, Ended, Job};
use super::report::Summary;
use super::stages::{Site, Stage};
use crate::Outcome;

/// Seconds after which what has not run is left out, so that the reports are there within ten minutes.
const ALL: u64 = 560;
/// Seconds of them that are kept for the timings.
const TIMINGS: u64 = 120;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Folder for the reports
    #[arg(long, value_name = "OUT")]
    reports: PathBuf,
    /// Only these stages
    #[arg(long, value_delimiter = ',', value_name = "STAGE")]
    only: Vec<Stage>,
    /// Smaller samples of everything
    #[arg(long)]
    quick: bool,
    /// Processes side by side: one a processor, if left out
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let start = Instant::now();
    let device = device()?;
    let processors = match args.jobs {
        Some(n) => n.max(1),
        None => std::thread::available_parallelism()?.get(),
    };
    let program = std::env::current_exe()?;
    let folder = program.parent().ok_or("this program has no folder")?.to_owned();
    let parts = std::env::temp_dir().join(format!("anyblas-gpu-{}", std::process::id()));
    std::fs::create_dir_all(&parts)?;
    std::fs::create_dir_all(&args.reports)?;
    let site = Site { folder, parts, quick: args.quick, processors, alone: args.only.len() == 1 };
    let mut summary =
        Summary::new(format!("{} ({}) {}", device.id, device.name, device.arch), device.versions.clone());

    let chosen: Vec<Stage> =
        Stage::ALL.into_iter().filter(|s| args.only.is_empty() || args.only.contains(s)).collect();
    let (timed, others): (Vec<Stage>, Vec<Stage>) = chosen.into_iter().partition(|&s| s == Stage::Bench);
    let kept = if timed.is_empty() { 0 } else { TIMINGS };
    for (stages, seconds) in [(others, ALL - kept), (timed, ALL)] {
        together(&site, &stages, start + Duration::from_secs(seconds), &slug(&device), args, &mut summary)?;
    }
    std::fs::remove_dir_all(&site.parts)?;
    summary.seconds = start.elapsed().as_secs_f64();
    write(&args.reports, "gpu", &slug(&device), &summary)?;
    say!("{summary}")?;
    Ok(summary.ok())
}

/// Runs some stages side by side, and writes their reports.
fn together(
    site: &Site,
    stages: &[Stage],
    deadline: Instant,
    device: &str,
    args: &Args,
    summary: &mut Summary,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut jobs = Vec::new();
    let mut ranges = Vec::new();
    for &stage in stages {
        let first = jobs.len();
        let refused = match site.jobs(stage) {
            Ok(more) => {
                jobs.extend(more);
                None
            }
            Err(why) => Some(why),
        };
        ranges.push((stage, first..jobs.len(), refused));
    }
    let mut left = jobs.len();
    let ends = pool::run(&jobs, site.processors, deadline, &mut |job: &Job, Ended { end, time }| {
        left -= 1;
        // Whoever reads this may leave: what was found is in the reports.
        drop(say!("{:>6.1} s  {}: {end:?}; {left} left", time.as_secs_f64(), job.name));
    });
    for (stage, range, refused) in ranges {
        let of_stage: Vec<(&Job, Ended)> =
            jobs[range.clone()].iter().zip(ends[range].iter().copied()).collect();
        let mut found = site.found(stage, &of_stage);
        found.problems.extend(refused);
        summary.add(stage, &found, of_stage.iter().map(|(_, e)| e.time).sum());
        let kernels = kernels(&found.report).unwrap_or_else(|| "unknown".to_owned());
        let device = if stage == Stage::Processor { &kernels } else { device };
        write(&args.reports, stage.report(), device, &found.report)?;
        if stage == Stage::Bench {
            // Its table is for people.
            for (job, _) in of_stage {
                say!("{}", std::fs::read_to_string(&job.log).unwrap_or_default())?;
            }
        }
    }
    Ok(())
}

fn write(
    folder: &Path,
    name: &str,
    device: &str,
    report: &impl serde::Serialize,
) -> Result<(), Box<dyn std::error::Error>> {
    let path = folder.join(format!("{name}-{device}.json"));
    Ok(std::fs::write(path, serde_json::to_string_pretty(report)? + "\n")?)
}

/// Which kernels of blas-cpu a report is of.
fn kernels(report: &serde_json::Value) -> Option<String> {
    let versions = report.get("versions")?.as_array()?;
    let kernels = versions.iter().find(|pair| pair[0] == "kernels")?;
    Some(kernels[1].as_str()?.to_owned())
}

/// The first NVIDIA GPU.
fn device() -> Result<Device, Box<dyn std::error::Error>> {
    use anyblas::Driver as _;
    Ok(blas_cuda::Cuda::devices()?.into_iter().next().ok_or("no device")?)
}

/// `NVIDIA H200` as `h200`, for file names.
fn slug(device: &Device) -> String {
    let name = device.name.to_lowercase();
    let name = name.strip_prefix("nvidia ").unwrap_or(&name);
    name.split_whitespace().collect::<Vec<_>>().join("-")
}
