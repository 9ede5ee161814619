//! Layers that watch the calls of a handle: [`Observe`], and `Traced` with the feature `tracing`.

use std::time::{Duration, Instant};

use crate::*;

/// A routine call that has returned, as [`Observe`] reports it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Observed<'a> {
    /// The call: its routine, types, batch count and flops.
    pub call: Call<'a>,
    /// Time on the host's clock: of the computation where calls are complete when they return or the layer
    /// [waits](Observe::waiting), else of enqueuing it.
    pub elapsed: Duration,
    /// What the backend answered.
    pub result: &'a Result,
}

/// A [`Layer`] that tells a closure about each call that reaches the backend. Calls that fail their checks, or have
/// nothing to do, do not.
///
/// ```
/// # use std::sync::{Arc, Mutex};
/// # use blas_api::{Level1, Observe, Observed, VecMut, VecRef};
/// # use blas_cpu::Cpu;
/// let total = Arc::new(Mutex::new(0.0));
/// let sum = total.clone();
/// let blas = Cpu::handle().layered(Observe::new(move |o: &Observed<'_>| {
///     *sum.lock().unwrap() += o.call.flops();
/// }));
/// let mut y = [1.0f32; 4];
/// blas.axpy(2.0, VecRef::from_slice(&[3.0; 4]), VecMut::from_slice(&mut y))?;
/// assert_eq!(*total.lock().unwrap(), 8.0);
/// # Ok::<(), blas_api::Error>(())
/// ```
///
/// The layer is part of the handle's type, and of the type of its buffers. Where that is in the way,
/// [`erase`](Handle::erase) the layered handle; a handle that is erased already may be layered and erased again, and
/// keeps its buffers.
#[derive(Clone, Debug)]
pub struct Observe<F> {
    report: F,
    wait: bool,
}

impl<F: Fn(&Observed<'_>) + Send> Observe<F> {
    /// Reports each call as it returns.
    pub fn new(report: F) -> Self {
        Observe { report, wait: false }
    }

    /// Waits for the device after each call, so that [`elapsed`](Observed::elapsed) is the time that the call took
    /// to run on any backend. Calls cannot overlap then, nor be captured into a graph.
    pub fn waiting(report: F) -> Self {
        Observe { report, wait: true }
    }
}

// SAFETY: the call is run as it is.
unsafe impl<F: Fn(&Observed<'_>) + Send> Layer for Observe<F> {
    unsafe fn call<R: RawHandle>(&self, inner: &R, call: Call<'_>) -> Result {
        let start = Instant::now();
        // SAFETY: the caller's promise.
        let mut result = unsafe { call.run(inner) };
        if self.wait {
            result = result.and_then(|()| inner.sync());
        }
        (self.report)(&Observed { call, elapsed: start.elapsed(), result: &result });
        result
    }
}

/// A [`Layer`] that runs each call in a [`tracing`] span of level debug, target `anyblas`, named `call`, with the fields
/// `routine`, `types`, `batch` and `flops`. An event at its end has the time on the host's clock, `elapsed_us`, or, at
/// level warn, the `error`.
///
/// ```
/// # use blas_api::{Level1, Traced, VecMut};
/// # use blas_cpu::Cpu;
/// let blas = Cpu::handle().layered(Traced);
/// blas.scal(2.0, VecMut::from_slice(&mut [1.0f32]))?; // DEBUG call{routine=scal types=f32 batch=1 flops=1.0}
/// # Ok::<(), blas_api::Error>(())
/// ```
#[cfg(feature = "tracing")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Traced;

// SAFETY: the call is run as it is.
#[cfg(feature = "tracing")]
unsafe impl Layer for Traced {
    unsafe fn call<R: RawHandle>(&self, inner: &R, call: Call<'_>) -> Result {
        let span = tracing::debug_span!(
            target: "anyblas",
            "call",
            routine = call.routine().name(),
            types = %call.types(),
            batch = call.batch(),
            flops = call.flops(),
        );
        let _entered = span.enter();
        let start = Instant::now();
        // SAFETY: the caller's promise.
        let result = unsafe { call.run(inner) };
        match &result {
            Ok(()) => {
                tracing::debug!(target: "anyblas", elapsed_us = start.elapsed().as_secs_f64() * 1e6, "done");
            }
            Err(error) => tracing::warn!(target: "anyblas", %error, "failed"),
        }
        result
    }
}
