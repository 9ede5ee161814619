//! The NVIDIA backend through the facade, on machines with and without a driver.

use anyblas::Error;

#[test]
fn a_machine_without_cuda_gives_an_error_that_lists_every_place() {
    match anyblas::open("cuda:0") {
        Ok(blas) => assert_eq!(blas.device().to_string(), "cuda:0"),
        Err(Error::Load { what, tried }) => {
            let name = if what.contains("libcuda") { "libcuda.so.1" } else { "libcublas.so" };
            assert!(tried.iter().any(|t| t.contains(name)), "{name} is not in {tried:?}");
        }
        Err(Error::NoDevice { .. }) => {}
        Err(other) => panic!("{other}"),
    }
    let error = anyblas::open("cuda:99999999999").err().expect("there is no such device");
    assert!(matches!(error, Error::Load { .. } | Error::NoDevice { .. }), "{error}");
}

#[test]
fn the_doctor_says_what_to_do() {
    let report = anyblas::doctor().to_string();
    assert!(report.contains("\ncuda\n"), "{report}");
    if anyblas::open("cuda:0").is_err() {
        assert!(report.contains("  -> "), "{report}");
    }
}
