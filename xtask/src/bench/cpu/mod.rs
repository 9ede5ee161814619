//! blas-cpu beside other libraries on the same machine.

#[path = "../../../../bench/src/protocol.rs"]
mod protocol;
mod worker;

use protocol::{Answer, Request};

use crate::Outcome;

#[derive(serde::Serialize)]
struct Report {
    /// GFLOP/s of one core in f32 and f64.
    peak: Option<[f64; 2]>,
}

pub(super) fn run(args: &super::Args) -> Outcome {
    let mut worker = worker::Worker::start(&worker::build()?, 1)?;
    let Answer::Peak(peak) = worker.ask(&Request::Peak)?;
    if let Some([single, double]) = peak {
        println!("peak of one core: {single:.1} GFLOP/s in f32, {double:.1} GFLOP/s in f64");
    }
    if let Some(path) = &args.report {
        super::write_json(path, &Report { peak })?;
    }
    Ok(true)
}
