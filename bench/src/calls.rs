//! Calls that solve a problem again and again, and how long they take.

use std::time::{Duration, Instant};

use blas_api::{Complex, Handle, Scalar, bf16, f16};
use blas_cpu::Cpu;

use crate::cblas::Cblas;
use crate::library::Library;
use crate::operands::{Operands, Owner};
use crate::protocol::{Dtype, Problem};
use crate::{anyblas, crates};

/// A call with all its arguments.
pub(crate) type Call = Box<dyn FnMut()>;

/// Time that calls of one sample take together, unless one alone takes longer.
const SAMPLE: Duration = Duration::from_millis(4);
/// Time of the calls before them, so that caches, clocks and threads are as in a longer run.
const WARM_UP: Duration = Duration::from_micros(400);

/// An element type: the calls that each library has for it.
pub(crate) trait Kind: Scalar {
    /// # Safety
    /// As for [`Library::call`], here and below.
    unsafe fn anyblas(handle: &Handle<Cpu>, o: &Operands<Self>) -> Option<Call>;
    unsafe fn cblas(library: &Cblas, o: &Operands<Self>) -> Option<Call>;
    unsafe fn matrixmultiply(o: &Operands<Self>) -> Option<Call>;
    unsafe fn gemm(o: &Operands<Self>) -> Option<Call>;
    unsafe fn faer(o: &Operands<Self>) -> Option<Call>;
}

macro_rules! kinds { ($($t:ty: $anyblas:ident, $cblas:expr, $matrixmultiply:expr, $gemm:expr, $faer:expr;)*) => {$(
    impl Kind for $t {
        unsafe fn anyblas(handle: &Handle<Cpu>, o: &Operands<Self>) -> Option<Call> {
            // SAFETY: the caller's promise.
            unsafe { anyblas::$anyblas(handle, o) }
        }
        unsafe fn cblas(library: &Cblas, o: &Operands<Self>) -> Option<Call> {
            let call: unsafe fn(&Cblas, &Operands<Self>) -> Option<Call> = $cblas;
            // SAFETY: the caller's promise.
            unsafe { call(library, o) }
        }
        unsafe fn matrixmultiply(o: &Operands<Self>) -> Option<Call> {
            let call: unsafe fn(&Operands<Self>) -> Option<Call> = $matrixmultiply;
            // SAFETY: the caller's promise.
            unsafe { call(o) }
        }
        unsafe fn gemm(o: &Operands<Self>) -> Option<Call> {
            let call: unsafe fn(&Operands<Self>) -> Option<Call> = $gemm;
            // SAFETY: the caller's promise.
            unsafe { call(o) }
        }
        unsafe fn faer(o: &Operands<Self>) -> Option<Call> {
            let call: unsafe fn(&Operands<Self>) -> Option<Call> = $faer;
            // SAFETY: the caller's promise.
            unsafe { call(o) }
        }
    }
)*}}
kinds! {
    f32: all, Cblas::call, crates::matrixmultiply::f32, crates::gemm, crates::faer;
    f64: all, Cblas::call, crates::matrixmultiply::f64, crates::gemm, crates::faer;
    Complex<f32>: all, Cblas::call, crates::matrixmultiply::c32, crates::gemm, crates::faer;
    Complex<f64>: all, Cblas::call, crates::matrixmultiply::c64, crates::gemm, crates::faer;
    f16: products, |_, _| None, |_| None, crates::gemm, |_| None;
    bf16: products, |_, _| None, |_| None, |_| None, |_| None;
}

/// A problem with its operands, and the calls of the libraries that can solve it.
pub(crate) struct Prepared {
    /// Calls, and how many make a sample.
    calls: Vec<Option<(Call, u32)>>,
    /// What the calls point to; dropped after them.
    _operands: Box<dyn std::any::Any>,
}

impl Prepared {
    pub(crate) fn new(problem: Problem, libraries: &[Library]) -> Self {
        match problem.dtype {
            Dtype::F32 => Self::of::<f32>(problem, libraries),
            Dtype::F64 => Self::of::<f64>(problem, libraries),
            Dtype::C32 => Self::of::<Complex<f32>>(problem, libraries),
            Dtype::C64 => Self::of::<Complex<f64>>(problem, libraries),
            Dtype::F16 => Self::of::<f16>(problem, libraries),
            Dtype::Bf16 => Self::of::<bf16>(problem, libraries),
        }
    }

    fn of<T: Kind>(problem: Problem, libraries: &[Library]) -> Self {
        let (owner, operands) = Owner::<T>::new(problem);
        let calls = libraries.iter().map(|library| {
            // SAFETY: the owner is kept beside the calls, which run one at a time.
            let mut call = unsafe { library.call(&operands) }?;
            let number = calls_in(&mut call, SAMPLE);
            Some((call, number))
        });
        Prepared { calls: calls.collect(), _operands: Box::new(owner) }
    }

    /// Indices of the libraries that can solve the problem.
    pub(crate) fn libraries(&self) -> Vec<usize> {
        (0..self.calls.len()).filter(|&i| self.calls[i].is_some()).collect()
    }

    /// Seconds a call of a library.
    pub(crate) fn sample(&mut self, library: usize) -> Option<f64> {
        let (call, number) = self.calls.get_mut(library)?.as_mut()?;
        if *number > 1 {
            let start = Instant::now();
            while start.elapsed() < WARM_UP {
                call();
            }
        }
        let start = Instant::now();
        for _ in 0..*number {
            call();
        }
        Some(start.elapsed().as_secs_f64() / f64::from(*number))
    }
}

/// How many calls take about a given time; at least one.
fn calls_in(call: &mut Call, time: Duration) -> u32 {
    // The first one may load kernels, make threads and touch new memory.
    call();
    let start = Instant::now();
    let mut number = 0;
    while number == 0 || start.elapsed() < time {
        call();
        number += 1;
    }
    number
}
