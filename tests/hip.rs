//! The AMD backend through the facade, on machines with and without ROCm.

use std::process::Command;

/// Runs a test of this file, one that is ignored otherwise, in a process with another environment.
fn in_process(test: &str, libraries: &str) {
    let output = Command::new(std::env::current_exe().expect("the test's own path"))
        .args(["--exact", test, "--include-ignored", "--nocapture"])
        .env("ANYBLAS_HIP_PATH", libraries)
        .output()
        .expect("the test starts again");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn without_libraries_the_error_lists_every_place() {
    in_process("no_libraries", "/nonexistent/first:/nonexistent/second");
}

#[test]
#[ignore = "runs in a process of its own"]
fn no_libraries() {
    let error = anyblas::open("hip:0").err().expect("there are no libraries");
    let anyblas::Error::Load { what, tried } = &error else { panic!("{error}") };
    assert_eq!(what, "libhipblas");
    for place in ["/nonexistent/first", "/nonexistent/first/lib", "/nonexistent/second/hipblas/lib"] {
        assert!(tried.iter().any(|t| t.starts_with(&format!("{place}:"))), "{place} is not in {tried:?}");
    }
    assert!(tried.iter().all(|t| !t.contains("/opt")), "looked elsewhere: {tried:?}");

    let report = anyblas::doctor().to_string();
    assert!(report.contains("/nonexistent/first/lib: no such folder"), "{report}");
    assert!(report.contains("folders of ANYBLAS_HIP_PATH"), "{report}");
}
