//! Properties from public bug reports, as sweeps over generated inputs.
//!
//! Each property of `data/properties.jsonl` has a plan here, under its id: a sweep for any backend, one that needs host
//! memory, or the reason why the library has nothing to check. [`Subject::on_host`](crate::Subject::on_host) adds those
//! that touch memory behind the backend's back.
//!
//! That outputs overlap nothing is a property that the types hold:
//!
//! ```compile_fail,E0502
//! # use blas_api::{Layout, Level3};
//! # use blas_cpu::Cpu;
//! let blas = Cpu::handle();
//! let mut a = blas.upload(&[1.0f64; 4])?;
//! let input = a.mat(2, 2, Layout::Col)?;
//! blas.gemm(1.0, input, input, 0.0, a.mat_mut(2, 2, Layout::Col)?)?;
//! # Ok::<(), blas_api::Error>(())
//! ```

mod arguments;
mod batches;
mod determinism;
#[cfg(unix)]
mod host;
mod large;
mod memory;
mod precision;
mod sweep;
mod values;

use std::fmt;
use std::sync::Arc;

use blas_api::{Any, Backend, Handle, HostMemory, RawHandle, Result};
use serde::Serialize;

pub(crate) use sweep::Open;

use crate::case::Depth;
use crate::casefile::{CaseOutcome, CaseReport, CaseResult};
use sweep::Sweep;

/// What became of a property: its checks, counted.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct PropertyResult {
    /// The property.
    pub id: String,
    /// Checks that passed.
    pub passed: usize,
    /// Checks that failed.
    pub failed: usize,
    /// Checks that could not be run.
    pub skipped: usize,
    /// Why the backend declares not to have the property, if it does and that was seen.
    pub deviation: Option<String>,
    /// The first failures in full.
    pub failures: Vec<String>,
    /// Why checks were skipped.
    pub reasons: Vec<String>,
}

impl PropertyResult {
    /// Of a property that could not be checked.
    pub(crate) fn not_checked(id: &str, why: String) -> Self {
        PropertyResult { id: id.to_owned(), failed: 1, failures: vec![why], ..PropertyResult::default() }
    }

    /// Adds further checks of the same property.
    fn absorb(&mut self, other: PropertyResult) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
        self.reasons.extend(other.reasons);
    }
}

/// The properties of a backend.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PropertyReport {
    /// One for each property.
    pub results: Vec<PropertyResult>,
}

impl PropertyReport {
    /// Whether no check failed.
    pub fn ok(&self) -> bool {
        self.results.iter().all(|r| r.failed == 0 || r.deviation.is_some())
    }

    /// As the cases of a [`Report`](crate::Report): one for each property, and one more for its skipped checks.
    pub fn cases(self) -> CaseReport {
        let mut results = Vec::new();
        for r in self.results {
            let case = |outcome| CaseResult {
                id: r.id.clone(),
                routine: String::new(),
                dtype: String::new(),
                outcome,
            };
            if let Some(why) = &r.deviation {
                results.push(case(CaseOutcome::Deviated(format!("{}: {why}", r.failures.join("; ")))));
            } else if r.failed > 0 {
                let (all, first) = (r.failed + r.passed, r.failures.join("; "));
                results.push(case(CaseOutcome::Failed(format!("{} of {all} checks: {first}", r.failed))));
            } else if r.passed > 0 {
                results.push(case(CaseOutcome::Passed));
            }
            if r.skipped > 0 {
                results.push(case(CaseOutcome::Skipped(r.reasons.join("; "))));
            }
        }
        CaseReport { results }
    }
}

/// A line a property, its failures and skips, and the totals of checks.
impl fmt::Display for PropertyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for r in &self.results {
            writeln!(f, "{}: {} passed, {} failed, {} skipped", r.id, r.passed, r.failed, r.skipped)?;
            for why in &r.failures {
                writeln!(f, "  FAILED {why}")?;
            }
            if let Some(why) = &r.deviation {
                writeln!(f, "  deviation: {why}")?;
            }
            for why in &r.reasons {
                writeln!(f, "  skipped: {why}")?;
            }
        }
        let sum = |count: fn(&PropertyResult) -> usize| self.results.iter().map(count).sum::<usize>();
        let (passed, failed, skipped) = (sum(|r| r.passed), sum(|r| r.failed), sum(|r| r.skipped));
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// How a property is checked.
pub(crate) enum Plan<B: Backend> {
    /// By a sweep for any backend.
    Any(fn(&mut Sweep<'_, B>)),
    /// By a sweep in host memory only; otherwise skipped for this reason.
    Host(&'static str),
    /// Not at all, for this reason.
    No(&'static str),
}

/// A property's id and plan.
pub(crate) type Property<B> = (&'static str, Plan<B>);

/// All properties.
pub(crate) fn plans<B: Backend>() -> Vec<Property<B>> {
    use Plan::{Any, Host, No};
    vec![
        ("alias-output-input", Any(batches::overlapping_outputs)),
        ("bf16-odd-size-bounds", Any(precision::odd_sizes_stay_in_bounds)),
        ("unaligned-buffers", Any(memory::alignment_does_not_matter)),
        ("hip-compute-type-abi", Any(precision::compute_type)),
        ("band-lda-check", Any(arguments::band_bounds)),
        (
            "negative-dims-error",
            No("sizes are unsigned here; the front of case files refuses negative ones (data/own.jsonl)"),
        ),
        ("herk-trans-invalid", Any(arguments::every_op_of_an_update_counts)),
        ("ndarray-1-col-transposed-view", Any(arguments::strides_of_single_columns)),
        ("batched-duplicate-pointers", Any(batches::outputs_do_not_repeat)),
        ("batched-alpha0-all-batches", Any(batches::alpha_zero_scales_every_entry)),
        ("batch-over-65535", Any(batches::long_batches)),
        ("wrapper-broadcast-batch-bounds", Any(batches::counts_must_agree)),
        ("gemm-batch-strided-colmajor", Any(batches::column_major_strided)),
        ("gemm-beta0-content-independent", Any(values::content_does_not_matter)),
        ("axpby-nan-contract", Any(arguments::axpby)),
        ("thread-count-bits", Any(determinism::thread_counts)),
        ("run-to-run-bitwise", Any(determinism::run_to_run)),
        ("no-spurious-fp-flags", Host("the flags are those of the host's processor")),
        ("hip-int8-packing-flag", Any(precision::integers)),
        ("gbmv-long", Any(large::long_bands)),
        ("gemv-t-long", Any(large::tall_transposed)),
        ("strided-column-over-2g", Host("takes 9 GB on a device without sparse memory")),
        ("trsm-large-ldb", Host("takes 6 GB on a device without sparse memory")),
        ("work-estimate-overflow", Any(arguments::work_is_counted_wide)),
        ("sbgemm-beta1-f32-c", Any(precision::f32_output_is_read_as_f32)),
        ("f16-output-overflow", Any(precision::only_the_store_overflows)),
        ("nrm2-f16-range", Any(precision::norms_of_halves)),
        ("alpha-not-narrowed", Any(precision::coefficients_stay_wide)),
        ("f16-no-intermediate-overflow", Any(precision::sums_stay_wide)),
        ("result-independent-of-earlier-nan", Any(values::earlier_nan_leaves_nothing)),
        ("rocblas-style-tree-argmax-nan", Any(values::first_nan_is_found)),
        ("vector-gap-elements", Any(memory::gaps_stay)),
        ("rotmg-inf-terminates", Any(values::rotmg_ends)),
        ("gemv-tall-f-order", Any(values::tall_gemv)),
        ("gemm-odd-k-f16", Any(precision::odd_k)),
        ("trsv-toeplitz-lower", Any(values::toeplitz_solves)),
        ("zgemv-17x32-scratch", Any(values::odd_gemv_with_padding)),
        ("dtrmv-small-sweep", Any(values::small_triangles)),
        ("concurrent-callers-private-data", Any(determinism::private_data)),
        ("concurrent-mixed-level3", Any(determinism::mixed_level3)),
        ("nested-in-worker", Any(determinism::nested)),
        ("opposite-triangle-bitwise", Any(memory::other_triangle_stays)),
    ]
}

/// A property and its sweep in host memory.
type HostPlan<B> = (&'static str, fn(&mut Sweep<'_, B>));

/// Sweeps in host memory, of properties that have no other or beside it.
#[cfg(unix)]
fn host_plans<B: HostMemory>() -> Vec<HostPlan<B>> {
    vec![
        ("bf16-odd-size-bounds", host::guard_pages),
        ("zgemv-17x32-scratch", host::guarded_gemv),
        ("no-spurious-fp-flags", host::no_flags),
        ("strided-column-over-2g", host::distant_elements),
        ("trsm-large-ldb", host::wide_strides),
    ]
}

#[cfg(not(unix))]
fn host_plans<B: HostMemory>() -> Vec<HostPlan<B>> {
    Vec::new()
}

/// The checks of a property that need host memory, if it has any.
pub(crate) type HostChecks = Arc<dyn Fn(&'static str, Depth) -> Option<PropertyResult> + Send + Sync>;

/// Those of a backend, which opens a handle for each property.
pub(crate) fn host_checks<B: HostMemory>(
    open: impl Fn() -> Result<Handle<B>> + Send + Sync + 'static,
) -> HostChecks {
    Arc::new(move |id, depth| {
        let (_, check) = host_plans::<B>().into_iter().find(|h| h.0 == id)?;
        Some(match open() {
            Ok(handle) => {
                let mut sweep = Sweep::new(id, &handle, None, depth);
                check(&mut sweep);
                sweep.result
            }
            Err(e) => PropertyResult::not_checked(id, e.to_string()),
        })
    })
}

/// Checks all properties on a handle.
pub(crate) fn run(
    handle: &Handle<Any>,
    open: Option<&Open<Any>>,
    depth: Depth,
    host: Option<&HostChecks>,
) -> PropertyReport {
    let results = plans().into_iter().map(|property| check(handle, open, depth, host, property));
    PropertyReport { results: results.collect() }
}

/// Checks a property. One that needs more handles, or a call that may be given up, takes them from `open`; a backend that
/// touches a guard page of the `host` checks ends the process.
pub(crate) fn check(
    handle: &Handle<Any>,
    open: Option<&Open<Any>>,
    depth: Depth,
    host: Option<&HostChecks>,
    (id, plan): Property<Any>,
) -> PropertyResult {
    let mut sweep = Sweep::new(id, handle, open, depth);
    let on_host = host.and_then(|check| check(id, depth));
    match (plan, &on_host) {
        (Plan::Any(f), _) => f(&mut sweep),
        (Plan::Host(why), None) | (Plan::No(why), _) => sweep.skip(why.to_owned()),
        (Plan::Host(_), Some(_)) => {}
    }
    if let Some(result) = on_host {
        sweep.result.absorb(result);
    }
    // A deviation is declared under the property's id, of any routine, and must still be seen.
    if let Some(d) = handle.raw().deviations().iter().find(|d| d.rule == id) {
        if sweep.result.failed > 0 {
            sweep.result.deviation = Some(d.reason.to_owned());
        } else if sweep.result.passed > 0 {
            sweep.fail(format!("all checks passed, but deviations() says: {}", d.reason));
        }
    }
    sweep.result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use blas_cpu::Cpu;

    #[test]
    fn every_property_has_a_plan() {
        let text = include_str!("../../data/properties.jsonl");
        let ids: Vec<String> = text
            .lines()
            .map(|line| {
                serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
            })
            .collect();
        let plans = plans::<Cpu>();
        for id in &ids {
            assert!(plans.iter().any(|p| p.0 == id), "{id} has no plan");
        }
        for (id, _) in &plans {
            assert_eq!(ids.iter().filter(|i| i == id).count(), 1, "{id} is no property");
        }
        for (id, _) in host_plans::<Cpu>() {
            assert!(plans.iter().any(|p| p.0 == id), "{id} is no property");
        }
    }

    #[test]
    fn the_cpu_has_all_properties() {
        let subject = Subject::on_host(|| Ok(Cpu::handle()));
        let report = run(&Cpu::handle().erase(), Some(&subject.open), Depth::Quick, subject.host.as_ref());
        assert!(report.ok(), "{report}");
        for r in &report.results {
            let skipped = r.id == "negative-dims-error" || (cfg!(not(unix)) && r.passed == 0);
            assert!(r.passed > 0 || skipped, "{} checked nothing\n{report}", r.id);
        }
    }

    #[test]
    fn failures_are_counted_and_shown() {
        let handle = Cpu::handle();
        let mut sweep = Sweep::new("t", &handle, None, Depth::Quick);
        sweep.check("one", |_, _| Ok(()));
        sweep.check("two", |_, _| sweep::ensure(false, || "got 1, want 2".to_owned()));
        sweep.check("three", |_, _| panic!("no more"));
        sweep.check("four", |_, _| Err(blas_api::Error::NotAvailable { what: "f", backend: "b" }.into()));
        sweep.check_in_time("five", 1, |_| Ok(()));
        let report = PropertyReport { results: vec![sweep.result] };
        assert!(!report.ok());
        let text = report.to_string();
        assert!(
            text.starts_with("t: 1 passed, 2 failed, 2 skipped\n  FAILED two: got 1, want 2\n"),
            "{text}"
        );
        let cases = report.cases();
        assert_eq!((cases.passed(), cases.failed(), cases.skipped()), (0, 1, 1));
    }

    #[test]
    fn calls_that_hang_are_given_up() {
        let (handle, open): (_, Open<Cpu>) = (Cpu::handle(), Arc::new(|| Ok(Cpu::handle())));
        let mut sweep = Sweep::new("t", &handle, Some(&open), Depth::Quick);
        sweep.check_in_time("hangs", 1, |_| {
            std::thread::sleep(std::time::Duration::from_secs(4));
            Ok(())
        });
        assert_eq!(sweep.result.failures, ["hangs: not done after 1 s"]);
    }
}
