//! Many small products: captured once and launched as a graph, beside one call each.

use std::time::Instant;

use anyblas::Workspace;
use anyblas::prelude::*;
use serde::Serialize;

use super::pair::{Pairs, median};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Products of a graph.
const GEMMS: usize = 100;
/// Their order.
const ORDER: usize = 64;
/// Bytes of workspace: what cuBLAS takes by itself on Hopper.
const WORKSPACE: usize = 32 << 20;

/// Medians, for one product in f32.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Replay {
    pub(super) gemms: usize,
    pub(super) order: usize,
    /// From the first call until all results are there.
    pub(super) calls_us: f64,
    pub(super) graph_us: f64,
    /// Until the host can go on.
    pub(super) host_calls_us: f64,
    pub(super) host_graph_us: f64,
}

/// Measures both, taking turns.
pub(super) fn replay(pairs: &Pairs) -> Result<Replay> {
    let blas = &pairs.blas;
    pairs.allow_tf32(false)?;
    let len = ORDER * ORDER;
    let (a, b) = (pairs.random::<f32>(len * GEMMS, 5)?, pairs.random::<f32>(len * GEMMS, 6)?);
    let mut c = blas.alloc::<f32>(len * GEMMS)?;
    let mut calls = |blas: &Handle<_>| -> anyblas::Result {
        for i in 0..GEMMS {
            let a = a.slice().skip(i * len)?.mat(ORDER, ORDER, Layout::Col)?;
            let b = b.slice().skip(i * len)?.mat(ORDER, ORDER, Layout::Col)?;
            blas.gemm(1.0, a, b, 0.0, c.slice_mut().skip(i * len)?.mat(ORDER, ORDER, Layout::Col)?)?;
        }
        Ok(())
    };
    calls(blas)?;
    blas.set_workspace(Workspace::Fixed(WORKSPACE))?;
    let graph = blas.capture(&mut calls)?;
    let timed = |run: &mut dyn FnMut() -> anyblas::Result| -> Result<[f64; 2]> {
        blas.sync()?;
        let start = Instant::now();
        run()?;
        let host = start.elapsed().as_secs_f64();
        blas.sync()?;
        Ok([host, start.elapsed().as_secs_f64()])
    };
    // SAFETY: the buffers are there, and nothing else uses them.
    let mut launch = || unsafe { graph.launch() };
    launch()?;
    let mut found = Vec::new();
    for _ in 0..if pairs.quick { 20 } else { 200 } {
        found.push([timed(&mut || calls(blas))?, timed(&mut launch)?]);
    }
    drop(graph);
    blas.set_workspace(Workspace::OnDemand)?;
    let of = |which: usize, what: usize| {
        let values: Vec<f64> = found.iter().map(|pair| pair[which][what]).collect();
        median(&values) * 1e6 / GEMMS as f64
    };
    Ok(Replay {
        gemms: GEMMS,
        order: ORDER,
        calls_us: of(0, 1),
        graph_us: of(1, 1),
        host_calls_us: of(0, 0),
        host_graph_us: of(1, 0),
    })
}
