//! What a property is checked with: counts, operands, watchdog.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use blas_api::*;

use crate::case::Depth;
use crate::num::{Num, Z};
use crate::rng::{Rng, mix};

use super::PropertyResult;

/// Opens one more handle on the device under test.
pub(crate) type Open<B> = Arc<dyn Fn() -> Result<Handle<B>> + Send + Sync>;

/// Why a check did not pass.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Trouble {
    /// What was found and what was wanted.
    Wrong(String),
    /// The host does not have what the check needs.
    Absent(String),
    /// The backend does not have a routine, or a facility.
    Lacking(Error),
}

impl From<Error> for Trouble {
    fn from(e: Error) -> Self {
        match e {
            Error::Unsupported { .. } | Error::NotAvailable { .. } => Trouble::Lacking(e),
            e => Trouble::Wrong(e.to_string()),
        }
    }
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Trouble::Wrong(why)
    }
}

/// The result of one check.
pub(super) type Check = std::result::Result<(), Trouble>;

/// The checks of one property on one backend.
pub(crate) struct Sweep<'s, B: Backend> {
    pub(super) handle: &'s Handle<B>,
    /// Makes further handles, where the caller can.
    pub(super) open: Option<&'s Open<B>>,
    pub(super) depth: Depth,
    pub(super) rng: Rng,
    pub(super) result: PropertyResult,
}

impl<'s, B: Backend> Sweep<'s, B> {
    pub(super) fn new(
        id: &'static str,
        handle: &'s Handle<B>,
        open: Option<&'s Open<B>>,
        depth: Depth,
    ) -> Self {
        let result = PropertyResult { id: id.to_owned(), ..PropertyResult::default() };
        Sweep { handle, open, depth, rng: Rng::new(mix(0, id)), result }
    }

    pub(super) fn full(&self) -> bool {
        self.depth == Depth::Full
    }

    /// Runs a check and counts it. A panic fails this check alone.
    pub(super) fn check(&mut self, name: impl AsRef<str>, body: impl FnOnce(&Handle<B>, &mut Rng) -> Check) {
        let outcome = catch_unwind(AssertUnwindSafe(|| body(self.handle, &mut self.rng)));
        match outcome.unwrap_or_else(|_| Err(Trouble::Wrong("the backend panicked".to_owned()))) {
            Ok(()) => self.result.passed += 1,
            Err(Trouble::Wrong(why)) => self.fail(format!("{}: {why}", name.as_ref())),
            Err(Trouble::Lacking(e)) if self.claims(&e) => {
                self.fail(format!("{}: the backend claims to have it, but: {e}", name.as_ref()));
            }
            Err(Trouble::Lacking(e)) => self.skip(e.to_string()),
            Err(Trouble::Absent(why)) => self.skip(why),
        }
    }

    /// Whether an error denies what the backend's support table promises.
    fn claims(&self, e: &Error) -> bool {
        let Error::Unsupported { routine, types, .. } = e else { return false };
        let claimed = |r: Routine| self.handle.supports_types(r, *types) == Support::Yes;
        routine.parse().is_ok_and(claimed)
    }

    /// Counts a check that failed.
    pub(super) fn fail(&mut self, why: String) {
        self.result.failed += 1;
        if self.result.failures.len() < MOST_FAILURES {
            self.result.failures.push(why);
        }
    }

    /// Counts a check that is not run.
    pub(super) fn skip(&mut self, why: String) {
        self.result.skipped += 1;
        if !self.result.reasons.contains(&why) && self.result.reasons.len() < MOST_FAILURES {
            self.result.reasons.push(why);
        }
    }

    /// As [`check`](Self::check), on a thread of its own that must be done in time; one that is not is left behind.
    pub(super) fn check_in_time(
        &mut self,
        name: &str,
        seconds: u64,
        body: impl FnOnce(&Open<B>) -> Check + Send + 'static,
    ) {
        let Some(open) = self.open.cloned() else {
            return self.skip("needs a handle on another thread".to_owned());
        };
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| body(&open)));
            // Nobody listens after the time is over.
            let _ = send.send(outcome.unwrap_or_else(|_| Err(Trouble::Wrong("panicked".to_owned()))));
        });
        let outcome = receive.recv_timeout(Duration::from_secs(seconds));
        self.check(name, |_, _| {
            outcome.unwrap_or_else(|_| Err(format!("not done after {seconds} s").into()))
        });
    }
}

/// Failures and reasons kept in full for each property; all are counted.
const MOST_FAILURES: usize = 5;

/// Integers from -most to most, in both parts of complex types.
pub(super) fn ints<T: Num>(rng: &mut Rng, len: usize, most: usize) -> Vec<T> {
    let mut draw = || rng.below(2 * most + 1) as f64 - most as f64;
    (0..len).map(|_| T::from_z(Z::new(draw(), draw()))).collect()
}

/// A real number as an element.
pub(super) fn num<T: Num>(v: f64) -> T {
    T::from_z(Z::new(v, 0.0))
}

/// Checks that a condition holds.
pub(super) fn ensure(yes: bool, why: impl FnOnce() -> String) -> Check {
    if yes { Ok(()) } else { Err(Trouble::Wrong(why())) }
}

/// Checks that a call was refused, by an argument's typed error.
pub(super) fn refused<V>(result: Result<V>, what: &str) -> Check {
    match result {
        Err(e @ (Error::Unsupported { .. } | Error::Device { .. })) => Err(e.into()),
        Err(_) => Ok(()),
        Ok(_) => Err(format!("{what} was not refused").into()),
    }
}

/// Checks that elements have given values.
pub(super) fn same<T: Num>(got: &[T], want: &[Z]) -> Check {
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        ensure(T::from_z(*w) == *g, || format!("element {i}: got {g:?}, want {w:?}"))?;
    }
    ensure(got.len() == want.len(), || format!("got {} elements, want {}", got.len(), want.len()))
}

/// Checks that elements have the same bits.
pub(super) fn same_bits<T: Num>(got: &[T], want: &[T]) -> Check {
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        ensure(g.bits() == w.bits(), || format!("element {i}: got the bits of {g:?}, want those of {w:?}"))?;
    }
    ensure(got.len() == want.len(), || format!("got {} elements, want {}", got.len(), want.len()))
}

/// A * B by a triple loop, column-major, of column-major arrays without padding.
pub(super) fn product<T: Num>(m: usize, n: usize, k: usize, a: &[T], b: &[T]) -> Vec<Z> {
    let mut c = vec![Z::new(0.0, 0.0); m * n];
    for j in 0..n {
        for p in 0..k {
            for i in 0..m {
                c[i + j * m] += a[i + p * m].z() * b[p + j * k].z();
            }
        }
    }
    c
}

/// Runs a generic function of the sweep for each of some types.
macro_rules! each {
    ($sweep:expr, $f:ident: $($t:ty),+) => { $($f::<$t, B>($sweep);)+ };
}
pub(super) use each;
