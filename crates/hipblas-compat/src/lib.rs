//! hipBLAS and the HIP runtime without an AMD GPU: their C ABI, computed by the backends of anyblas.
//!
//! This crate is a static library of C functions named `compat_hipblas...` and `compat_hip...`. `cargo xtask compat` links
//! it into `libhipblas.so.N` (with `libamdhip64.so.M` as another name of the same file, since the two share their state)
//! for each of the four ABIs of hipBLAS: a link script gives the functions the names of that ABI and the symbol versions
//! of the HIP runtime, and an initialiser tells the library which ABI it presents (`abi`).
//!
//! - `hip` is the runtime: devices, memory, copies, streams, events, graphs, errors.
//! - `blas` is hipBLAS: argument checks as AMD's library makes them, then a descriptor for the backend of the device.

#![cfg(target_os = "linux")]

mod abi;
mod blas;
#[allow(non_snake_case, reason = "functions have the names of C's")]
mod hip;
