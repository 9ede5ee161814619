//! The quick run on the CPU: nothing fails, nothing is skipped, every cell has cases.

use blas_api::Driver as _;
use blas_conformance::{Options, Subject};
use blas_cpu::Cpu;

#[test]
fn the_cpu_keeps_the_contract() {
    let options = Options::quick();
    let report = blas_conformance::run(&Subject::on_host(|| Cpu::open(0)), &options).expect("the CPU opens");
    assert!(report.ok(), "{report}");
    assert_eq!(report.cells.len(), options.cells().len());
    assert!(report.cells.iter().all(|c| c.passed > 0 && c.skipped == 0), "{report}");
}
