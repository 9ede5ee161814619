//! The process that measures: times calls of blas-cpu and of its peers as `cargo xtask bench --suite cpu` asks for on
//! standard input. Each argument is a library: `anyblas`, `matrixmultiply`, `gemm`, `faer`, or `NAME=PATH` of a shared
//! library with the symbols of CBLAS.

mod anyblas;
mod calls;
mod cblas;
mod crates;
mod library;
mod number;
mod operands;
mod peak;
mod protocol;

use std::io::{BufRead, Write};
use std::time::Instant;

use calls::Prepared;
use library::Library;
use protocol::{Answer, Request};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let start = Instant::now();
    let first_call = library::first_call().map(|()| start.elapsed().as_secs_f64());
    let libraries: Vec<Library> =
        std::env::args().skip(1).map(|a| Library::open(&a)).collect::<Result<_>>()?;
    let mut prepared = None;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = match serde_json::from_str(&line?)? {
            Request::Peak => Answer::Peak(peak::peak()),
            Request::FirstCall => Answer::Seconds(first_call.clone()?),
            Request::Prepare(problem) => {
                // The memory of one problem is free before that of the next is taken.
                drop(prepared.take());
                let p = prepared.insert(Prepared::new(problem, &libraries));
                Answer::Libraries(p.libraries())
            }
            Request::Sample(library) => {
                let p: &mut Prepared = prepared.as_mut().ok_or("nothing is prepared")?;
                Answer::Seconds(p.sample(library).ok_or("the library has no such routine")?)
            }
        };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        out.flush()?;
    }
    Ok(())
}
