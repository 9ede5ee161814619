//! A backend that writes descriptors down in place of computing, and a generator of arguments.
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::{Arc, Mutex};

use blas_api::*;
use blas_cpu::Cpu;

macro_rules! recorded { ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
    /// A call that has reached the backend.
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum Recorded {
        $($variant($desc),)*
    }

    impl Recorded {
        fn of(call: Call<'_>) -> Self {
            match call {
                $(Call::$variant(d) => Recorded::$variant(*d),)*
                _ => unreachable!("a routine that is not in the list"),
            }
        }

        pub(crate) fn routine(&self) -> Routine {
            match self { $(Recorded::$variant(_) => Routine::$variant,)* }
        }
    }
}}
for_each_routine!(recorded);

// SAFETY: what the pointers lead to is never touched.
unsafe impl Send for Recorded {}

/// The layer that records.
pub(crate) struct Recorder(Arc<Mutex<Vec<Recorded>>>);

// SAFETY: touches no memory.
unsafe impl Layer for Recorder {
    unsafe fn call<R: RawHandle>(&self, _inner: &R, call: Call<'_>) -> Result {
        assert!(!call.is_noop(), "{call:?} has nothing to do");
        self.0.lock().unwrap().push(Recorded::of(call));
        Ok(())
    }
}

pub(crate) type MockBackend = WithLayer<Cpu, Recorder>;

/// A handle that records.
pub(crate) struct Mock {
    handle: Handle<MockBackend>,
    log: Arc<Mutex<Vec<Recorded>>>,
}

impl AsHandle<MockBackend> for Mock {
    fn as_handle(&self) -> &Handle<MockBackend> {
        &self.handle
    }
}

impl Mock {
    pub(crate) fn new() -> Self {
        let log = Arc::default();
        Mock { handle: Cpu::handle().layered(Recorder(Arc::clone(&log))), log }
    }

    /// What has been recorded since the last time.
    pub(crate) fn take(&self) -> Vec<Recorded> {
        std::mem::take(&mut *self.log.lock().unwrap())
    }

    /// The one call that has been recorded.
    pub(crate) fn only(&self) -> Recorded {
        let calls = self.take();
        assert_eq!(calls.len(), 1, "{calls:?}");
        calls[0]
    }
}

/// A splitmix generator: the same arguments in each run.
pub(crate) struct Gen(pub(crate) u64);

impl Gen {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Mostly `usual`, at times a size that something must be done about.
    pub(crate) fn size(&mut self, usual: usize) -> usize {
        const ODD: [usize; 8] = [0, 1, 2, 7, 1 << 32, isize::MAX as usize, 1 << 63, usize::MAX];
        if self.below(16) == 0 { self.pick(&ODD) } else { usual }
    }

    /// The same for strides.
    pub(crate) fn stride(&mut self, usual: isize) -> isize {
        const ODD: [isize; 8] = [0, 1, -1, 2, -3, 1 << 40, isize::MIN, isize::MAX];
        if self.below(12) == 0 { self.pick(&ODD) } else { usual }
    }

    pub(crate) fn layout(&mut self) -> Layout {
        self.pick(&[Layout::Col, Layout::Row])
    }

    pub(crate) fn uplo(&mut self) -> Uplo {
        self.pick(&[Uplo::Lower, Uplo::Upper])
    }

    pub(crate) fn diag(&mut self) -> Diag {
        self.pick(&[Diag::NonUnit, Diag::Unit])
    }

    pub(crate) fn side(&mut self) -> Side {
        self.pick(&[Side::Left, Side::Right])
    }
}
