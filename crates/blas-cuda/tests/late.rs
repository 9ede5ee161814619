//! What is loaded and compiled when it is first needed: on a CUDA that does nothing, made by a C compiler.
#![cfg(target_os = "linux")]

mod fake;

use std::ffi::{CStr, c_char, c_int};
use std::path::Path;

use blas_api::*;
use blas_cuda::{Cuda, Library};

/// What the other process says at the end of its test.
const DONE: &str = "the libraries were found and used as they should be";

#[test]
fn what_was_missing_is_found_once_it_is_there() {
    let folder = fake::folder("late");
    let driver = folder.join("libcuda.so.1");
    fake::library(&driver, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/fake.c"), &[]);
    std::fs::copy(&driver, folder.join("libcublas.so.13")).expect("a copy");
    fake::start(&folder, DONE);
}

/// Name of what could not be loaded.
fn missing(result: Result) -> String {
    match result {
        Err(Error::Load { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

/// A function of the fake.
fn symbol<F: Copy>(path: &Path, name: &CStr) -> F {
    // SAFETY: the fake has no constructors, and stays; the caller says what type it has.
    unsafe {
        let fake = std::mem::ManuallyDrop::new(libloading::Library::new(path).expect("it is loaded"));
        *fake.get::<F>(name).expect("it is there")
    }
}

#[test]
#[ignore = "runs in a process of its own"]
fn on_the_fake() -> Result {
    let Ok(library) = Library::get() else { return Ok(()) };
    let fake = |name: &str| library.path().with_file_name(name);
    if !fake("libcuda.so.1").exists() {
        return Ok(());
    }
    let blas = Cuda::open(0)?;
    let (x, mut best) = (blas.alloc::<f32>(4)?, blas.alloc::<i64>(1)?);
    let (mut a, mut pivots, mut info) = (blas.alloc::<f32>(4)?, blas.alloc::<i32>(2)?, blas.alloc::<i32>(1)?);
    let mut index = || blas.iamax_into(x.vec(), best.vec_mut());
    let mut factor = || {
        let a = a.mat_mut(2, 2, Layout::Col)?;
        blas.getrf(a, pivots.vec_mut(), info.vec_mut())
    };

    for _ in 0..2 {
        assert_eq!(missing(index()), "libnvrtc.so.13");
        assert_eq!(missing(factor()), "libcusolver.so.12");
    }
    for name in ["libnvrtc.so.13", "libcusolver.so.12"] {
        std::fs::copy(library.path(), fake(name)).expect("a copy");
    }
    // NVRTC opens this one by name, as what the system's loader calls it.
    let name = "libnvrtc-builtins.so.13.0";
    let soname = format!("-Wl,-soname,{name}");
    fake::library(&fake(name), Path::new("/dev/null"), &[&soname]);
    index()?;
    factor()?;

    // The fake GPU has compute capability 9.0.
    let loaded: unsafe extern "C" fn() -> *const c_char = symbol(&fake("libcuda.so.1"), c"fake_loaded");
    let known: unsafe extern "C" fn(c_int, c_int) = symbol(&fake("libnvrtc.so.13"), c"fake_known");
    // SAFETY: functions of these types, of which the first gives a C string.
    let loaded = || unsafe { CStr::from_ptr(loaded()) }.to_string_lossy().into_owned();
    assert_eq!(loaded(), "sm_90");
    // SAFETY: as above.
    unsafe { known(80, 89) };
    let x = blas.alloc::<f64>(4)?;
    blas.iamax_into(x.vec(), best.vec_mut())?;
    assert_eq!(loaded(), "compute_89", "an NVRTC that is older than the GPU");
    // SAFETY: as above.
    unsafe { known(87, 100) };
    let x = blas.alloc::<Complex<f32>>(4)?;
    blas.iamax_into(x.vec(), best.vec_mut())?;
    assert_eq!(loaded(), "compute_87");
    // SAFETY: as above.
    unsafe { known(100, 120) };
    let x = blas.alloc::<Complex<f64>>(4)?;
    assert_eq!(missing(blas.iamax_into(x.vec(), best.vec_mut())), "the kernels of anyblas for sm_90");

    // A cuBLAS that lacks a function of arrays: nothing else inverts.
    let (x, mut y) = (blas.alloc::<f32>(4)?, blas.alloc::<f32>(4)?);
    let (x, y) = (x.mat(2, 2, Layout::Col)?, y.mat_mut(2, 2, Layout::Col)?);
    assert_eq!(missing(blas.getri(x, pivots.vec(), y, info.vec_mut())), "getri");
    println!("{DONE}");
    Ok(())
}
