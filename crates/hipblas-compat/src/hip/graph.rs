//! Graphs: work recorded from streams, and run any number of times.
//!
//! A graph is the list of its steps in the order in which they were recorded, which keeps every dependency; it runs in
//! that order on the worker of the stream that it is launched into. While it is captured, each of its streams knows how
//! many steps of each stream come before what it records next: so that work which the first stream does not wait for in
//! the end is found.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_uint};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;

use hipblas_abi::hip::{self, error, flag};

use super::error::{Error, Result};
use super::memory::GraphMemory;
use super::put;
use super::stream::{self, DEFAULT, Id, Job, State, Step};

/// Steps of each stream that come before a place in a capture.
pub(super) type Clock = BTreeMap<Id, usize>;

/// A graph that is being recorded.
pub(super) struct Capture {
    origin: Id,
    mode: c_int,
    thread: ThreadId,
    is_valid: bool,
    steps: Vec<Step>,
    /// Steps of each stream so far.
    counts: Clock,
    memory: Vec<GraphMemory>,
}

/// A stream's part in a capture.
pub(super) struct Member {
    capture: Id,
    clock: Clock,
}

/// A recorded graph.
#[derive(Default)]
pub(super) struct Graph {
    steps: Vec<Step>,
    _memory: Vec<GraphMemory>,
}

/// A graph that can be launched. One run at a time: the runs share the graph's memory.
pub(super) struct Exec {
    graph: Arc<Graph>,
    running: Mutex<()>,
}

thread_local! {
    /// How captures restrict what this thread may do.
    static MODE: Cell<c_int> = const { Cell::new(flag::CAPTURE_GLOBAL) };
}

impl Capture {
    /// Lets the capture come to nothing.
    pub(super) fn spoil(&mut self) {
        self.is_valid = false;
    }

    fn is_of_this_thread(&self) -> bool {
        self.mode != flag::CAPTURE_RELAXED && self.thread == std::thread::current().id()
    }
}

impl State {
    /// The capture that a stream is part of, and what comes before its next step; none if it is not capturing.
    pub(super) fn clock_of(&self, id: Id) -> Result<Option<(Id, Clock)>> {
        let Some(member) = self.streams.get(&id).and_then(|s| s.capture.as_ref()) else { return Ok(None) };
        match self.captures.get(&member.capture) {
            Some(capture) if capture.is_valid => Ok(Some((member.capture, member.clock.clone()))),
            _ => Err(error::STREAM_CAPTURE_INVALIDATED),
        }
    }

    /// Records a step of a stream that is capturing.
    pub(super) fn record(&mut self, id: Id, step: Step) -> Result {
        let member = self.streams.get_mut(&id).and_then(|s| s.capture.as_mut());
        let member = member.ok_or(error::ILLEGAL_STATE)?;
        match self.captures.get_mut(&member.capture) {
            Some(capture) if capture.is_valid => {
                let count = capture.counts.entry(id).or_default();
                *count += 1;
                member.clock.insert(id, *count);
                capture.steps.push(step);
                Ok(())
            }
            _ => Err(error::STREAM_CAPTURE_INVALIDATED),
        }
    }

    /// Lets a stream wait for a place in a capture, of which it becomes part.
    pub(super) fn join(&mut self, id: Id, capture: Id, clock: &Clock) -> Result {
        if !self.captures.contains_key(&capture) {
            // The capture is over, and its events stand for nothing any more.
            return Ok(());
        }
        if id == DEFAULT {
            self.spoil(|_| true);
            return Err(error::STREAM_CAPTURE_IMPLICIT);
        }
        if let Some((own, _)) = self.clock_of(id)?
            && own != capture
        {
            self.spoil_of(id);
            if let Some(other) = self.captures.get_mut(&capture) {
                other.spoil();
            }
            return Err(error::STREAM_CAPTURE_MERGE);
        }
        let stream = self.streams.get_mut(&id).ok_or(error::CONTEXT_IS_DESTROYED)?;
        let member = stream.capture.get_or_insert_with(|| Member { capture, clock: Clock::new() });
        for (stream, count) in clock {
            let known = member.clock.entry(*stream).or_default();
            *known = (*known).max(*count);
        }
        Ok(())
    }

    /// Spoils the capture that a stream is part of.
    pub(super) fn spoil_of(&mut self, id: Id) {
        let capture = self.streams.get(&id).and_then(|s| s.capture.as_ref()).map(|m| m.capture);
        if let Some(capture) = capture.and_then(|c| self.captures.get_mut(&c)) {
            capture.spoil();
        }
    }

    /// Spoils captures. Whether there are any.
    fn spoil(&mut self, which: impl Fn(&Capture) -> bool) -> bool {
        let mut any = false;
        for capture in self.captures.values_mut().filter(|c| which(c)) {
            capture.spoil();
            any = true;
        }
        any
    }

    /// Ends a capture without a graph, if there is one.
    fn abandon(&mut self, capture: Id) -> Option<Capture> {
        for stream in self.streams.values_mut() {
            if stream.capture.as_ref().is_some_and(|m| m.capture == capture) {
                stream.capture = None;
            }
        }
        self.captures.remove(&capture)
    }

    /// Takes a stream that ends out of its capture, which ends with the stream that it began with.
    pub(super) fn leave(&mut self, id: Id) {
        let member = self.streams.get_mut(&id).and_then(|s| s.capture.take());
        if let Some(member) = member
            && self.captures.get(&member.capture).is_some_and(|c| c.origin == id)
        {
            self.abandon(member.capture);
        }
    }

    /// Refuses what would make a capture depend on the default stream, which waits for all blocking streams.
    pub(super) fn refuse_default(&mut self) -> Result {
        if self.streams.values().any(|s| s.blocking && s.capture.is_some()) {
            self.spoil(|_| true);
            return Err(error::STREAM_CAPTURE_IMPLICIT);
        }
        Ok(())
    }

    /// Refuses to wait for a stream while it, or what the thread must not disturb, is captured.
    pub(super) fn refuse_wait(&mut self, id: Id) -> Result {
        if self.streams.get(&id).is_some_and(|s| s.capture.is_some()) {
            self.spoil_of(id);
            return Err(error::STREAM_CAPTURE_UNSUPPORTED);
        }
        self.refuse_unsafe()
    }

    /// Refuses what is not safe while a graph is captured, as far as the thread's mode says.
    fn refuse_unsafe(&mut self) -> Result {
        let mode = MODE.get();
        let all = mode == flag::CAPTURE_GLOBAL;
        if mode != flag::CAPTURE_RELAXED
            && self.spoil(|c| c.is_of_this_thread() || (all && c.mode == flag::CAPTURE_GLOBAL))
        {
            return Err(error::STREAM_CAPTURE_UNSUPPORTED);
        }
        Ok(())
    }
}

/// Refuses what is not safe while a graph is captured: to allocate and to free.
pub(super) fn refuse_unsafe() -> Result {
    stream::lock().refuse_unsafe()
}

/// Refuses, with this error, what cannot be while any graph is captured, and spoils the captures.
pub(super) fn refuse_any(error: Error) -> Result {
    if stream::lock().spoil(|_| true) { Err(error) } else { Ok(()) }
}

/// The capture that a stream is part of.
pub(super) fn capture_of(stream: hip::Stream) -> Result<Option<Id>> {
    let mut state = stream::lock();
    let id = state.find(stream)?;
    Ok(state.clock_of(id)?.map(|(capture, _)| capture))
}

/// Gives memory to a graph that is being captured.
pub(super) fn own(capture: Id, memory: GraphMemory) {
    if let Some(capture) = stream::lock().captures.get_mut(&capture) {
        capture.memory.push(memory);
    }
}

/// That memory belongs to a graph that is being captured.
pub(super) fn check_owned(capture: Id, address: usize) -> Result {
    let state = stream::lock();
    let memory = state.captures.get(&capture).map(|c| &c.memory);
    if memory.is_some_and(|memory| memory.iter().any(|m| m.address() == address)) {
        Ok(())
    } else {
        Err(error::STREAM_CAPTURE_UNSUPPORTED)
    }
}

pub(super) unsafe fn hipStreamBeginCapture(stream: hip::Stream, mode: c_int) -> Result {
    if !matches!(mode, flag::CAPTURE_GLOBAL..=flag::CAPTURE_RELAXED) {
        return Err(error::INVALID_VALUE);
    }
    let mut state = stream::lock();
    let id = state.find(stream)?;
    if id == DEFAULT {
        return Err(error::STREAM_CAPTURE_UNSUPPORTED);
    }
    let capture = state.number();
    let stream = state.streams.get_mut(&id).ok_or(error::CONTEXT_IS_DESTROYED)?;
    if stream.capture.is_some() {
        return Err(error::ILLEGAL_STATE);
    }
    stream.capture = Some(Member { capture, clock: Clock::new() });
    state.captures.insert(
        capture,
        Capture {
            origin: id,
            mode,
            thread: std::thread::current().id(),
            is_valid: true,
            steps: Vec::new(),
            counts: Clock::new(),
            memory: Vec::new(),
        },
    );
    Ok(())
}

pub(super) unsafe fn hipStreamEndCapture(stream: hip::Stream, graph: *mut hip::Graph) -> Result {
    if graph.is_null() {
        return Err(error::INVALID_VALUE);
    }
    let mut state = stream::lock();
    let id = state.find(stream)?;
    let Some(Member { capture: number, clock }) = state.streams.get(&id).and_then(|s| s.capture.as_ref())
    else {
        return Err(error::ILLEGAL_STATE);
    };
    let (number, clock) = (*number, clock.clone());
    let Some(capture) = state.captures.get(&number) else { return Err(error::ILLEGAL_STATE) };
    if capture.origin != id {
        return Err(error::STREAM_CAPTURE_UNMATCHED);
    }
    if capture.mode != flag::CAPTURE_RELAXED && !capture.is_of_this_thread() {
        return Err(error::STREAM_CAPTURE_WRONG_THREAD);
    }
    let Some(capture) = state.abandon(number) else { return Err(error::ILLEGAL_STATE) };
    let joined = capture.counts.iter().all(|(stream, count)| clock.get(stream) == Some(count));
    let outcome = match (capture.is_valid, joined) {
        (false, _) => Err(error::STREAM_CAPTURE_INVALIDATED),
        (true, false) => Err(error::STREAM_CAPTURE_UNJOINED),
        (true, true) => {
            let id = state.number();
            state.graphs.insert(id, Arc::new(Graph { steps: capture.steps, _memory: capture.memory }));
            Ok(id)
        }
    };
    // SAFETY: the caller's promise. Zero is NULL.
    unsafe { put(graph, std::ptr::without_provenance_mut(outcome.unwrap_or(0))) }?;
    outcome.map(drop)
}

const STATUS_NONE: c_int = 0;
const STATUS_INVALIDATED: c_int = 2;

/// Whether a stream is capturing, and the number of the capture.
fn status(stream: hip::Stream) -> Result<(c_int, u64)> {
    let mut state = stream::lock();
    let id = state.find(stream)?;
    Ok(match state.clock_of(id) {
        Ok(None) => (STATUS_NONE, 0),
        Ok(Some((capture, _))) => (flag::CAPTURE_ACTIVE, capture as u64),
        Err(_) => (STATUS_INVALIDATED, 0),
    })
}

pub(super) unsafe fn hipStreamIsCapturing(stream: hip::Stream, to: *mut c_int) -> Result {
    let (status, _) = status(stream)?;
    // SAFETY: the caller's promise.
    unsafe { put(to, status) }
}

pub(super) unsafe fn hipStreamGetCaptureInfo(stream: hip::Stream, to: *mut c_int, id: *mut u64) -> Result {
    let (status, number) = status(stream)?;
    // SAFETY: the caller's promise. The number may be left out.
    unsafe {
        put(to, status)?;
        let _ = put(id, number);
    }
    Ok(())
}

pub(super) unsafe fn hipThreadExchangeStreamCaptureMode(mode: *mut c_int) -> Result {
    if mode.is_null() {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise: not null, and a mode.
    let new = unsafe { mode.read() };
    if !matches!(new, flag::CAPTURE_GLOBAL..=flag::CAPTURE_RELAXED) {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: as above.
    unsafe { put(mode, MODE.replace(new)) }
}

pub(super) unsafe fn hipGraphCreate(graph: *mut hip::Graph, flags: c_uint) -> Result {
    if graph.is_null() || flags != 0 {
        return Err(error::INVALID_VALUE);
    }
    let mut state = stream::lock();
    let id = state.number();
    state.graphs.insert(id, Arc::default());
    // SAFETY: the caller's promise.
    unsafe { put(graph, std::ptr::without_provenance_mut(id)) }
}

pub(super) unsafe fn hipGraphDestroy(graph: hip::Graph) -> Result {
    let removed = stream::lock().graphs.remove(&graph.addr());
    removed.map(drop).ok_or(error::INVALID_VALUE)
}

fn instantiate(graph: hip::Graph) -> Result<hip::GraphExec> {
    let mut state = stream::lock();
    let graph = state.graphs.get(&graph.addr()).cloned().ok_or(error::INVALID_VALUE)?;
    let id = state.number();
    state.execs.insert(id, Arc::new(Exec { graph, running: Mutex::new(()) }));
    Ok(std::ptr::without_provenance_mut(id))
}

pub(super) unsafe fn hipGraphInstantiate(
    exec: *mut hip::GraphExec,
    graph: hip::Graph,
    error_node: *mut hip::GraphNode,
    log: *mut c_char,
    log_bytes: usize,
) -> Result {
    if exec.is_null() {
        return Err(error::INVALID_VALUE);
    }
    let value = instantiate(graph)?;
    // SAFETY: the caller's promise. No node is at fault, and there is nothing to log.
    unsafe {
        let _ = put(error_node, std::ptr::null_mut());
        if log_bytes > 0 {
            let _ = put(log, 0);
        }
        put(exec, value)
    }
}

/// Memory of the graph is freed with it, or by the program, so that no flag makes a difference.
pub(super) unsafe fn hipGraphInstantiateWithFlags(
    exec: *mut hip::GraphExec,
    graph: hip::Graph,
    _: u64,
) -> Result {
    if exec.is_null() {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { put(exec, instantiate(graph)?) }
}

fn exec(exec: hip::GraphExec) -> Result<Arc<Exec>> {
    stream::lock().execs.get(&exec.addr()).cloned().ok_or(error::INVALID_VALUE)
}

pub(super) unsafe fn hipGraphLaunch(graph: hip::GraphExec, stream: hip::Stream) -> Result {
    let exec = exec(graph)?;
    let job: Job = Arc::new(move |queue| {
        let _one = exec.running.lock().unwrap_or_else(PoisonError::into_inner);
        exec.graph.steps.iter().try_for_each(|step| step.run(queue))?;
        queue.sync()
    });
    stream::enqueue(stream, job)
}

/// There is nothing to prepare.
pub(super) unsafe fn hipGraphUpload(graph: hip::GraphExec, stream: hip::Stream) -> Result {
    exec(graph)?;
    stream::check(stream)
}

pub(super) unsafe fn hipGraphExecDestroy(graph: hip::GraphExec) -> Result {
    let removed = stream::lock().execs.remove(&graph.addr());
    removed.map(drop).ok_or(error::INVALID_VALUE)
}
