//! C = A * B in f32, 1024 x 1024 x 1024, timed, and checked element by element:
//! `cargo run --release -p anyblas --example sgemm -- --device cpu`

use std::process::ExitCode;
use std::time::Instant;

use anyblas::prelude::*;

mod common;

const N: usize = 1024;

fn sgemm<B: Backend>(blas: &Handle<B>) -> Result<bool> {
    let (a, b) = (common::random::<f32>(1, N * N, 1.0), common::random::<f32>(2, N * N, 1.0));
    let (a_dev, b_dev) = (blas.upload(&a)?, blas.upload(&b)?);
    // With beta = 0, C is not read: the NaN is gone afterwards.
    let mut c = blas.upload(&vec![f32::NAN; N * N])?;

    let mut seconds = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        let (a, b) = (a_dev.mat(N, N, Layout::Row)?, b_dev.mat(N, N, Layout::Row)?);
        blas.gemm(1.0, a, b, 0.0, c.mat_mut(N, N, Layout::Row)?)?;
        blas.sync()?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let flops = 2.0 * (N * N * N) as f64;
    println!("time     {:.2} ms, best of 5", seconds * 1e3);
    println!("rate     {:.1} GFLOP/s", flops / seconds * 1e-9);

    let worst = error_over_bound(&a, &b, &c.to_vec(blas)?);
    println!("error    {worst:.4} of the bound, at the worst element");
    Ok(worst <= 1.0)
}

/// The largest error of any element, over its bound gamma(k) * (|A| * |B|) (Higham, *Accuracy and Stability of Numerical
/// Algorithms*, section 3.5). The oracle sums in f64.
fn error_over_bound(a: &[f32], b: &[f32], c: &[f32]) -> f64 {
    let ku = N as f64 * f64::from(f32::EPSILON) / 2.0;
    let gamma = ku / (1.0 - ku);
    let mut worst = 0.0f64;
    for (a, c) in a.chunks(N).zip(c.chunks(N)) {
        let (mut exact, mut size) = (vec![0.0f64; N], vec![0.0f64; N]);
        for (&a, b) in a.iter().zip(b.chunks(N)) {
            for (j, &b) in b.iter().enumerate() {
                let product = f64::from(a) * f64::from(b);
                exact[j] += product;
                size[j] += product.abs();
            }
        }
        for j in 0..N {
            let ratio = (f64::from(c[j]) - exact[j]).abs() / (gamma * size[j]);
            // max would drop a NaN.
            worst = if ratio.is_nan() { f64::INFINITY } else { worst.max(ratio) };
        }
    }
    worst
}

fn main() -> ExitCode {
    common::run(sgemm)
}
