//! Our call beside the raw one.
//!
//! Both run on one stream. For the device's time short batches of each take turns, so that clocks and temperature are the same
//! for both; for the host's time single calls do, since what disturbs a host lasts longer than one. The GPU is kept busy while
//! calls are queued: what the host needs for a call and what the device needs for it are then measured apart from each
//! other, also for calls that the device finishes sooner than the host can make them.

use std::ffi::{c_int, c_void};
use std::time::Instant;

use anyblas::prelude::*;
use anyblas::{Precision, RawHandle};
use blas_cuda::Cuda;
use serde::Serialize;

use super::raw::{self, Raw};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Seconds that a batch takes on the device.
const BATCH: f64 = 1.5e-3;
/// Most calls of a batch: the driver's queue of launches has room for about a thousand.
const CALLS: usize = 100;
/// Seconds of measurement for each kind of call.
const BUDGET: f64 = 0.5;
/// Order of the product that keeps the GPU busy, for some milliseconds.
const BUSY: usize = 4096;
/// Bytes of the output that are compared.
const COMPARED: usize = 1 << 20;
/// Least and most batches of each. The clock of a GPU changes by some percent from one long product to the next, so that those
/// take turns one by one, and many times.
const BATCHES: [usize; 2] = [25, 61];

/// What is measured.
#[derive(Clone, Debug, Serialize)]
pub(super) struct What {
    pub(super) op: &'static str,
    pub(super) dtype: &'static str,
    pub(super) size: usize,
    /// What a call does: its floating-point operations, or the bytes that it moves.
    #[serde(skip)]
    pub(super) work: f64,
}

/// What was found: medians over all batches; times of one call.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    pub(super) what: What,
    pub(super) calls: usize,
    pub(super) batches: usize,
    pub(super) host_ours_ns: f64,
    pub(super) host_raw_ns: f64,
    /// Median of the differences of neighbouring calls.
    pub(super) host_added_ns: f64,
    pub(super) device_ours_us: f64,
    pub(super) device_raw_us: f64,
    /// Median of the ratios of neighbouring batches.
    pub(super) device_ratio: f64,
    /// GFLOP/s or GB/s of our call.
    pub(super) rate: f64,
    /// Whether both give the same bits, as the same function with the same arguments does.
    pub(super) same_bits: bool,
}

impl Row {
    /// Whether a batch has calls enough to tell what the host needs for one.
    pub(super) fn tells_host_time(&self) -> bool {
        self.calls >= CALLS / 2
    }
}

/// A handle of the backend and a cuBLAS handle of our own on its stream.
pub(super) struct Pairs {
    pub(super) blas: Handle<Cuda>,
    pub(super) raw: Raw,
    pub(super) quick: bool,
    busy: [Buffer<f32, Cuda>; 3],
}

impl Pairs {
    pub(super) fn new(quick: bool) -> Result<Pairs> {
        let blas = Cuda::open(0)?;
        // SAFETY: the stream is that of the handle, which is dropped after it: fields are dropped in order, and nothing
        // of the raw handle's needs the stream then. Opening has made the context current.
        let raw = unsafe { Raw::new(blas.raw().library(), blas.raw().stream())? };
        let data = random::<f32>(BUSY * BUSY, 1);
        let busy = [blas.upload(&data)?, blas.upload(&data)?, blas.alloc(BUSY * BUSY)?];
        Ok(Pairs { blas, raw, quick, busy })
    }

    /// Puts the same precision in force for both.
    pub(super) fn allow_tf32(&self, allowed: bool) -> Result<()> {
        self.blas.set_precision(if allowed { Precision::AllowTf32 } else { Precision::Exact })?;
        self.raw.allow_tf32(allowed)
    }

    /// Random numbers on the device: the GPU takes less power for zeros, and runs faster.
    pub(super) fn random<T: Scalar>(&self, len: usize, seed: u64) -> Result<Buffer<T, Cuda>> {
        Ok(self.blas.upload(&random::<T>(len, seed))?)
    }

    /// Queues work for the GPU that takes longer than the host takes to queue a batch.
    pub(super) fn occupy(&self) -> Result<()> {
        let [a, b, c] = &self.busy;
        let (n, one, zero) = (BUSY as c_int, 1.0, 0.0);
        let (a, b, c) = (a.slice().as_ptr(), b.slice().as_ptr(), c.slice().as_ptr().cast_mut());
        // SAFETY: the buffers have n * n elements, and nothing else uses them.
        raw::ok("cublasSgemm_v2", unsafe {
            (self.raw.functions.cublasSgemm_v2)(
                self.raw.cublas,
                raw::N,
                raw::N,
                n,
                n,
                n,
                &one,
                a,
                n,
                b,
                n,
                &zero,
                c,
                n,
            )
        })
    }

    /// Seconds of a batch on the device.
    fn batch(&self, calls: usize, call: &mut dyn FnMut() -> Result<()>) -> Result<f64> {
        self.occupy()?;
        self.raw.record(0)?;
        for _ in 0..calls {
            call()?;
        }
        self.raw.record(1)?;
        self.raw.elapsed()
    }

    /// Nanoseconds of single calls of both on the host, in turns, and of what ours takes longer than its neighbour.
    fn host(
        &self,
        calls: usize,
        batches: usize,
        pair: &mut [&mut dyn FnMut() -> Result<()>; 2],
    ) -> Result<[f64; 3]> {
        let mut found = [Vec::new(), Vec::new()];
        for _ in 0..batches {
            self.occupy()?;
            for i in 0..calls {
                for which in if i % 2 == 0 { [0, 1] } else { [1, 0] } {
                    let start = Instant::now();
                    pair[which]()?;
                    found[which].push(start.elapsed().as_secs_f64() * 1e9);
                }
            }
            self.blas.sync()?;
        }
        // What the clock itself takes is in each.
        let clock: Vec<f64> = (0..1000).map(|_| Instant::now().elapsed().as_secs_f64() * 1e9).collect();
        // What a host does besides changes from one moment to the next, and less so between neighbours.
        let added: Vec<f64> = found[0].iter().zip(&found[1]).map(|(ours, raw)| ours - raw).collect();
        let [ours, raw] = found.map(|times| median(&times) - median(&clock));
        Ok([ours, raw, median(&added)])
    }

    /// What a few calls write, on zeros.
    fn output(
        &self,
        (out, bytes): (*mut c_void, usize),
        call: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Vec<u8>> {
        let mut found = vec![0; bytes.min(COMPARED)];
        // SAFETY: the output has so many bytes, on this device, and the copies are in the order of the stream.
        unsafe { self.blas.raw().upload(found.as_ptr(), out.cast(), found.len())? };
        for _ in 0..3 {
            call()?;
        }
        // SAFETY: as above.
        unsafe { self.blas.raw().download(out.cast_const().cast(), found.as_mut_ptr(), found.len())? };
        Ok(found)
    }

    /// Measures our call and the raw one, which both write `out`, a pointer and its bytes.
    pub(super) fn measure(
        &self,
        what: What,
        out: (*mut c_void, usize),
        ours: &mut dyn FnMut() -> anyblas::Result,
        theirs: &mut dyn FnMut() -> c_int,
    ) -> Result<Row> {
        let mut ours = || ours().map_err(Into::into);
        let mut theirs = || match theirs() {
            0 => Ok(()),
            status => raw::ok("cuBLAS", status),
        };
        let same_bits = self.output(out, &mut ours)? == self.output(out, &mut theirs)?;
        let estimate = self.batch(4, &mut theirs)? / 4.0;
        let calls = ((BATCH / estimate) as usize).clamp(1, CALLS);
        let budget = if self.quick { BUDGET / 10.0 } else { BUDGET };
        // The two, and twice the time that the GPU is kept busy.
        let batches =
            ((budget / (2.0 * (calls as f64 * estimate + 3e-3))) as usize).clamp(BATCHES[0], BATCHES[1]);
        let mut found = Vec::with_capacity(batches);
        for i in 0..batches {
            let (a, b);
            if i % 2 == 0 {
                a = self.batch(calls, &mut ours)?;
                b = self.batch(calls, &mut theirs)?;
            } else {
                b = self.batch(calls, &mut theirs)?;
                a = self.batch(calls, &mut ours)?;
            }
            found.push([a, b].map(|seconds| seconds / calls as f64));
        }
        let [host_ours_ns, host_raw_ns, host_added_ns] =
            self.host(calls, batches, &mut [&mut ours, &mut theirs])?;
        let of = |value: &dyn Fn(&[f64; 2]) -> f64| median(&found.iter().map(value).collect::<Vec<f64>>());
        let device_ours = of(&|pair| pair[0]);
        Ok(Row {
            calls,
            batches,
            host_ours_ns,
            host_raw_ns,
            host_added_ns,
            device_ours_us: device_ours * 1e6,
            device_raw_us: of(&|pair| pair[1]) * 1e6,
            device_ratio: of(&|[ours, raw]| ours / raw),
            rate: what.work / device_ours / 1e9,
            same_bits,
            what,
        })
    }

    /// Seconds of one of our calls on the device.
    pub(super) fn device_time(&self, calls: usize, ours: &mut dyn FnMut() -> anyblas::Result) -> Result<f64> {
        ours()?;
        Ok(self.batch(calls, &mut || ours().map_err(Into::into))? / calls as f64)
    }
}

/// The middle value, the upper one of two.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Numbers from -1 to 1, always the same ones.
fn random<T: Scalar>(len: usize, seed: u64) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        // Marsaglia's xorshift64.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..len).map(|_| T::from_parts([next(), 0.0])).collect()
}

#[cfg(test)]
mod tests {
    use super::random;

    #[test]
    fn random_numbers_fill_the_range() {
        let values = random::<f64>(10_000, 7);
        assert!(values.iter().all(|v| (-1.0..1.0).contains(v)));
        let mean = values.iter().sum::<f64>() / 1e4;
        let square = values.iter().map(|v| v * v).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.03 && (square - 1.0 / 3.0).abs() < 0.02, "{mean} {square}");
    }
}
