//! Looks for hipBLAS, opens the first device and prints what was found, one `name: value` a line.
//!
//! `cargo run -p blas-hip --example probe`

use blas_api::{Driver, Error};
use blas_hip::{Hip, Library};

fn main() {
    if let Ok(library) = Library::get() {
        println!("abi: {}", library.abi().major());
        for (what, version) in library.versions() {
            println!("{what}: {version}");
        }
    }
    let answer = match Hip::open(0) {
        Ok(blas) => format!("opened {}", blas.device()),
        Err(Error::NoDevice { why, .. }) => format!("no device: {why}"),
        Err(Error::Load { what, tried }) => format!("no {what}: {}", tried.join("; ")),
        Err(other) => other.to_string(),
    };
    println!("answer: {answer}");
}
