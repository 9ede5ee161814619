//! Streams: queues of work, each with a worker thread and a raw handle of its own.
//!
//! All state is behind one lock, and work is appended under it, so there is one order of all work of the process; work
//! waits only for work that was appended before it, and so no two streams can wait for each other. Jobs run without the
//! lock. Worker threads are never joined: a process may end with work pending.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use blas_api::RawHandle;
use hipblas_abi::hip::{self, error};

use super::device;
use super::error::{Error, Result};

/// Work of a stream. Run on the stream's worker thread, with the raw handle of that stream; again and again when
/// captured in a graph.
pub(crate) type Job = Arc<dyn Fn(&dyn RawHandle) -> blas_api::Result + Send + Sync>;

/// A stream's number. As a pointer it is the stream's handle: never dereferenced, and never used a second time, so that
/// a destroyed stream is known as such.
pub(super) type Id = usize;

/// The default stream, also known as `NULL` and `hipStreamLegacy`: it waits for all blocking streams, and they for it.
pub(super) const DEFAULT: Id = 0;
const LEGACY: Id = 1;
/// `hipStreamPerThread`
const PER_THREAD: Id = 2;
const FIRST: Id = 0x1000;

/// A place in a stream: it is reached when that many jobs of the stream are done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    stream: Id,
    number: u64,
}

/// A job and the function that asked for it.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) job: Job,
    pub(super) function: &'static str,
}

struct Item {
    after: Vec<Ticket>,
    step: Step,
}

pub(super) struct Stream {
    pub(super) blocking: bool,
    pub(super) priority: c_int,
    queue: VecDeque<Item>,
    enqueued: u64,
    completed: u64,
    has_worker: bool,
    destroyed: bool,
    error: Option<Error>,
    /// Signals any change of the stream.
    changed: Arc<Condvar>,
}

impl Stream {
    fn new(blocking: bool, priority: c_int) -> Self {
        Stream {
            blocking,
            priority,
            queue: VecDeque::new(),
            enqueued: 0,
            completed: 0,
            has_worker: false,
            destroyed: false,
            error: None,
            changed: Arc::default(),
        }
    }

    fn is_idle(&self) -> bool {
        self.completed == self.enqueued
    }
}

/// All streams.
pub(super) struct State {
    streams: BTreeMap<Id, Stream>,
    next: Id,
}

static STATE: Mutex<State> = Mutex::new(State { streams: BTreeMap::new(), next: FIRST });

thread_local! {
    /// The stream whose worker this thread is.
    static WORKER: Cell<Option<Id>> = const { Cell::new(None) };
    static OWN: OwnStream = const { OwnStream(Cell::new(None)) };
}

/// The per-thread stream of a thread, destroyed with it.
struct OwnStream(Cell<Option<Id>>);

impl Drop for OwnStream {
    fn drop(&mut self) {
        if let Some(id) = self.0.get() {
            lock().destroy(id);
        }
    }
}

pub(super) fn lock() -> MutexGuard<'static, State> {
    // No code that holds the lock can panic halfway through a change.
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    state.streams.entry(DEFAULT).or_insert_with(|| Stream::new(true, 0));
    state
}

fn wait_for(mut state: MutexGuard<'static, State>, ticket: Ticket) -> MutexGuard<'static, State> {
    // A stream that is gone has finished its work.
    while let Some(stream) = state.streams.get(&ticket.stream).filter(|s| s.completed < ticket.number) {
        let changed = stream.changed.clone();
        state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    state
}

impl State {
    /// The stream of a handle.
    pub(super) fn find(&mut self, handle: hip::Stream) -> Result<Id> {
        match handle.addr() {
            DEFAULT | LEGACY => Ok(DEFAULT),
            PER_THREAD => self.own_stream(),
            id if self.streams.get(&id).is_some_and(|s| !s.destroyed) => Ok(id),
            _ => Err(error::CONTEXT_IS_DESTROYED),
        }
    }

    fn own_stream(&mut self) -> Result<Id> {
        let own = |own: &OwnStream| match own.0.get() {
            Some(id) if self.streams.contains_key(&id) => id,
            _ => {
                let id = self.create(true, 0);
                own.0.set(Some(id));
                id
            }
        };
        // Not there any more while the thread ends.
        OWN.try_with(own).map_err(|_| error::DEINITIALIZED)
    }

    pub(super) fn create(&mut self, blocking: bool, priority: c_int) -> Id {
        let id = self.next;
        self.next += 0x10;
        self.streams.insert(id, Stream::new(blocking, priority));
        id
    }

    /// Lets the stream's worker finish its work and end.
    pub(super) fn destroy(&mut self, id: Id) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        stream.destroyed = true;
        stream.changed.notify_all();
        if !stream.has_worker {
            self.streams.remove(&id);
        }
    }

    /// Appends a job to a stream.
    pub(super) fn append(&mut self, id: Id, step: Step, mut after: Vec<Ticket>) -> Result<Ticket> {
        let stream = self.streams.get(&id).ok_or(error::CONTEXT_IS_DESTROYED)?;
        if stream.blocking {
            let others = self
                .streams
                .iter()
                .filter(|(other, s)| (id == DEFAULT) != (**other == DEFAULT) && s.blocking && !s.is_idle());
            after.extend(others.map(|(other, s)| Ticket { stream: *other, number: s.enqueued }));
        }
        let stream = self.streams.get_mut(&id).ok_or(error::CONTEXT_IS_DESTROYED)?;
        if !stream.has_worker {
            let worker = std::thread::Builder::new().name("hip stream".to_owned());
            worker.spawn(move || work(id)).map_err(|_| error::OUT_OF_MEMORY)?;
            stream.has_worker = true;
        }
        stream.queue.push_back(Item { after, step });
        stream.enqueued += 1;
        stream.changed.notify_all();
        Ok(Ticket { stream: id, number: stream.enqueued })
    }
}

/// A stream's worker.
fn work(id: Id) {
    WORKER.set(Some(id));
    let raw = device::open();
    let mut state = lock();
    while let Some(stream) = state.streams.get_mut(&id) {
        let Some(item) = stream.queue.pop_front() else {
            if stream.destroyed {
                state.streams.remove(&id);
                return;
            }
            let changed = stream.changed.clone();
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        for ticket in item.after {
            state = wait_for(state, ticket);
        }
        drop(state);
        let outcome = match &raw {
            Ok(raw) => run(&item.step, raw.as_ref()),
            Err(_) => Err(error::NO_DEVICE),
        };
        // What the job owns is dropped without the lock.
        drop(item.step);
        state = lock();
        if let Some(stream) = state.streams.get_mut(&id) {
            stream.completed += 1;
            stream.error = stream.error.or(outcome.err());
            stream.changed.notify_all();
        }
    }
}

/// Runs a job. What went wrong is printed, since a stream can report no more than a number.
pub(super) fn run(step: &Step, raw: &dyn RawHandle) -> Result {
    match catch_unwind(AssertUnwindSafe(|| (step.job)(raw))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(e)) => {
            eprintln!("{}: {e}", step.function);
            Err(match e {
                blas_api::Error::OutOfMemory { .. } => error::OUT_OF_MEMORY,
                _ => error::LAUNCH_FAILURE,
            })
        }
        Err(_) => Err(error::LAUNCH_FAILURE),
    }
}

/// Appends work to a stream (NULL: the default stream), or to the graph it is capturing.
pub(crate) fn enqueue(stream: hip::Stream, job: Job) -> Result {
    let mut state = lock();
    let id = state.find(stream)?;
    state.append(id, Step { job, function: "" }, Vec::new()).map(drop)
}

/// Waits for all work of a stream; reports the stream's error. An error while capturing.
pub(crate) fn synchronize(stream: hip::Stream) -> Result {
    let mut state = lock();
    let id = state.find(stream)?;
    let ids = match id {
        DEFAULT => state.streams.iter().filter(|(_, s)| s.blocking).map(|(id, _)| *id).collect(),
        _ => vec![id],
    };
    drain(state, ids)
}

/// Waits for all work of some streams. Their errors are reported once.
pub(super) fn drain(mut state: MutexGuard<'static, State>, ids: Vec<Id>) -> Result {
    if WORKER.get().is_some_and(|id| ids.contains(&id)) {
        // A callback would wait for itself.
        return Err(error::ILLEGAL_STATE);
    }
    let mut outcome = Ok(());
    for id in ids {
        let Some(number) = state.streams.get(&id).map(|s| s.enqueued) else { continue };
        state = wait_for(state, Ticket { stream: id, number });
        if let Some(e) = state.streams.get_mut(&id).and_then(|s| s.error.take()) {
            outcome = outcome.and(Err(e));
        }
    }
    outcome
}

/// Whether work of the stream goes to a graph.
pub(crate) fn is_capturing(stream: hip::Stream) -> bool {
    let _ = stream;
    false
}
