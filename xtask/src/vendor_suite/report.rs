//! What a run found, as text and JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::Args;
use super::process::{Ended, Verdict};
use super::program::Program;
use super::run::Results;

/// Failures that are printed, of each family.
const PRINTED: usize = 5;

/// The result of a run.
#[derive(Serialize)]
pub(super) struct Report {
    suite: String,
    /// Debian packages of the programs and the C runtime.
    packages: BTreeMap<String, String>,
    /// What the program says that it runs on.
    device: String,
    /// What the program says about the library.
    library: String,
    anyblas: &'static str,
    /// Of a GPU's driver and libraries.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    versions: BTreeMap<String, String>,
    filter: String,
    quick: bool,
    totals: Totals,
    /// How many times the program ended in the middle of a test.
    crashes: usize,
    seconds: u64,
    families: BTreeMap<String, Totals>,
    failures: Vec<Unpassed>,
    skips: BTreeMap<String, usize>,
}

/// Numbers of tests.
#[derive(Clone, Copy, Default, Serialize)]
struct Totals {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Totals {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed => self.failed += 1,
            Verdict::Skipped => self.skipped += 1,
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[derive(Serialize)]
struct Unpassed {
    family: String,
    test: String,
    output: Vec<String>,
}

impl Report {
    pub(super) fn new(program: &Program, args: &Args, results: Results) -> Self {
        let mut report = Report {
            suite: format!("{} {}", program.name, program.release),
            packages: program.packages.iter().cloned().collect(),
            device: device(&results.heading),
            library: results
                .heading
                .iter()
                .find(|l| l.starts_with("hipBLAS version"))
                .cloned()
                .unwrap_or_default(),
            anyblas: env!("CARGO_PKG_VERSION"),
            versions: versions(&args.device),
            filter: args.filter.clone(),
            quick: args.quick,
            totals: Totals::default(),
            crashes: results.crashes,
            seconds: results.seconds.round() as u64,
            families: BTreeMap::new(),
            failures: Vec::new(),
            skips: BTreeMap::new(),
        };
        for Ended { test, verdict, output } in results.tests {
            let family = family(&test);
            report.totals.add(verdict);
            report.families.entry(family.clone()).or_default().add(verdict);
            match verdict {
                Verdict::Passed => {}
                Verdict::Failed => report.failures.push(Unpassed { family, test, output }),
                Verdict::Skipped => *report.skips.entry(reason(&output)).or_default() += 1,
            }
        }
        report.failures.sort_by(|a, b| (&a.family, &a.test).cmp(&(&b.family, &b.test)));
        report
    }

    pub(super) fn ok(&self) -> bool {
        self.totals.failed == 0 && self.crashes == 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (family, totals) in self.families.iter().filter(|(_, t)| t.failed > 0) {
            writeln!(f, "{family}: {totals}")?;
            for failure in self.failures.iter().filter(|x| x.family == *family).take(PRINTED) {
                writeln!(f, "  FAILED {}", failure.test)?;
                for line in &failure.output {
                    writeln!(f, "    {line}")?;
                }
            }
        }
        for (reason, count) in &self.skips {
            writeln!(f, "{count} skipped by the program: {reason}")?;
        }
        write!(f, "{} on {}: {} in {} s", self.suite, self.device, self.totals, self.seconds)
    }
}

/// Why a test was skipped, as the program says it.
fn reason(output: &[String]) -> String {
    let said = output.iter().rfind(|l| !l.contains(": Skipped") && !l.starts_with('['));
    said.map_or_else(|| "without a reason".to_owned(), |l| l.trim().to_owned())
}

/// What is known of the driver and the libraries of a device, if it is a GPU.
fn versions(device: &str) -> BTreeMap<String, String> {
    let found = anyblas::devices().into_iter().find(|d| d.id.to_string() == device);
    found.into_iter().flat_map(|d| d.versions).collect()
}

/// The device, from `Device ID 0 : NAME -----`.
fn device(heading: &[String]) -> String {
    let named = heading.iter().find_map(|l| l.strip_prefix("Device ID 0 : "));
    named.map_or_else(String::new, |n| n.trim_end_matches('-').trim().to_owned())
}

/// The function that a test is about: `_/gemm_batched.blas3/quick_...` is of `gemm_batched`, and so is
/// `hipblasGemmBatched/gemm_batched_gtest.float/3`; `hipblasBlas1/blas1_gtest.amax_batched_float_complex/7` is of
/// `amax_batched`.
fn family(test: &str) -> String {
    let (suite, test) = test.split_once('.').unwrap_or(("", test));
    if let Some(function) = suite.strip_prefix("_/") {
        return function.to_owned();
    }
    let function = without_types(test.split('/').next().unwrap_or(test));
    let of_suite = || without_types(suite.rsplit('/').next().unwrap_or(suite));
    if function.is_empty() { of_suite() } else { function }
}

/// Leaves out the words for types, and the others that name no function.
fn without_types(name: &str) -> String {
    const WORDS: [&str; 14] = [
        "float",
        "double",
        "complex",
        "half",
        "bfloat16",
        "hipblasComplex",
        "hipblasDoubleComplex",
        "gtest",
        "default",
        "standard",
        "async",
        "bad",
        "arg",
        "test",
    ];
    let words: Vec<&str> = name.split('_').filter(|w| !WORDS.contains(w)).collect();
    words.join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_functions() {
        for (test, name) in [
            ("_/gemm_batched.blas3/quick_gemm_a_type_f32_r_M_n1_F", "gemm_batched"),
            ("_/set_get_vector_async.aux/quick_a_b_C_64", "set_get_vector_async"),
            ("hipblasBlas1/blas1_gtest.amax_strided_batched_float_complex/719", "amax_strided_batched"),
            ("hipblasGemmBatched/gemm_batched_gtest.hipblasComplex/7", "gemm_batched"),
            ("quick_blas_ex_small_half/gemm_ex_gtest.standard/11", "gemm_ex"),
            ("hipblas_auxiliary_small/set_vector_get_vector_gtest.async_float/0", "set_vector_get_vector"),
            ("hipblasTrsm_matrix_size/trsm_ex_gtest.trsm_gtest_ex_double_complex/3", "trsm_ex"),
            ("hipblas_auxiliary.statusToString", "statusToString"),
        ] {
            assert_eq!(family(test), name, "{test}");
        }
    }

    #[test]
    fn the_device_is_read_from_the_heading() {
        let heading = ["hipBLAS version 3.2.0.", "Device ID 0 : anyblas cpu ------"].map(str::to_owned);
        assert_eq!(device(&heading), "anyblas cpu");
    }
}
