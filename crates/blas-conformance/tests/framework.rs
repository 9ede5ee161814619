//! The framework against a naive axpy, and against the same one with a fault: it must pass the first and catch every
//! one of the others.

use blas_api::*;
use blas_conformance::{Options, Subject};
use blas_cpu::Cpu;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mutant {
    None,
    /// Multiplies where alpha is 0.
    ReadsUnreadX,
    /// Walks forwards where the increment is negative.
    IgnoresSign,
    /// Forgets the last element.
    DropsLast,
    /// Writes one element too many.
    WritesBeyond,
    /// Takes a device coefficient for 1.
    IgnoresDeviceAlpha,
    /// Solves the first problem of a batch only.
    FirstEntryOnly,
    /// Loses half of the digits.
    Sloppy,
    /// Panics on an odd length.
    Panics,
    /// Claims to support what it does not.
    Unsupported,
}

struct Naive(Mutant);

// SAFETY: performs axpy on host memory as described (or wrongly on purpose, within the guard zones of the suite).
unsafe impl Layer for Naive {
    unsafe fn call<R: RawHandle>(&self, inner: &R, call: Call<'_>) -> Result {
        let Call::Axpy(d) = call else {
            // SAFETY: the caller's promise.
            return unsafe { call.run(inner) };
        };
        if self.0 == Mutant::Unsupported {
            let (routine, types) = ("axpy", Types::One(d.dtype));
            return Err(Error::Unsupported { routine, types, backend: "naive", why: "a test" });
        }
        // SAFETY: the caller's promise.
        with_dtype!(d.dtype, T in S => unsafe { axpy::<T>(d, self.0) }, else ());
        Ok(())
    }
}

/// # Safety
/// As for the raw interface.
unsafe fn axpy<T: Scalar>(d: &AxpyDesc, mutant: Mutant) {
    let alpha = match d.alpha {
        RawScalar::Host(parts) => T::Coef::from_parts(parts),
        RawScalar::Device(_) if mutant == Mutant::IgnoresDeviceAlpha => T::Coef::from_parts([1.0, 0.0]),
        // SAFETY: a value of the coefficient type.
        RawScalar::Device(p) => unsafe { *p.cast::<T::Coef>() },
    };
    let zero = T::Coef::default();
    if alpha == zero && mutant != Mutant::ReadsUnreadX {
        return;
    }
    assert!(mutant != Mutant::Panics || d.n.is_multiple_of(2), "odd length");
    let at = |v: Vector, e: usize, i: usize| {
        let forwards = v.inc >= 0 || mutant == Mutant::IgnoresSign;
        let i = if forwards { i } else { d.n - 1 - i };
        // SAFETY: an element of the operand.
        unsafe { v.data.entry(e, size_of::<T>()).cast::<T>().add(i * v.inc.unsigned_abs()) }
    };
    let batch = if mutant == Mutant::FirstEntryOnly { 1 } else { d.batch };
    let n = match mutant {
        Mutant::DropsLast => d.n - 1,
        Mutant::WritesBeyond => d.n + usize::from(d.y.inc > 0),
        _ => d.n,
    };
    for e in 0..batch {
        for i in 0..n {
            let (x, y) = (at(d.x, e, i), at(d.y, e, i));
            // SAFETY: elements of the operands, or of the guard zone behind them.
            let (xi, yi) = unsafe { ((*x).to_coef(), (*y).to_coef()) };
            let mut sum = alpha * xi + yi;
            if mutant == Mutant::Sloppy {
                let [re, im] = sum.parts();
                sum = T::Coef::from_parts([f64::from(f16::from_f64(re)), f64::from(f16::from_f64(im))]);
            }
            // SAFETY: as above.
            unsafe { *y = T::from_coef(sum) };
        }
    }
}

fn run(mutant: Mutant, options: &Options) -> blas_conformance::Report {
    let subject = Subject::new(move || Ok(Cpu::handle().layered(Naive(mutant))));
    blas_conformance::run(&subject, options).expect("the CPU opens")
}

fn report(mutant: Mutant) -> blas_conformance::Report {
    let mut options = Options::quick();
    options.routines = vec![Routine::Axpy];
    run(mutant, &options)
}

#[test]
fn passes_what_is_right() {
    let report = report(Mutant::None);
    assert!(report.ok(), "{report}");
    assert!(report.totals.passed > 300, "{report}");
    assert_eq!(report.totals.skipped, 0);
    assert!(report.json().is_ok_and(|j| j.contains("\"failed\": 0")));
}

#[test]
fn catches_what_is_wrong() {
    for (mutant, check) in [
        (Mutant::ReadsUnreadX, "alpha0"),
        (Mutant::IgnoresSign, "accuracy"),
        (Mutant::DropsLast, "exact"),
        (Mutant::WritesBeyond, "untouched"),
        (Mutant::IgnoresDeviceAlpha, "accuracy"),
        (Mutant::FirstEntryOnly, "accuracy"),
        (Mutant::Sloppy, "accuracy"),
        (Mutant::Panics, "accuracy"),
        (Mutant::Unsupported, "accuracy"),
    ] {
        let report = report(mutant);
        assert!(report.failures().any(|f| f.check == check), "{mutant:?}\n{report}");
        assert!(report.junit().contains("<failure"));
    }
}

#[test]
fn a_case_runs_again_by_its_id() {
    let first = report(Mutant::DropsLast);
    let failure = first.failures().next().cloned();
    let Some(failure) = failure else { panic!("{first}") };
    let mut options = Options::quick();
    options.case = Some(failure.id.clone());
    let again = run(Mutant::DropsLast, &options);
    assert_eq!((again.totals.passed, again.totals.failed), (0, 1), "{again}");
    let same = again.failures().next().map(|f| (f.parameters.clone(), f.got.clone()));
    assert_eq!(same, Some((failure.parameters, failure.got)));
}

/// Does not come back from scal of f64.
struct Hangs;

// SAFETY: runs the call, or nothing.
unsafe impl Layer for Hangs {
    unsafe fn call<R: RawHandle>(&self, inner: &R, call: Call<'_>) -> Result {
        if let Call::Scal(ScalDesc { dtype: DType::F64, .. }) = call {
            loop {
                std::thread::park();
            }
        }
        // SAFETY: the caller's promise.
        unsafe { call.run(inner) }
    }
}

#[test]
fn a_cell_that_does_not_end_has_failed_and_the_next_ones_run() {
    let mut options = Options::quick();
    options.routines = vec![Routine::Scal];
    options.dtypes = vec![DType::F32, DType::F64, DType::C32];
    options.limit = std::time::Duration::from_secs(5);
    let report = blas_conformance::run(&Subject::new(|| Ok(Cpu::handle().layered(Hangs))), &options);
    let report = report.expect("the processor is there");
    let cells: Vec<_> = report.cells.iter().map(|c| (c.types.as_str(), c.failed, c.passed > 0)).collect();
    assert_eq!(cells, [("f32", 0, true), ("f64", 1, false), ("c32", 0, true)]);
    assert!(!report.ok() && report.to_string().contains("no end within 5s"), "{report}");
}
