//! The layers that watch calls.

use std::sync::{Arc, Mutex};

use blas_api::*;
use blas_cpu::Cpu;

/// Takes each call for done, or fails it.
struct Answer(Result);

// SAFETY: touches no memory.
unsafe impl Layer for Answer {
    unsafe fn call<R: RawHandle>(&self, _inner: &R, _call: Call<'_>) -> Result {
        self.0.clone()
    }
}

type Log = Arc<Mutex<Vec<(Routine, Types, usize, f64, Result)>>>;

fn observe(wait: bool) -> (Observe<impl Fn(&Observed<'_>) + Send>, Log) {
    let log = Log::default();
    let sink = log.clone();
    let report = move |o: &Observed<'_>| {
        let call = (o.call.routine(), o.call.types(), o.call.batch(), o.call.flops(), o.result.clone());
        sink.lock().unwrap().push(call);
    };
    (if wait { Observe::waiting(report) } else { Observe::new(report) }, log)
}

#[test]
fn each_call_that_reaches_the_backend_is_reported_once() -> Result {
    let (layer, log) = observe(false);
    let blas = Cpu::handle().layered(Answer(Ok(()))).layered(layer);
    let (a, mut c) = ([Complex::new(1.0f64, 0.0); 24], [Complex::new(0.0, 0.0); 12]);
    let a = SliceRef::from(&a[..]);
    let (b, a) = (a.mat(4, 3, Layout::Row)?.broadcast(2), a.mat(2, 4, Layout::Col)?.batch(8, 2)?);
    let mut c = MatMut::from_slice(&mut c, 2, 3, Layout::Col)?;
    blas.gemm(1.0, a.clone(), b.clone(), 0.0, c.rb_mut().batch(6, 2)?)?;
    // A bad argument and an empty call do not get so far.
    assert!(blas.gemm(1.0, a, b, 0.0, c.rb_mut()).is_err());
    blas.swap(VecMut::<f32, _>::from_slice(&mut []), VecMut::from_slice(&mut []))?;

    let flops = 2.0 * (2.0 * 3.0 * 4.0) * 8.0;
    assert_eq!(*log.lock().unwrap(), [(Routine::Gemm, Types::One(DType::C64), 2, flops, Ok(()))]);
    Ok(())
}

#[test]
fn an_error_is_reported_and_returned() {
    let failure = Error::NotAvailable { what: "anything", backend: "cpu" };
    let (layer, log) = observe(false);
    let blas = Cpu::handle().layered(Answer(Err(failure.clone()))).layered(layer);
    let mut x = [1.0f32; 3];
    assert_eq!(blas.scal(2.0, VecMut::from_slice(&mut x)), Err(failure.clone()));
    assert_eq!(*log.lock().unwrap(), [(Routine::Scal, Types::One(DType::F32), 1, 3.0, Err(failure))]);
}

#[test]
fn an_erased_handle_is_layered_and_keeps_its_buffers() -> Result {
    let any = Cpu::handle().layered(Answer(Ok(()))).erase();
    let mut x = any.upload(&[1.0f32, 2.0])?;
    let (layer, log) = observe(false);
    let any = any.layered(layer).erase();
    any.scal(2.0, x.vec_mut())?;
    assert_eq!(log.lock().unwrap().len(), 1);
    Ok(())
}

/// A device whose calls are enqueued, and found to have failed when they are waited for.
struct Late;

const LATE: Error = Error::NotAvailable { what: "the end of the work", backend: "late" };

impl Backend for Late {
    type Raw = Late;
    const NAME: &'static str = "late";
}

// SAFETY: touches no memory, and has none.
unsafe impl RawHandle for Late {
    fn device(&self) -> DeviceId {
        DeviceId { backend: Late::NAME, index: 0 }
    }
    fn sync(&self) -> Result {
        Err(LATE)
    }
    fn policy(&self) -> Policy {
        Policy::default()
    }
    fn set_policy(&self, _: Policy) -> Result {
        Err(LATE)
    }
    fn supports(&self, _: Routine, _: Types) -> Support {
        Support::Yes
    }
    fn alloc(&self, _: usize) -> Result<Box<dyn RawMemory>> {
        Err(LATE)
    }
    unsafe fn upload(&self, _: *const u8, _: *mut u8, _: usize) -> Result {
        Err(LATE)
    }
    unsafe fn download(&self, _: *const u8, _: *mut u8, _: usize) -> Result {
        Err(LATE)
    }
    unsafe fn copy_device(&self, _: *const u8, _: *mut u8, _: usize) -> Result {
        Err(LATE)
    }
    fn record(&self) -> Result<Box<dyn RawEvent>> {
        Err(LATE)
    }
    fn wait(&self, _: &dyn RawEvent) -> Result {
        Err(LATE)
    }
    unsafe fn scal(&self, _: &ScalDesc) -> Result {
        Ok(())
    }
}

#[test]
fn a_waiting_layer_sees_the_end_of_the_work() -> Result {
    let mut x = [1.0f32];
    let late = DeviceId { backend: Late::NAME, index: 0 };
    // SAFETY: the element is there, and nothing is done to it.
    let mut x = unsafe { SliceMut::<_, Any>::from_raw(x.as_mut_ptr(), 1, late) }.vec(1, 1)?;

    let (layer, log) = observe(false);
    assert_eq!(Handle::<Late>::from_raw(Late).layered(layer).erase().scal(2.0, x.rb_mut()), Ok(()));
    assert_eq!(log.lock().unwrap()[0].4, Ok(()));
    let (layer, log) = observe(true);
    assert_eq!(Handle::<Late>::from_raw(Late).layered(layer).erase().scal(2.0, x), Err(LATE));
    assert_eq!(log.lock().unwrap()[0].4, Err(LATE));
    Ok(())
}

#[cfg(feature = "tracing")]
mod traced {
    use std::fmt::{self, Write};

    use tracing::field::{Field, Visit};
    use tracing::{Event, Metadata, Subscriber, span};

    use super::*;

    /// Writes all spans and events down.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<String>>);

    struct Fields<'a>(&'a mut String);

    impl Visit for Fields<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
            // The time is another one each run.
            let value: &dyn fmt::Debug = if field.name() == "elapsed_us" { &"..." } else { value };
            write!(self.0, " {}={value:?}", field.name()).unwrap();
        }
    }

    impl Lines {
        fn start(&self, m: &Metadata<'_>, name: &str) -> std::sync::MutexGuard<'_, String> {
            let mut out = self.0.lock().unwrap();
            write!(out, "{} {}{name}:", m.level(), m.target()).unwrap();
            out
        }
    }

    impl Subscriber for Lines {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, span: &span::Attributes<'_>) -> span::Id {
            let mut out = self.start(span.metadata(), &format!(" {}", span.metadata().name()));
            span.record(&mut Fields(&mut out));
            out.push('\n');
            span::Id::from_u64(1)
        }
        fn event(&self, event: &Event<'_>) {
            let mut out = self.start(event.metadata(), "");
            event.record(&mut Fields(&mut out));
            out.push('\n');
        }
        fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
        fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
        fn enter(&self, _: &span::Id) {}
        fn exit(&self, _: &span::Id) {}
    }

    fn lines(answer: Result) -> String {
        let lines = Lines::default();
        tracing::subscriber::with_default(lines.clone(), || {
            let blas = Cpu::handle().layered(Answer(answer.clone())).layered(Traced);
            let called = blas.scal(bf16::ONE.to_f32(), VecMut::from_slice(&mut [bf16::ONE; 3]));
            assert_eq!(called, answer);
        });
        lines.0.lock().unwrap().clone()
    }

    #[test]
    fn a_call_is_a_span_and_an_event() {
        let span = "DEBUG anyblas call: routine=\"scal\" types=bf16 batch=1 flops=3.0\n";
        assert_eq!(lines(Ok(())), format!("{span}DEBUG anyblas: message=done elapsed_us=\"...\"\n"));
        let failure = Error::NotAvailable { what: "anything", backend: "cpu" };
        assert_eq!(
            lines(Err(failure.clone())),
            format!("{span}WARN anyblas: message=failed error={failure}\n")
        );
    }
}
