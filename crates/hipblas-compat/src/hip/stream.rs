//! Streams: work in order, each with a worker thread and a queue of the device of its own.
//!
//! All state is behind one lock, and work is appended under it, so there is one order of all work of the process; work
//! waits only for work that was appended before it, and so no two streams can wait for each other. Jobs run without the
//! lock, by the worker of their stream; or by a thread that would wait for the job anyway, if its turn is now. Worker
//! threads are never joined: a process may end with work pending.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::{c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use hipblas_abi::hip::{self, Device, HostFn, StreamCallback, error, flag};

use super::backend::{self, Queue};
use super::error::{Error, Result, enter, function};
use super::event::Event;
use super::graph::{Capture, Exec, Graph, Member};
use super::{Ptr, check, put};

/// Work of a stream. Run with the queue of that stream, on a thread of the runtime's choice; again and again when captured
/// in a graph. What it gives to the queue may be done later.
pub(crate) type Job = Arc<dyn Fn(&dyn Queue) -> blas_api::Result + Send + Sync>;

/// A stream's number. As a pointer it is the stream's handle: never dereferenced, and never used a second time, so that
/// a destroyed stream is known as such.
pub(super) type Id = usize;

/// The default stream, also known as `NULL` and `hipStreamLegacy`: it waits for all blocking streams, and they for it.
pub(super) const DEFAULT: Id = 0;
/// The default stream's handle.
pub(super) const DEFAULT_STREAM: hip::Stream = std::ptr::null_mut();
/// `hipStreamLegacy`
const LEGACY: Id = 1;
/// `hipStreamPerThread`
const PER_THREAD: Id = 2;
/// Jobs that a stream holds at most. Who has more for it waits, as for the queue of a GPU: a program that enqueues faster
/// than the device computes must not fill the memory.
const QUEUE: usize = 1024;
/// Jobs that a stream's queue is given at most before it is waited for: what waits for one of them, waits no longer than that.
const AHEAD: u64 = 16;
/// The first number given to anything. Streams, events, captures and graphs have different ones.
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
    job: Job,
    function: &'static str,
}

impl Step {
    /// A step of the function that the thread is in.
    pub(super) fn new(job: Job) -> Self {
        Step { job, function: function() }
    }

    /// Runs the job. The thread is then in the function that asked for it.
    pub(super) fn run(&self, queue: &dyn Queue) -> blas_api::Result {
        let _function = enter(self.function);
        (self.job)(queue)
    }

    fn run_reported(&self, queue: &dyn Queue) -> Result {
        reported(self.function, || self.run(queue))
    }
}

/// Does work of a stream. What goes wrong is printed, since a stream can report no more than a number.
fn reported(function: &str, work: impl FnOnce() -> blas_api::Result) -> Result {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(e)) => {
            eprintln!("hipblas-compat: {function}: {e}");
            Err(match e {
                blas_api::Error::OutOfMemory { .. } => error::OUT_OF_MEMORY,
                _ => error::LAUNCH_FAILURE,
            })
        }
        Err(_) => Err(error::LAUNCH_FAILURE),
    }
}

/// The queue of a stream.
enum Raw {
    Unopened,
    Open(Box<dyn Queue>),
    /// With who runs a job.
    Taken,
}

impl Raw {
    /// Takes the handle out, unless someone else has it.
    fn take(&mut self) -> Option<Raw> {
        match self {
            Raw::Taken => None,
            raw => Some(std::mem::replace(raw, Raw::Taken)),
        }
    }

    /// Runs a step with the queue, which it opens if it must.
    fn run(&mut self, step: &Step) -> Result {
        if let Raw::Unopened = self {
            *self = Raw::Open(open()?);
        }
        match self {
            Raw::Open(queue) => step.run_reported(queue.as_ref()),
            _ => Err(error::ILLEGAL_STATE),
        }
    }

    /// Waits until all that the queue was given is done.
    fn sync(&self) -> Result {
        match self {
            Raw::Open(queue) => reported("work of a stream", || queue.sync()),
            _ => Ok(()),
        }
    }

    /// Keeps the queue of a stream that is gone for another one.
    fn keep(self) {
        if let Raw::Open(queue) = self {
            let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
            if spare.len() < SPARES {
                spare.push(queue);
            }
        }
    }
}

/// Queues of streams that are gone, for the next ones: to open one takes a GPU some milliseconds.
static SPARE: Mutex<Vec<Box<dyn Queue>>> = Mutex::new(Vec::new());
const SPARES: usize = 8;

fn open() -> Result<Box<dyn Queue>> {
    let spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    match spare {
        Some(queue) => Ok(queue),
        None => backend::device()?.open().map_err(|e| backend::hip_error(&e)),
    }
}

struct Item {
    after: Vec<Ticket>,
    step: Step,
}

pub(super) struct Stream {
    pub(super) blocking: bool,
    priority: c_int,
    pub(super) capture: Option<Member>,
    queue: VecDeque<Item>,
    enqueued: u64,
    /// Jobs that have run. What they gave to the queue may still be to be done.
    launched: u64,
    /// Jobs that are done.
    completed: u64,
    has_worker: bool,
    destroyed: bool,
    /// The first error since the last wait.
    error: Option<Error>,
    raw: Raw,
    /// Signals any change of the stream.
    changed: Arc<Condvar>,
}

impl Stream {
    fn new(blocking: bool, priority: c_int) -> Self {
        Stream {
            blocking,
            priority,
            capture: None,
            queue: VecDeque::new(),
            enqueued: 0,
            launched: 0,
            completed: 0,
            has_worker: false,
            destroyed: false,
            error: None,
            raw: Raw::Unopened,
            changed: Arc::default(),
        }
    }

    fn is_idle(&self) -> bool {
        self.completed == self.enqueued
    }

    /// Whether the stream's queue is waited for before the next job: if there is none, or one that waits for another stream,
    /// which may be waiting for this one; and after [`AHEAD`] jobs at the latest.
    fn must_settle(&self) -> bool {
        self.launched - self.completed >= AHEAD
            || self.queue.front().is_none_or(|item| !item.after.is_empty())
    }
}

/// Everything that has an order: streams, events and graphs, by number.
pub(super) struct State {
    pub(super) streams: BTreeMap<Id, Stream>,
    pub(super) events: BTreeMap<Id, Event>,
    pub(super) captures: BTreeMap<Id, Capture>,
    pub(super) graphs: BTreeMap<Id, Arc<Graph>>,
    pub(super) execs: BTreeMap<Id, Arc<Exec>>,
    next: Id,
}

static STATE: Mutex<State> = Mutex::new(State {
    streams: BTreeMap::new(),
    events: BTreeMap::new(),
    captures: BTreeMap::new(),
    graphs: BTreeMap::new(),
    execs: BTreeMap::new(),
    next: FIRST,
});

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

fn wait_on(changed: &Condvar, state: MutexGuard<'static, State>) -> MutexGuard<'static, State> {
    changed.wait(state).unwrap_or_else(PoisonError::into_inner)
}

fn wait_for(mut state: MutexGuard<'static, State>, ticket: Ticket) -> MutexGuard<'static, State> {
    while let Some(stream) = state.streams.get(&ticket.stream).filter(|s| s.completed < ticket.number) {
        let changed = stream.changed.clone();
        state = wait_on(&changed, state);
    }
    state
}

impl State {
    /// A number that nothing had before.
    pub(super) fn number(&mut self) -> Id {
        let number = self.next;
        self.next += 0x10;
        number
    }

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
            Some(id) if self.streams.get(&id).is_some_and(|s| !s.destroyed) => id,
            _ => {
                let id = self.create(true, 0);
                own.0.set(Some(id));
                id
            }
        };
        // Not there any more while the thread ends.
        OWN.try_with(own).map_err(|_| error::DEINITIALIZED)
    }

    fn create(&mut self, blocking: bool, priority: c_int) -> Id {
        let id = self.number();
        self.streams.insert(id, Stream::new(blocking, priority));
        id
    }

    /// Lets the stream's worker finish its work and end.
    fn destroy(&mut self, id: Id) {
        self.leave(id);
        let Some(stream) = self.streams.get_mut(&id) else { return };
        stream.destroyed = true;
        stream.changed.notify_all();
        if !stream.has_worker {
            self.remove(id);
        }
    }

    /// Forgets a stream whose work is done.
    fn remove(&mut self, id: Id) {
        if let Some(stream) = self.streams.remove(&id) {
            stream.raw.keep();
        }
    }

    /// Appends a step to a stream, or to the graph that it is capturing.
    fn append(&mut self, id: Id, step: Step) -> Result {
        if self.streams.get(&id).is_some_and(|s| s.capture.is_some()) {
            return self.record(id, step);
        }
        self.push(id, step, Vec::new()).map(drop)
    }

    /// Appends a step to a stream that is not capturing. It runs after all that the stream's kind asks for, and after those
    /// places.
    pub(super) fn push(&mut self, id: Id, step: Step, mut after: Vec<Ticket>) -> Result<Ticket> {
        if id == DEFAULT {
            self.refuse_default()?;
        }
        after.extend(self.others_before(id));
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

    /// Work of other streams that the next job of a stream comes after: the default stream's and that of blocking streams
    /// wait for each other.
    fn others_before(&self, id: Id) -> Vec<Ticket> {
        if self.streams.get(&id).is_none_or(|s| !s.blocking) {
            return Vec::new();
        }
        let others = self
            .streams
            .iter()
            .filter(|(other, s)| (id == DEFAULT) != (**other == DEFAULT) && s.blocking && !s.is_idle());
        others.map(|(other, s)| Ticket { stream: *other, number: s.enqueued }).collect()
    }

    /// Whether a stream has reached a place. One that is gone has finished its work.
    pub(super) fn is_reached(&self, ticket: Ticket) -> bool {
        self.streams.get(&ticket.stream).is_none_or(|s| s.completed >= ticket.number)
    }

    /// The streams that one waits for together with it: for the default stream, all blocking ones.
    fn with_others(&self, id: Id) -> Vec<Id> {
        match id {
            DEFAULT => self.streams.iter().filter(|(_, s)| s.blocking).map(|(id, _)| *id).collect(),
            _ => vec![id],
        }
    }

    /// The error of a stream, which is reported once.
    fn take_error(&mut self, id: Id) -> Result {
        self.streams.get_mut(&id).and_then(|s| s.error.take()).map_or(Ok(()), Err)
    }
}

/// A stream's worker.
fn work(id: Id) {
    WORKER.set(Some(id));
    let mut state = lock();
    while let Some(stream) = state.streams.get_mut(&id) {
        let changed = stream.changed.clone();
        let Some(Item { after, step }) = stream.queue.pop_front() else {
            if stream.destroyed {
                state.remove(id);
                return;
            }
            state = wait_on(&changed, state);
            continue;
        };
        for ticket in after {
            state = wait_for(state, ticket);
        }
        let raw = loop {
            // A stream with work is there.
            let Some(stream) = state.streams.get_mut(&id) else { return };
            match stream.raw.take() {
                Some(raw) => break raw,
                None => state = wait_on(&changed, state),
            }
        };
        let outcome;
        (state, outcome) = run_unlocked(state, id, raw, step, Stream::must_settle);
        if let Some(stream) = state.streams.get_mut(&id) {
            stream.error = stream.error.or(outcome.err());
        }
    }
}

/// Runs the step of a stream whose turn it is, without the lock.
fn run_unlocked(
    state: MutexGuard<'static, State>,
    id: Id,
    mut raw: Raw,
    step: Step,
    settle: fn(&Stream) -> bool,
) -> (MutexGuard<'static, State>, Result) {
    drop(state);
    let mut outcome = raw.run(&step);
    // What the job owns is dropped without the lock too.
    drop(step);
    let mut state = lock();
    let settles = state.streams.get_mut(&id).is_none_or(|stream| {
        stream.launched += 1;
        settle(stream)
    });
    if settles {
        drop(state);
        outcome = outcome.and(raw.sync());
        state = lock();
    }
    match state.streams.get_mut(&id) {
        Some(stream) => {
            stream.raw = raw;
            if settles {
                stream.completed = stream.launched;
            }
            stream.changed.notify_all();
        }
        // Destroyed meanwhile.
        None => raw.keep(),
    }
    (state, outcome)
}

/// Appends work to a stream and waits for it, as [`enqueue`] and [`synchronize`] do. This thread does the work if nothing
/// is before it.
pub(crate) fn run(stream: hip::Stream, job: Job) -> Result {
    let step = Step::new(job);
    let mut state = lock();
    let id = state.find(stream)?;
    if id == DEFAULT {
        state.refuse_default()?;
    } else {
        state.refuse_wait(id)?;
    }
    let ids = state.with_others(id);
    if WORKER.get().is_some_and(|own| ids.contains(&own)) {
        // A callback that waits for itself. The job would be run later, and what it writes to may be gone then.
        return Err(error::ILLEGAL_STATE);
    }
    let is_turn = state.others_before(id).is_empty();
    let stream = state.streams.get_mut(&id).filter(|s| is_turn && s.is_idle());
    let Some((stream, raw)) = stream.and_then(|s| s.raw.take().map(|raw| (s, raw))) else {
        state.push(id, step, Vec::new())?;
        return drain(state, ids);
    };
    stream.enqueued += 1;
    let (mut state, outcome) = run_unlocked(state, id, raw, step, |_| true);
    let errors = ids.into_iter().map(|id| state.take_error(id));
    errors.fold(outcome, Result::and).and(check::fault())
}

/// Appends work to a stream (NULL: the default stream), or to the graph it is capturing. Messages about it name the
/// function that the thread is in: see [`enter`].
pub(crate) fn enqueue(stream: hip::Stream, job: Job) -> Result {
    let step = Step::new(job);
    let mut state = lock();
    let id = state.find(stream)?;
    state = wait_for_room(state, id);
    state.append(id, step)
}

/// Waits while a stream holds [`QUEUE`] jobs.
fn wait_for_room(mut state: MutexGuard<'static, State>, id: Id) -> MutexGuard<'static, State> {
    // A callback must not wait for its own stream.
    while WORKER.get().is_none()
        && let Some(stream) = state.streams.get(&id).filter(|s| s.queue.len() >= QUEUE)
    {
        let changed = stream.changed.clone();
        state = wait_on(&changed, state);
    }
    state
}

/// Waits for all work of a stream; reports the first error since the last wait, once. An error while the stream is
/// capturing.
pub(crate) fn synchronize(stream: hip::Stream) -> Result {
    let mut state = lock();
    let id = state.find(stream)?;
    if id != DEFAULT {
        state.refuse_wait(id)?;
    }
    let ids = state.with_others(id);
    drain(state, ids)
}

/// Fails on the thread of a stream, whose work after the callback that is running cannot be waited for.
pub(super) fn refuse_in_callback() -> Result {
    if WORKER.get().is_some() { Err(error::ILLEGAL_STATE) } else { Ok(()) }
}

/// Waits for all work of all streams, and reports as [`synchronize`] does.
pub(super) fn drain_all() -> Result {
    let state = lock();
    let ids = state.streams.keys().copied().collect();
    drain(state, ids)
}

fn drain(mut state: MutexGuard<'static, State>, ids: Vec<Id>) -> Result {
    let last =
        |(id, s): (&Id, &Stream)| ids.contains(id).then_some(Ticket { stream: *id, number: s.enqueued });
    let tickets: Vec<Ticket> = state.streams.iter().filter_map(last).collect();
    let mut outcome = Ok(());
    for ticket in tickets {
        let id = ticket.stream;
        if WORKER.get() == Some(id) {
            // A callback that waits for itself.
            return Err(error::ILLEGAL_STATE);
        }
        state = wait_for(state, ticket);
        outcome = outcome.and(state.take_error(id));
    }
    outcome.and(check::fault())
}

/// Waits until a stream has reached a place, and reports as [`synchronize`] does.
pub(super) fn wait(state: MutexGuard<'static, State>, ticket: Ticket) -> Result {
    if WORKER.get() == Some(ticket.stream) && !state.is_reached(ticket) {
        return Err(error::ILLEGAL_STATE);
    }
    wait_for(state, ticket).take_error(ticket.stream).and(check::fault())
}

/// Whether work of the stream goes to a graph.
pub(crate) fn is_capturing(stream: hip::Stream) -> bool {
    let mut state = lock();
    let id = state.find(stream);
    id.is_ok_and(|id| state.streams.get(&id).is_some_and(|s| s.capture.is_some()))
}

/// That a handle is one of a stream.
pub(crate) fn check(stream: hip::Stream) -> Result {
    lock().find(stream).map(drop)
}

/// Destroys all that the program has made.
pub(super) fn reset() {
    let mut state = lock();
    let ids: Vec<Id> = state.streams.keys().copied().filter(|id| *id != DEFAULT).collect();
    for id in ids {
        state.destroy(id);
    }
    state.events.clear();
    state.captures.clear();
    state.graphs.clear();
    state.execs.clear();
}

/// Priorities from the least to the greatest. They are kept, and make no difference.
const LEAST: c_int = 1;
const GREATEST: c_int = -1;

pub(super) unsafe fn hipDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Result {
    // SAFETY: the caller's promise. Either may be NULL.
    unsafe {
        let _ = put(least, LEAST);
        let _ = put(greatest, GREATEST);
    }
    Ok(())
}

pub(super) unsafe fn hipStreamCreate(stream: *mut hip::Stream) -> Result {
    // SAFETY: the caller's promise.
    unsafe { hipStreamCreateWithPriority(stream, 0, 0) }
}

pub(super) unsafe fn hipStreamCreateWithFlags(stream: *mut hip::Stream, flags: c_uint) -> Result {
    // SAFETY: the caller's promise.
    unsafe { hipStreamCreateWithPriority(stream, flags, 0) }
}

pub(super) unsafe fn hipStreamCreateWithPriority(
    stream: *mut hip::Stream,
    flags: c_uint,
    priority: c_int,
) -> Result {
    if stream.is_null() || flags > flag::STREAM_NON_BLOCKING {
        return Err(error::INVALID_VALUE);
    }
    let id = lock().create(flags != flag::STREAM_NON_BLOCKING, priority.clamp(GREATEST, LEAST));
    // SAFETY: the caller's promise.
    unsafe { put(stream, std::ptr::without_provenance_mut(id)) }
}

pub(super) unsafe fn hipStreamDestroy(stream: hip::Stream) -> Result {
    if stream.addr() <= PER_THREAD {
        return Err(error::INVALID_HANDLE);
    }
    let mut state = lock();
    let id = state.find(stream)?;
    state.destroy(id);
    Ok(())
}

pub(super) unsafe fn hipStreamSynchronize(stream: hip::Stream) -> Result {
    synchronize(stream)
}

pub(super) unsafe fn hipStreamQuery(stream: hip::Stream) -> Result {
    let mut state = lock();
    let id = state.find(stream)?;
    if id != DEFAULT {
        state.refuse_wait(id)?;
    }
    let ids = state.with_others(id);
    if ids.iter().any(|id| state.streams.get(id).is_some_and(|s| !s.is_idle())) {
        return Err(error::NOT_READY);
    }
    ids.into_iter().try_for_each(|id| state.take_error(id)).and(check::fault())
}

pub(super) unsafe fn hipStreamGetFlags(stream: hip::Stream, flags: *mut c_uint) -> Result {
    let mut state = lock();
    let id = state.find(stream)?;
    let blocking = state.streams.get(&id).is_none_or(|s| s.blocking);
    // SAFETY: the caller's promise.
    unsafe { put(flags, if blocking { 0 } else { flag::STREAM_NON_BLOCKING }) }
}

pub(super) unsafe fn hipStreamGetPriority(stream: hip::Stream, priority: *mut c_int) -> Result {
    let mut state = lock();
    let id = state.find(stream)?;
    // SAFETY: the caller's promise.
    unsafe { put(priority, state.streams.get(&id).map_or(0, |s| s.priority)) }
}

pub(super) unsafe fn hipStreamGetDevice(stream: hip::Stream, device: *mut Device) -> Result {
    check(stream)?;
    // SAFETY: the caller's promise.
    unsafe { put(device, 0) }
}

pub(super) unsafe fn hipStreamGetId(stream: hip::Stream, number: *mut u64) -> Result {
    let id = lock().find(stream)?;
    // SAFETY: the caller's promise.
    unsafe { put(number, id as u64) }
}

pub(super) unsafe fn hipStreamAddCallback(
    stream: hip::Stream,
    callback: StreamCallback,
    user_data: *mut c_void,
    flags: c_uint,
) -> Result {
    let (Some(callback), 0) = (callback, flags) else { return Err(error::INVALID_VALUE) };
    let mut state = lock();
    let id = state.find(stream)?;
    if state.streams.get(&id).is_some_and(|s| s.capture.is_some()) {
        state.spoil_of(id);
        return Err(error::STREAM_CAPTURE_UNSUPPORTED);
    }
    let (stream, data) = (Ptr(stream.cast()), Ptr(user_data.cast()));
    let job: Job = Arc::new(move |queue| {
        let outcome = queue.sync();
        let fault = outcome.as_ref().map_or(error::LAUNCH_FAILURE, |()| error::SUCCESS);
        let error = lock().streams.get(&id).and_then(|s| s.error).unwrap_or(fault);
        // SAFETY: the caller of the function answers for the callback and its data.
        unsafe { callback(stream.get().cast(), error, data.get().cast()) };
        outcome
    });
    state.push(id, Step::new(job), Vec::new()).map(drop)
}

pub(super) unsafe fn hipLaunchHostFunc(
    stream: hip::Stream,
    function: HostFn,
    user_data: *mut c_void,
) -> Result {
    let function = function.ok_or(error::INVALID_VALUE)?;
    let data = Ptr(user_data.cast());
    let job: Job = Arc::new(move |queue| {
        queue.sync()?;
        // SAFETY: the caller of the function answers for the host function and its data.
        unsafe { function(data.get().cast()) };
        Ok(())
    });
    enqueue(stream, job)
}
