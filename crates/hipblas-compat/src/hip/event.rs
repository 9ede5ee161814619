//! Events: places in streams, with the time at which they were reached.

use std::ffi::c_uint;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use hipblas_abi::hip::{self, error, flag};

use super::error::Result;
use super::graph::Clock;
use super::put;
use super::stream::{self, Id, State, Step, Ticket};

pub(super) struct Event {
    timed: bool,
    mark: Mark,
}

/// Where an event was recorded last.
enum Mark {
    Nowhere,
    /// In a stream.
    Stream {
        ticket: Ticket,
        time: Arc<OnceLock<Instant>>,
    },
    /// In the capture of a graph, after so many steps of its streams.
    Capture {
        capture: Id,
        clock: Clock,
    },
}

/// Blocking synchronisation, no timing, for other processes; release to the device, to the system, none.
const CREATE_FLAGS: c_uint = 0xf000_0007;

impl State {
    fn event(&mut self, event: hip::Event) -> Result<&mut Event> {
        self.events.get_mut(&event.addr()).ok_or(error::INVALID_HANDLE)
    }

    /// The place that an event stands for, and the time of reaching it; none if it was never recorded. To ask for one in a
    /// capture spoils the capture.
    fn place(&mut self, event: hip::Event) -> Result<Option<(Ticket, Arc<OnceLock<Instant>>)>> {
        let capture = match &self.event(event)?.mark {
            Mark::Nowhere => return Ok(None),
            Mark::Stream { ticket, time } => return Ok(Some((*ticket, time.clone()))),
            Mark::Capture { capture, .. } => *capture,
        };
        match self.captures.get_mut(&capture) {
            Some(capture) => {
                capture.spoil();
                Err(error::CAPTURED_EVENT)
            }
            // When a capture is over, its events stand for nothing any more.
            None => Ok(None),
        }
    }
}

pub(super) unsafe fn hipEventCreate(event: *mut hip::Event) -> Result {
    // SAFETY: the caller's promise.
    unsafe { hipEventCreateWithFlags(event, 0) }
}

pub(super) unsafe fn hipEventCreateWithFlags(event: *mut hip::Event, flags: c_uint) -> Result {
    if flags & !CREATE_FLAGS != 0 || event.is_null() {
        return Err(error::INVALID_VALUE);
    }
    let mut state = stream::lock();
    let id = state.number();
    let timed = flags & flag::EVENT_DISABLE_TIMING == 0;
    state.events.insert(id, Event { timed, mark: Mark::Nowhere });
    // SAFETY: the caller's promise.
    unsafe { put(event, std::ptr::without_provenance_mut(id)) }
}

pub(super) unsafe fn hipEventDestroy(event: hip::Event) -> Result {
    stream::lock().events.remove(&event.addr()).map(drop).ok_or(error::INVALID_HANDLE)
}

pub(super) unsafe fn hipEventRecord(event: hip::Event, stream: hip::Stream) -> Result {
    let mut state = stream::lock();
    state.event(event)?;
    let id = state.find(stream)?;
    let mark = match state.clock_of(id)? {
        Some((capture, clock)) => Mark::Capture { capture, clock },
        None => {
            let time = Arc::new(OnceLock::new());
            let reached = time.clone();
            let step = Step::new(Arc::new(move |queue| {
                queue.sync()?;
                // A job outside of graphs runs once.
                let _ = reached.set(Instant::now());
                Ok(())
            }));
            Mark::Stream { ticket: state.push(id, step, Vec::new())?, time }
        }
    };
    state.event(event)?.mark = mark;
    Ok(())
}

/// External recording is for graphs made node by node.
pub(super) unsafe fn hipEventRecordWithFlags(
    event: hip::Event,
    stream: hip::Stream,
    flags: c_uint,
) -> Result {
    if flags != 0 {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { hipEventRecord(event, stream) }
}

pub(super) unsafe fn hipStreamWaitEvent(stream: hip::Stream, event: hip::Event, flags: c_uint) -> Result {
    if flags != 0 {
        return Err(error::INVALID_VALUE);
    }
    let mut state = stream::lock();
    let id = state.find(stream)?;
    let ticket = match &state.event(event)?.mark {
        Mark::Nowhere => return Ok(()),
        Mark::Stream { ticket, .. } => *ticket,
        Mark::Capture { capture, clock } => {
            let (capture, clock) = (*capture, clock.clone());
            return state.join(id, capture, &clock);
        }
    };
    if state.clock_of(id)?.is_some() {
        // A graph cannot wait for what is not in it.
        state.spoil_of(id);
        return Err(error::STREAM_CAPTURE_ISOLATION);
    }
    if state.is_reached(ticket) {
        return Ok(());
    }
    state.push(id, Step::new(Arc::new(|_| Ok(()))), vec![ticket]).map(drop)
}

pub(super) unsafe fn hipEventSynchronize(event: hip::Event) -> Result {
    let mut state = stream::lock();
    match state.place(event)? {
        Some((ticket, _)) => stream::wait(state, ticket),
        None => Ok(()),
    }
}

pub(super) unsafe fn hipEventQuery(event: hip::Event) -> Result {
    let mut state = stream::lock();
    match state.place(event)? {
        Some((ticket, _)) if !state.is_reached(ticket) => Err(error::NOT_READY),
        _ => Ok(()),
    }
}

pub(super) unsafe fn hipEventElapsedTime(
    milliseconds: *mut f32,
    start: hip::Event,
    stop: hip::Event,
) -> Result {
    if milliseconds.is_null() {
        return Err(error::INVALID_VALUE);
    }
    let mut state = stream::lock();
    if !state.event(start)?.timed || !state.event(stop)?.timed {
        return Err(error::INVALID_HANDLE);
    }
    let mut time = |event| match state.place(event)? {
        None => Err(error::INVALID_HANDLE),
        Some((_, time)) => time.get().copied().ok_or(error::NOT_READY),
    };
    let (start, stop) = (time(start)?, time(stop)?);
    let elapsed = match stop.checked_duration_since(start) {
        Some(after) => after.as_secs_f64(),
        None => -(start - stop).as_secs_f64(),
    };
    // SAFETY: the caller's promise.
    unsafe { put(milliseconds, (elapsed * 1e3) as f32) }
}
