//! y = a * x + y, on any device: `cargo run --release -p anyblas --example saxpy -- --device cpu`

use std::process::ExitCode;

use anyblas::prelude::*;

mod common;

fn saxpy<B: Backend>(blas: &Handle<B>) -> Result<bool> {
    let x = blas.upload(&[1.0f32, 2.0, 3.0, 4.0])?;
    let mut y = blas.upload(&[10.0f32; 4])?;
    blas.axpy(2.0, x.vec(), y.vec_mut())?;
    let y = y.to_vec(blas)?;
    println!("y        {y:?}");
    Ok(y == [12.0, 14.0, 16.0, 18.0])
}

fn main() -> ExitCode {
    common::run(saxpy)
}
