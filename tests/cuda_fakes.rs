//! Drivers and libraries of CUDA that are missing or broken: each is an error that says what was tried, in a program in which any
//! panic is the end.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a test's files are, a folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cuda-fakes").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Makes a shared library of some lines of C.
fn library(path: &Path, lines: &[&str]) {
    let source = path.with_extension("c");
    std::fs::write(&source, lines.join("\n")).expect("a source file");
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(path).arg(&source).status();
    assert!(made.expect("a C compiler").success(), "{}", path.display());
}

/// The example `saxpy` with the NVIDIA backend alone, built to abort where others unwind.
fn program() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abort");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--package", "anyblas", "--example", "saxpy"])
        .args(["--no-default-features", "--features", "cuda"])
        // A folder of its own: the running test holds none of cargo's locks, and evicts nothing that others built.
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_DEV_PANIC", "abort")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("debug/examples/saxpy")
}

/// Runs the program with the libraries of a folder, and gives what it prints after it has failed.
fn failure(program: &Path, libraries: &Path) -> String {
    let output = Command::new(program)
        .args(["--device", "cuda:0"])
        .env("ANYBLAS_CUDA_PATH", libraries)
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{}: {}\n{text}", libraries.display(), output.status);
    text.into_owned()
}

/// A driver that finds one GPU, without a device that could compute. Each line is a function.
const DRIVER: [&str; 16] = [
    "int cuInit(unsigned flags) { return 0; }",
    "int cuDriverGetVersion(int *version) { *version = 13000; return 0; }",
    "int cuDeviceGetCount(int *count) { *count = 1; return 0; }",
    "int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }",
    "int cuDeviceGetName(char *name, int length, int device) { name[0] = 'F'; name[1] = 0; return 0; }",
    "int cuDeviceTotalMem_v2(unsigned long *bytes, int device) { *bytes = 1 << 30; return 0; }",
    "int cuDeviceGetAttribute(int *value, unsigned attribute, int device) { *value = 0; return 0; }",
    "int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)1; return 0; }",
    "int cuCtxSetCurrent(void *context) { return 0; }",
    "int cuCtxGetCurrent(void **context) { *context = (void *)1; return 0; }",
    "int cuStreamCreate(void **stream, unsigned flags) { *stream = (void *)2; return 0; }",
    "int cuStreamSynchronize(void *stream) { return 0; }",
    "int cuStreamDestroy_v2(void *stream) { return 0; }",
    "int cuStreamIsCapturing(void *stream, unsigned *status) { *status = 0; return 0; }",
    "int cuMemAlloc_v2(void **memory, unsigned long bytes) { return 2; }",
    "int cuMemFree_v2(void *memory) { return 0; }",
];

/// A cuBLAS with handles and no routine.
const CUBLAS: [&str; 6] = [
    "int cublasCreate_v2(void **handle) { *handle = (void *)3; return 0; }",
    "int cublasDestroy_v2(void *handle) { return 0; }",
    "int cublasGetVersion_v2(void *handle, int *version) { *version = 130000; return 0; }",
    "int cublasSetStream_v2(void *handle, void *stream) { return 0; }",
    "int cublasSetAtomicsMode(void *handle, int mode) { return 0; }",
    "int cublasSetMathMode(void *handle, unsigned mode) { return 0; }",
];

/// The functions without one, or with another in its place.
fn but<'a>(functions: &[&'a str], name: &str, other: &'a str) -> Vec<&'a str> {
    let is = |line: &str| line.starts_with(&format!("int {name}("));
    assert!(functions.iter().any(|line| is(line)), "{name}");
    functions.iter().map(|line| if is(line) { other } else { line }).collect()
}

#[test]
fn whatever_is_missing_or_broken_is_an_error() {
    let program = program();
    let check = |name: &str, driver: Option<&[&str]>, cublas: Option<&[&str]>, texts: &[&str]| {
        let folder = folder(name);
        if let Some(lines) = driver {
            library(&folder.join("libcuda.so.1"), lines);
        }
        if let Some(lines) = cublas {
            library(&folder.join("libcublas.so.13"), lines);
        }
        let text = failure(&program, &folder);
        for part in texts {
            assert!(text.contains(part), "{name}: {part:?} is not in:\n{text}");
        }
    };
    let no_driver = !Path::new("/dev/nvidiactl").exists();

    // No file of a driver, or one that is none. A machine with a driver takes that then, and has no cuBLAS in the folder.
    let system = if no_driver {
        ["the NVIDIA driver (libcuda) could not be loaded", "libcuda.so.1: cannot open shared object file"]
    } else {
        ["libcublas could not be loaded", "has no libcublas.so.13"]
    };
    check("nothing", None, None, &system);
    check("empty driver", Some(&[]), None, &["libcuda.so.1: loaded, but has no cuInit", system[0]]);
    let text = {
        let folder = folder("no library");
        std::fs::write(folder.join("libcuda.so.1"), "no library").expect("a file");
        failure(&program, &folder)
    };
    assert!(text.contains("file too short") || text.contains("invalid ELF header"), "{text}");

    // A driver that does not answer, or has no GPU.
    let init = but(&DRIVER, "cuInit", "int cuInit(unsigned flags) { return 100; }");
    check("no device", Some(&init), Some(&CUBLAS), &["no device", "cuInit found none"]);
    let init = but(&DRIVER, "cuInit", "int cuInit(unsigned flags) { return 803; }");
    check("mismatch", Some(&init), Some(&CUBLAS), &["CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)"]);
    let count = "int cuDeviceGetCount(int *count) { *count = 0; return 0; }";
    let count = but(&DRIVER, "cuDeviceGetCount", count);
    check("no GPU", Some(&count), Some(&CUBLAS), &["cuDeviceGetCount found 0", "loaded: cuda driver 13.0"]);

    // A driver without a function.
    for (name, function) in [
        ("old driver", "cuDeviceGetCount"),
        ("no contexts", "cuDevicePrimaryCtxRetain"),
        ("no streams", "cuStreamCreate"),
    ] {
        let driver = but(&DRIVER, function, "");
        let texts = [&format!("{function} could not be loaded"), "too old"];
        check(name, Some(&driver), Some(&CUBLAS), &texts);
    }

    // No cuBLAS, or one without its functions, or one that fails.
    let texts =
        ["libcublas could not be loaded", "has no libcublas.so.13, libcublas.so.12", "no such folder"];
    check("no cublas", Some(&DRIVER), None, &texts);
    let texts = ["libcublas.so.13: loaded, but has no cublasCreate_v2", "libcublas could not be loaded"];
    check("empty cublas", Some(&DRIVER), Some(&[]), &texts);
    let cublas = but(&CUBLAS, "cublasSetStream_v2", "");
    let texts = ["cublasSetStream_v2 could not be loaded", "too old"];
    check("old cublas", Some(&DRIVER), Some(&cublas), &texts);
    let cublas = but(&CUBLAS, "cublasCreate_v2", "int cublasCreate_v2(void **handle) { return 1; }");
    let texts = ["open: cublasCreate_v2 returned CUBLAS_STATUS_NOT_INITIALIZED (1)"];
    check("no handle", Some(&DRIVER), Some(&cublas), &texts);

    // A device that opens, and has no memory.
    check("no memory", Some(&DRIVER), Some(&CUBLAS), &["device   cuda:0 (F)", "out of memory on cuda:0"]);
}
