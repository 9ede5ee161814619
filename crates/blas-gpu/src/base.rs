//! What every GPU's handle has besides routines: policies, memory, copies, events, graphs.

use std::cell::{Cell, RefCell};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};

use blas_api::{DeviceId, Error, Location, Passed, Policy, RawEvent, RawGraph, RawMemory, Result, Workspace};

use crate::graph::{self, Graph};
use crate::queue::{Direction, Queue};
use crate::scratch::{Scratch, whole};

/// The part of a raw handle that is the same for every GPU. The methods with names of
/// [`RawHandle`](blas_api::RawHandle)'s do what it says there.
pub struct Base<Q: Queue> {
    queue: Arc<Q>,
    /// That of the queue, beside what else every call looks at.
    device: DeviceId,
    policy: Cell<Policy>,
    /// The routine that runs or ran last.
    routine: Cell<&'static str>,
    /// Where the library looks for scalars. `None` if not known.
    mode: Cell<Option<Location>>,
    scratch: Scratch<Q>,
    /// The library's workspace, if one was set.
    workspace: RefCell<Option<Arc<Q::Memory>>>,
    capturing: Cell<bool>,
    /// The same for graphs, which other threads may launch.
    captures: Arc<Mutex<bool>>,
}

impl<Q: Queue> Base<Q> {
    /// On a queue whose library has the policy given, and its own workspace.
    pub fn new(queue: Q, policy: Policy) -> Self {
        Base {
            device: queue.device(),
            queue: Arc::new(queue),
            policy: Cell::new(policy),
            routine: Cell::new("open"),
            mode: Cell::new(None),
            scratch: Scratch::default(),
            workspace: RefCell::new(None),
            capturing: Cell::new(false),
            captures: Arc::default(),
        }
    }

    /// The stream with the library's handle.
    pub fn queue(&self) -> &Q {
        &self.queue
    }

    /// The routine that is running.
    pub fn routine(&self) -> &'static str {
        self.routine.get()
    }

    /// Where the library looks for scalars, if that is known.
    #[inline]
    pub fn mode(&self) -> Option<Location> {
        self.mode.get()
    }

    /// Whether a graph is captured.
    #[inline]
    pub fn is_capturing(&self) -> bool {
        self.capturing.get()
    }

    /// The library's workspace and its size in bytes, if one was set.
    pub fn workspace(&self) -> Option<(*mut u8, usize)> {
        self.workspace.borrow().as_ref().map(|memory| (memory.ptr(), memory.len()))
    }

    /// Starts a function: makes the device current for what follows.
    pub fn enter(&self, routine: &'static str) -> Result {
        self.routine.set(routine);
        self.queue.make_current(routine)
    }

    /// Starts a routine, which may use the scratch memory of the one before.
    pub fn start(&self, routine: &'static str) -> Result {
        self.enter(routine)?;
        self.scratch.reset();
        Ok(())
    }

    /// Fails while a graph is captured: for what needs the host.
    pub fn no_capture(&self, what: &'static str) -> Result {
        if self.capturing.get() {
            return Err(Error::NotAvailable { what, backend: Q::NAME });
        }
        Ok(())
    }

    /// Lets the calls that follow find scalars on the host or on the device.
    #[inline]
    pub fn pointer_mode(&self, on: Location) -> Result {
        if self.mode.get() == Some(on) {
            return Ok(());
        }
        // Unknown, should the call fail.
        self.mode.set(None);
        self.queue.set_pointer_mode(self.routine(), on)?;
        self.mode.set(Some(on));
        Ok(())
    }

    /// A piece of scratch memory with any contents.
    pub fn scratch(&self, bytes: usize) -> Result<*mut u8> {
        self.scratch.take(&self.queue, self.routine(), bytes)
    }

    /// How far scratch memory is taken, for [`give_back`](Self::give_back).
    pub fn mark(&self) -> usize {
        self.scratch.mark()
    }

    /// Takes back the scratch memory since a mark. The calls so far may still use it: later ones come after them in the stream.
    pub fn give_back(&self, mark: usize) {
        self.scratch.give_back(mark);
    }

    /// Puts contents into a piece of scratch memory, in stream order. Waits only if the data is large.
    pub fn put(&self, piece: *mut u8, data: &[u8]) -> Result {
        self.scratch.put(&self.queue, self.routine(), piece, data)
    }

    /// Says with a failed allocation of the library what may have caused it.
    #[must_use]
    pub fn with_workspace(&self, error: Error) -> Error {
        match (error, self.policy.get().workspace) {
            (Error::Device { routine, call, status, code }, Workspace::Fixed(bytes)) => Error::Device {
                routine,
                call,
                status: format!(
                    "{status}: the fixed workspace of {bytes} bytes is too small, or the device is full"
                ),
                code,
            },
            (error, _) => error,
        }
    }

    /// The device.
    #[inline]
    pub fn device(&self) -> DeviceId {
        self.device
    }

    #[expect(missing_docs, reason = "RawHandle's")]
    pub fn sync(&self) -> Result {
        self.no_capture("sync while a graph is captured")?;
        self.enter("sync")?;
        self.queue.sync("sync")
    }

    #[expect(missing_docs, reason = "RawHandle's")]
    pub fn policy(&self) -> Policy {
        self.policy.get()
    }

    /// Each part is in force, and told by [`policy`](Self::policy), once it has been set: after an error some may be. The
    /// workspace, which may not be had, comes first.
    pub fn set_policy(&self, policy: Policy) -> Result {
        self.enter("set_policy")?;
        let mut now = self.policy.get();
        if policy.workspace != now.workspace {
            self.set_workspace(policy.workspace)?;
            now.workspace = policy.workspace;
            self.policy.set(now);
        }
        if policy.determinism != now.determinism {
            self.queue.set_determinism(policy.determinism)?;
            now.determinism = policy.determinism;
            self.policy.set(now);
        }
        if policy.precision != now.precision {
            self.queue.set_precision(policy.precision)?;
        }
        self.policy.set(policy);
        Ok(())
    }

    fn set_workspace(&self, workspace: Workspace) -> Result {
        self.no_capture("a change of the workspace while a graph is captured")?;
        let bytes = match workspace {
            Workspace::Fixed(bytes) => Some(bytes),
            _ => None,
        };
        let block = || bytes.map(|b| self.queue.alloc("set_policy", whole(b))).transpose();
        let (scratch, memory) = (block()?, block()?);
        // Work under way uses what is replaced.
        self.queue.sync("set_policy")?;
        let ptr = memory.as_ref().map_or(null_mut(), |m| m.ptr());
        // SAFETY: the memory is kept beside the queue until it is replaced.
        unsafe { self.queue.set_workspace(ptr, bytes.unwrap_or(0)) }?;
        *self.workspace.borrow_mut() = memory.map(Arc::new);
        self.scratch.replace(scratch, bytes);
        Ok(())
    }

    #[expect(missing_docs, reason = "RawHandle's")]
    pub fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
        self.no_capture("an allocation while a graph is captured")?;
        self.enter("alloc")?;
        let memory = self.queue.alloc("alloc", bytes)?;
        if bytes > 0 {
            // SAFETY: valid for `bytes`.
            unsafe { self.queue.fill("alloc", memory.ptr(), 0, bytes) }?;
        }
        Ok(Box::new(memory))
    }

    #[expect(missing_docs, reason = "RawHandle's")]
    pub fn alloc_host(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
        self.enter("host_buffer")?;
        Ok(Box::new(self.queue.alloc_host("host_buffer", bytes)?))
    }

    /// # Safety
    /// As for `RawHandle`.
    pub unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
        self.no_capture("upload while a graph is captured")?;
        self.enter("upload")?;
        // SAFETY: the caller's promise.
        unsafe { self.copy_and_wait(Direction::HostToDevice, src, dst, bytes) }
    }

    /// # Safety
    /// As for `RawHandle`.
    pub unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
        self.no_capture("download while a graph is captured")?;
        self.enter("download")?;
        // SAFETY: the caller's promise.
        unsafe { self.copy_and_wait(Direction::DeviceToHost, src, dst, bytes) }
    }

    /// Copies for the running routine, and waits until the host's side may be used.
    ///
    /// # Safety
    /// Both are valid for `bytes`; no graph is captured.
    pub unsafe fn copy_and_wait(
        &self,
        direction: Direction,
        src: *const u8,
        dst: *mut u8,
        bytes: usize,
    ) -> Result {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise; the host's side is not used after the wait.
        unsafe { self.queue.copy(self.routine(), direction, src, dst, bytes) }?;
        self.queue.sync(self.routine())
    }

    /// # Safety
    /// As for `RawHandle`.
    pub unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
        self.enter("copy_device")?;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe { self.queue.copy("copy_device", Direction::DeviceToDevice, src, dst, bytes) }
    }

    /// # Safety
    /// As for `RawHandle`.
    pub unsafe fn copy_peer(&self, src: *const u8, from: DeviceId, dst: *mut u8, bytes: usize) -> Result {
        self.no_capture("a copy between devices while a graph is captured")?;
        self.enter("copy_from")?;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe { self.queue.copy_peer("copy_from", src, from, dst, bytes) }
    }

    /// # Safety
    /// As for `RawHandle`.
    pub unsafe fn start_upload(
        &self,
        src: *const u8,
        dst: *mut u8,
        bytes: usize,
    ) -> Result<Box<dyn RawEvent>> {
        self.no_capture("upload_async while a graph is captured")?;
        self.enter("upload_async")?;
        // SAFETY: the caller's promise.
        unsafe { self.start_copy(Direction::HostToDevice, src, dst, bytes) }
    }

    /// # Safety
    /// As for `RawHandle`.
    pub unsafe fn start_download(
        &self,
        src: *const u8,
        dst: *mut u8,
        bytes: usize,
    ) -> Result<Box<dyn RawEvent>> {
        self.no_capture("download_async while a graph is captured")?;
        self.enter("download_async")?;
        // SAFETY: the caller's promise.
        unsafe { self.start_copy(Direction::DeviceToHost, src, dst, bytes) }
    }

    unsafe fn start_copy(
        &self,
        direction: Direction,
        src: *const u8,
        dst: *mut u8,
        bytes: usize,
    ) -> Result<Box<dyn RawEvent>> {
        if bytes == 0 {
            return Ok(Box::new(Passed));
        }
        let (queue, routine) = (&self.queue, self.routine());
        let event = queue.event(routine)?;
        // SAFETY: the caller's promise.
        unsafe { queue.copy(routine, direction, src, dst, bytes) }?;
        // After an error no copy may be under way.
        queue.mark(routine, &event).or_else(|_| queue.sync(routine))?;
        Ok(Box::new(event))
    }

    #[expect(missing_docs, reason = "RawHandle's")]
    pub fn record(&self) -> Result<Box<dyn RawEvent>> {
        self.no_capture("record while a graph is captured")?;
        self.enter("record")?;
        let event = self.queue.event("record")?;
        self.queue.mark("record", &event)?;
        Ok(Box::new(event))
    }

    #[expect(missing_docs, reason = "RawHandle's")]
    pub fn wait(&self, event: &dyn RawEvent) -> Result {
        self.no_capture("wait while a graph is captured")?;
        self.enter("wait")?;
        if let Some(event) = event.as_any().downcast_ref::<Q::Event>()
            && self.queue.wait(event)?
        {
            return Ok(());
        }
        event.sync()
    }

    /// Fails if a graph is captured already, else makes the device current.
    pub fn before_capture(&self) -> Result {
        self.no_capture("a graph within a graph")?;
        self.enter("capture")
    }

    #[expect(missing_docs, reason = "RawHandle's")]
    pub fn begin_capture(&self) -> Result {
        self.before_capture()?;
        let mut captures = graph::lock(&self.captures);
        // A graph's scratch memory is filled when it has been captured, and no other work may use it then.
        self.queue.sync("capture")?;
        self.queue.begin_capture()?;
        self.scratch.begin_capture();
        *captures = true;
        self.capturing.set(true);
        Ok(())
    }

    #[expect(missing_docs, reason = "RawHandle's")]
    pub fn end_capture(&self) -> Result<Box<dyn RawGraph>> {
        self.enter("capture")?;
        self.capturing.set(false);
        let mut captures = graph::lock(&self.captures);
        let recorded = self.queue.end_capture();
        *captures = false;
        drop(captures);
        let scratch = self.scratch.end_capture(&self.queue);
        let exec = recorded?;
        let workspace = self.workspace.borrow().clone();
        let (queue, captures) = (Arc::clone(&self.queue), Arc::clone(&self.captures));
        Ok(Box::new(Graph::new(exec, queue, captures, scratch, workspace)?))
    }
}

impl<Q: Queue> Drop for Base<Q> {
    fn drop(&mut self) {
        // Scratch memory is freed before the stream, which may still use it. There is nobody to tell of a failure.
        let _ = self.queue.make_current("drop");
        let _ = self.queue.sync("drop");
    }
}

/// The methods of a [`RawHandle`](blas_api::RawHandle) of a GPU that its [`Base`] has; graphs, which a library may have more
/// to do for, are not among them. For a module with the names of `blas_api` and [`GpuHandle`](crate::GpuHandle).
#[macro_export]
macro_rules! raw_handle_base {
    () => {
        fn device(&self) -> DeviceId {
            self.base().device()
        }
        fn sync(&self) -> Result {
            self.base().sync()
        }
        fn policy(&self) -> Policy {
            self.base().policy()
        }
        fn set_policy(&self, policy: Policy) -> Result {
            self.base().set_policy(policy)
        }
        fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
            self.base().alloc(bytes)
        }
        fn alloc_host(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
            self.base().alloc_host(bytes)
        }
        unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.base().upload(src, dst, bytes) }
        }
        unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.base().download(src, dst, bytes) }
        }
        unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.base().copy_device(src, dst, bytes) }
        }
        unsafe fn copy_peer(&self, src: *const u8, from: DeviceId, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.base().copy_peer(src, from, dst, bytes) }
        }
        unsafe fn start_upload(
            &self,
            src: *const u8,
            dst: *mut u8,
            bytes: usize,
        ) -> Result<Box<dyn RawEvent>> {
            // SAFETY: the caller's promise.
            unsafe { self.base().start_upload(src, dst, bytes) }
        }
        unsafe fn start_download(
            &self,
            src: *const u8,
            dst: *mut u8,
            bytes: usize,
        ) -> Result<Box<dyn RawEvent>> {
            // SAFETY: the caller's promise.
            unsafe { self.base().start_download(src, dst, bytes) }
        }
        fn record(&self) -> Result<Box<dyn RawEvent>> {
            self.base().record()
        }
        fn wait(&self, event: &dyn RawEvent) -> Result {
            self.base().wait(event)
        }
    };
}
