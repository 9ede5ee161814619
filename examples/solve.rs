//! A * X = B by LU factors, and what a singular A looks like: `cargo run --release -p anyblas --example solve -- --device cpu`

use std::process::ExitCode;

use anyblas::prelude::*;

mod common;

/// Order of A, and number of right-hand sides.
const N: usize = 300;
const RHS: usize = 4;

/// The solution of A * X = B for row-major A and column-major B, or `None` if A is singular.
fn solve<B: Backend, T: Field>(blas: &Handle<B>, a: &[T], b: &[T]) -> Result<Option<Vec<T>>> {
    let (mut lu, mut x) = (blas.upload(a)?, blas.upload(b)?);
    let mut pivots = blas.alloc::<i32>(N)?;
    // `info` is a host value: the call waits for it.
    let mut info = 0;
    blas.getrf(lu.mat_mut(N, N, Layout::Row)?, pivots.vec_mut(), &mut info)?;
    if info > 0 {
        return Ok(None);
    }
    // The factors are viewed as getrf was given them.
    blas.getrs(Trans::N, lu.mat(N, N, Layout::Row)?, pivots.vec(), x.mat_mut(N, RHS, Layout::Col)?)?;
    Ok(Some(x.to_vec(blas)?))
}

/// The largest element of B - A * X.
fn residual<B: Backend>(blas: &Handle<B>, a: &[f64], x: &[f64], b: &[f64]) -> Result<f64> {
    let (a, x, mut rest) = (blas.upload(a)?, blas.upload(x)?, blas.upload(b)?);
    let (a, x) = (a.mat(N, N, Layout::Row)?, x.mat(N, RHS, Layout::Col)?);
    blas.gemm(-1.0, a, x, 1.0, rest.mat_mut(N, RHS, Layout::Col)?)?;
    Ok(rest.to_vec(blas)?.into_iter().fold(0.0, |most, r| r.abs().max(most)))
}

fn run(blas: &Handle<Any>) -> Result<bool> {
    let (a, b) = (common::random::<f64>(1, N * N, 1.0), common::random::<f64>(2, N * RHS, 1.0));
    let Some(x) = solve(blas, &a, &b)? else { return Ok(false) };
    let residual = residual(blas, &a, &x, &b)?;
    println!("residual {residual:.1e}");

    // With a column of zeros there is no solution, and info says where it was seen.
    let singular: Vec<f64> = a.iter().enumerate().map(|(i, &x)| if i % N == 7 { 0.0 } else { x }).collect();
    let none = solve(blas, &singular, &b)?.is_none();
    println!("singular {none}");
    Ok(residual < 1e-9 && none)
}

fn main() -> ExitCode {
    common::run(run)
}
