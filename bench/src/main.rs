//! The process that measures: times calls of blas-cpu and of its peers as `cargo xtask bench --suite cpu` asks for, on
//! standard input and output.

mod peak;
mod protocol;

use std::io::{BufRead, Write};

use protocol::{Answer, Request};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = match serde_json::from_str(&line?)? {
            Request::Peak => Answer::Peak(peak::peak()),
        };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        out.flush()?;
    }
    Ok(())
}
