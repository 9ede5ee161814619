//! What a call through the portable API takes beside the call of the library's function: on a CUDA that does nothing, made by a C
//! compiler, so that what is left is our own. No GPU is needed.
//!
//! The program starts itself again with the fake in place of CUDA, which must be there before the first call looks for it.
#![cfg(target_os = "linux")]

use std::ffi::{c_int, c_long, c_void};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use blas_api::*;
use blas_cuda::{Cuda, Library};

/// Tells the second process that it is that one.
const SECOND: &str = "ANYBLAS_OVERHEAD_ON_A_FAKE";
/// Nanoseconds that a call may add where the compiler optimises. It is a third of that on an idle processor of 3 GHz; more
/// than this is no noise. `cargo xtask bench --suite cuda` judges the number on a real GPU.
const MOST: f64 = 300.0;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    if std::env::var_os(SECOND).is_some() {
        return measured();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overhead");
    std::fs::create_dir_all(&folder)?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/fake.c");
    for name in ["libcuda.so.1", "libcublas.so.13"] {
        let compiler = Command::new("cc")
            .args(["-shared", "-fPIC", "-O2", "-o"])
            .arg(folder.join(name))
            .arg(&source)
            .status()?;
        assert!(compiler.success(), "cc: {compiler}");
    }
    let status =
        Command::new(std::env::current_exe()?).env(SECOND, "1").env("ANYBLAS_CUDA_PATH", &folder).status()?;
    assert!(status.success(), "{status}");
    Ok(())
}

/// Nanoseconds of a call: the least of many short batches, since anything else that the machine does only adds.
fn time(mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 100;
    let batch = || {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    std::iter::repeat_with(batch).take(5000).fold(f64::INFINITY, f64::min)
}

type Count = unsafe extern "C" fn() -> c_long;
type Sgemm = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const f32,
    *const f32,
    c_int,
    *const f32,
    c_int,
    *const f32,
    *mut f32,
    c_int,
) -> c_int;

/// The fake's counts of calls of the driver and of cuBLAS.
struct Counts(libloading::Library, libloading::Library);

impl Counts {
    fn now(&self) -> [c_long; 2] {
        let count = |library: &libloading::Library, name: &[u8]| {
            // SAFETY: the fake's functions take nothing.
            unsafe { library.get::<Count>(name).map(|f| f()).expect("the fake counts") }
        };
        [count(&self.0, b"fake_driver_calls\0"), count(&self.1, b"fake_cublas_calls\0")]
    }
}

fn measured() -> std::result::Result<(), Box<dyn std::error::Error>> {
    const N: usize = 64;
    let blas = Cuda::open(0)?;
    let cublas = Library::get()?.path();
    // SAFETY: both are loaded already.
    let counts = unsafe {
        Counts(
            libloading::Library::new(cublas.with_file_name("libcuda.so.1"))?,
            libloading::Library::new(cublas)?,
        )
    };
    // SAFETY: its type is that of cuBLAS's header.
    let sgemm: Sgemm = unsafe { *counts.1.get::<Sgemm>(b"cublasSgemm_v2\0")? };
    let (x, h) = (blas.alloc::<f32>(N * N * 4)?, blas.alloc::<bf16>(N * N * 4)?);
    let (mut y, mut hy) = (blas.alloc::<f32>(N * N * 4)?, blas.alloc::<bf16>(N * N * 4)?);

    let (handle, n, one, zero) = (blas.raw().cublas(), N as c_int, 1f32, 0f32);
    let (a, c) = (x.slice().as_ptr(), y.slice_mut().as_mut_ptr());
    let raw = time(|| {
        // SAFETY: the matrices have N * N elements, of which the fake uses none.
        let status = unsafe { sgemm(black_box(handle), 0, 0, n, n, n, &one, a, n, a, n, &zero, c, n) };
        assert_eq!(status, 0);
    });
    println!("cublasSgemm itself: {raw:.1} ns");

    let mut worst: f64 = 0.0;
    let wanted = std::env::args().nth(1).filter(|a| !a.starts_with('-'));
    let mut check = |what: &str, call: &mut dyn FnMut() -> Result| {
        if wanted.as_ref().is_some_and(|w| !what.contains(w)) {
            return;
        }
        call().expect("the fake takes every call");
        let before = counts.now();
        call().expect("the fake takes every call");
        let after = counts.now();
        let added = time(|| call().expect("the fake takes every call")) - raw;
        println!("{what}: {added:.1} ns added");
        worst = worst.max(added);
        // One question to the driver, which context is current, and the routine itself: no more than that.
        assert_eq!(
            [after[0] - before[0], after[1] - before[1]],
            [1, 1],
            "{what}: calls of the driver and of cuBLAS"
        );
    };
    let (a, ah) = (x.mat(N, N, Layout::Col)?, h.mat(N, N, Layout::Row)?);
    let (x, stride) = (x.slice().vec(N, 1)?, (N * N) as isize);
    let mut c = y.mat_mut(N, N, Layout::Col)?;
    check("gemm f32", &mut || blas.gemm(1.0, a, a, 0.0, c.rb_mut()));
    let (many, one) = (a.batch(stride, 4)?, a.broadcast(4));
    check("gemm f32, strided", &mut || blas.gemm(1.0, &many, &one, 0.0, c.rb_mut().batch(stride, 4)?));
    check("gemm f32, row-major and transposed", &mut || blas.gemm(1.0, a.t(), a, 0.5, c.rb_mut().t()));
    let mut c = hy.mat_mut(N, N, Layout::Row)?;
    check("gemm bf16", &mut || blas.gemm(1.0, ah, ah, 0.0, c.rb_mut()));
    let mut y = y.slice_mut().vec(N, 1)?;
    check("gemv f32", &mut || blas.gemv(1.0, a, x, 0.0, y.rb_mut()));
    check("axpy f32", &mut || blas.axpy(1.0, x, y.rb_mut()));
    assert!(cfg!(debug_assertions) || worst <= MOST, "{worst:.1} ns");
    Ok(())
}
