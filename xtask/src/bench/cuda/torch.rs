//! Our products beside PyTorch's, which a child process makes on request: the two take turns on the GPU.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyblas::prelude::*;
use serde::Serialize;

use super::pair::{Pairs, median};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Orders of the products.
const SIZES: [usize; 3] = [1024, 4096, 8192];

/// What was found: medians of the times of one product on the device.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Product {
    pub(super) dtype: &'static str,
    pub(super) size: usize,
    pub(super) ours_us: f64,
    pub(super) torch_us: f64,
    /// Median of our speed as a share of PyTorch's, of turns that follow one another.
    pub(super) speed: f64,
}

/// The child process.
struct Torch {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    version: String,
}

impl Torch {
    fn start() -> Result<Torch> {
        let mut child = Command::new("python3")
            .args(["-c", include_str!("torch.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("python3: {e}"))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("python3 has no pipes".into());
        };
        let mut torch = Torch { child, requests, answers: BufReader::new(answers), version: String::new() };
        torch.version = torch.line()?;
        Ok(torch)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err("PyTorch's process ended without an answer".into());
        }
        Ok(line.trim().to_owned())
    }

    /// Seconds of one product.
    fn time(&mut self, dtype: &str, n: usize, calls: usize) -> Result<f64> {
        writeln!(self.requests, "{dtype} {n} {calls}")?;
        Ok(self.line()?.parse::<f64>()? / 1e3)
    }
}

impl Drop for Torch {
    fn drop(&mut self) {
        // It holds memory of the device until it ends.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All products, and what PyTorch and its cuBLAS are.
pub(super) fn all(pairs: &Pairs, done: &mut dyn FnMut(&Product)) -> Result<(Vec<Product>, String)> {
    let mut torch = Torch::start()?;
    let mut found = Vec::new();
    let mut add = |products: Vec<Product>| {
        products.iter().for_each(&mut *done);
        found.extend(products);
    };
    add(products::<bf16>(pairs, &mut torch, "bf16")?);
    add(products::<f16>(pairs, &mut torch, "f16")?);
    add(products::<f32>(pairs, &mut torch, "f32")?);
    add(products::<f32>(pairs, &mut torch, "tf32")?);
    add(products::<f64>(pairs, &mut torch, "f64")?);
    Ok((found, torch.version.clone()))
}

fn products<T: Scalar>(pairs: &Pairs, torch: &mut Torch, dtype: &'static str) -> Result<Vec<Product>> {
    pairs.allow_tf32(dtype == "tf32")?;
    let sizes: Vec<usize> = SIZES.into_iter().filter(|&n| !pairs.quick || n <= 4096).collect();
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let [zero, one] = [0.0, 1.0].map(|v| T::Coef::from_parts([v, 0.0]));
    let (a, b) = (pairs.random::<T>(largest * largest, 7)?, pairs.random::<T>(largest * largest, 8)?);
    let mut c = pairs.blas.alloc::<T>(largest * largest)?;
    sizes
        .into_iter()
        .map(|n| {
            let (a, b) = (a.mat(n, n, Layout::Row)?, b.mat(n, n, Layout::Row)?);
            let mut c = c.mat_mut(n, n, Layout::Row)?;
            let mut ours = || pairs.blas.gemm(one, a, b, zero, c.rb_mut());
            let estimate = pairs.device_time(4, &mut ours)?;
            // As many calls as take some milliseconds; turns for about a second.
            let calls = ((10e-3 / estimate) as usize).clamp(4, 100);
            let turns = (0.4 / (calls as f64 * estimate + 4e-3)) as usize;
            let turns = turns.clamp(5, if pairs.quick { 5 } else { 31 });
            torch.time(dtype, n, 4)?;
            let mut times = Vec::with_capacity(turns);
            for _ in 0..turns {
                times.push([pairs.device_time(calls, &mut ours)?, torch.time(dtype, n, calls)?]);
            }
            let of = |value: &dyn Fn(&[f64; 2]) -> f64| -> f64 {
                median(&times.iter().map(value).collect::<Vec<_>>())
            };
            Ok(Product {
                dtype,
                size: n,
                ours_us: 1e6 * of(&|t| t[0]),
                torch_us: 1e6 * of(&|t| t[1]),
                speed: of(&|t| t[1] / t[0]),
            })
        })
        .collect()
}
