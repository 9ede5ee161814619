//! What the portable API costs on an NVIDIA GPU: our calls beside cuBLAS's own in one process, captured graphs beside calls,
//! and PyTorch's products beside ours.

mod graph;
mod pair;
mod raw;
mod report;
mod rows;
mod torch;

use anyblas::Driver;
use blas_cuda::Cuda;

use pair::Pairs;
use report::Report;

use super::Args;
use crate::Outcome;

pub(super) fn run(args: &Args) -> Outcome {
    let device = Cuda::devices()?.into_iter().next().ok_or("no device")?;
    let pairs = Pairs::new(args.quick)?;
    let mut report = Report::new(&device);
    say!("{} ({})", device.name, device.arch)?;
    say!("{}", report::HEADING)?;
    // Whoever reads this may leave: what was measured is in the report.
    let (rows, failed) = rows::all(&pairs, &mut |row| drop(say!("{row}")))?;
    report.rows = rows;
    report.failed(failed.into_iter().map(|(what, why)| (what.to_string(), why)));
    match graph::replay(&pairs) {
        Ok(replay) => report.replay = Some(replay),
        Err(why) => report.failed([("graph".to_owned(), why.to_string())]),
    }
    match torch::all(&pairs, &mut |product| drop(say!("{product}"))) {
        Ok((products, version)) => {
            report.torch = products;
            report.versions.push(("torch, its CUDA and cuBLAS".to_owned(), version));
        }
        Err(why) => report.failed([("torch".to_owned(), why.to_string())]),
    }
    report.judge();
    if let Some(path) = &args.report {
        super::write_json(path, &report)?;
    }
    say!("{report}")?;
    Ok(report.ok())
}
