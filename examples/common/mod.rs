//! What the examples share: the command line, and numbers to compute with.
#![allow(dead_code, reason = "not every example uses everything")]

use std::process::ExitCode;

use anyblas::prelude::*;

/// Opens the device that `--device NAME` names, the CPU by default, and runs a program that tells whether its result is
/// right.
pub(crate) fn run(program: impl FnOnce(&Handle<Any>) -> Result<bool>) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = match args.as_slice() {
        [] => "cpu",
        [flag, name] if flag == "--device" => name,
        _ => {
            eprintln!("usage: [--device NAME], for example --device cpu");
            return ExitCode::from(2);
        }
    };
    let result = anyblas::open(name).and_then(|blas| {
        let id = blas.device();
        let device = anyblas::devices().into_iter().find(|d| d.id == id);
        println!("device   {id} ({})", device.map_or("unlisted".to_owned(), |d| d.name));
        program(&blas)
    });
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("WRONG RESULT");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// `n` reproducible numbers from -scale to scale.
pub(crate) fn random<T: Scalar>(seed: u64, n: usize, scale: f64) -> Vec<T> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        scale * ((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    };
    (0..n).map(|_| T::from_parts([next(), 0.0])).collect()
}
