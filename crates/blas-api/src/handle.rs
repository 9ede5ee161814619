//! [`Handle`]: what routines are called on.

use std::cell::Cell;
use std::marker::PhantomData;

use crate::*;

/// A stream of a device, with the vendor's handle and workspace: what routines are called on, through
/// [`Level1`], [`Level2`], [`Level3`] and [`Solver`].
///
/// A handle may be sent to another thread and is used by one at a time; many handles a device are normal. Work runs in
/// stream order; between handles, order is made by [`record`](Self::record) and [`wait`](Self::wait).
pub struct Handle<B: Backend> {
    raw: B::Raw,
    not_sync: PhantomData<Cell<()>>,
}

impl<B: Backend> Handle<B> {
    /// From a backend's raw handle.
    pub fn from_raw(raw: B::Raw) -> Self {
        Handle { raw, not_sync: PhantomData }
    }

    /// The raw handle.
    pub fn raw(&self) -> &B::Raw {
        &self.raw
    }

    /// The raw handle, to be wrapped.
    pub fn into_raw(self) -> B::Raw {
        self.raw
    }

    /// The device.
    pub fn device(&self) -> DeviceId {
        self.raw.device()
    }

    /// Waits for all work of this handle.
    pub fn sync(&self) -> Result {
        self.raw.sync()
    }

    /// The policies in force.
    pub fn policy(&self) -> Policy {
        self.raw.policy()
    }

    /// Puts other policies in force for the calls that follow.
    pub fn set_policy(&self, policy: Policy) -> Result {
        self.raw.set_policy(policy)
    }

    /// Sets [`Policy::precision`].
    pub fn set_precision(&self, precision: Precision) -> Result {
        self.set_policy(Policy { precision, ..self.policy() })
    }

    /// Sets [`Policy::determinism`].
    pub fn set_determinism(&self, determinism: Determinism) -> Result {
        self.set_policy(Policy { determinism, ..self.policy() })
    }

    /// Sets [`Policy::threads`].
    pub fn set_threads(&self, threads: Threads) -> Result {
        self.set_policy(Policy { threads, ..self.policy() })
    }

    /// Sets [`Policy::workspace`].
    pub fn set_workspace(&self, workspace: Workspace) -> Result {
        self.set_policy(Policy { workspace, ..self.policy() })
    }

    /// Whether the backend has a routine for a type, in plain and batched forms. For `gemm_ex` see
    /// [`supports_types`](Self::supports_types).
    pub fn supports(&self, routine: Routine, dtype: DType) -> bool {
        self.supports_types(routine, Types::One(dtype)) == Support::Yes
    }

    /// Whether the backend has a routine for some types, and if not, why.
    pub fn supports_types(&self, routine: Routine, types: Types) -> Support {
        self.raw.supports(routine, types)
    }

    /// Allocates `len` elements, all zero.
    pub fn alloc<T: Element>(&self, len: usize) -> Result<Buffer<T, B>> {
        let bytes = crate::buffer::bytes::<T>("alloc", len)?;
        Ok(Buffer::new(self.raw.alloc(bytes)?, len, self.device()))
    }

    /// Copies a host slice into a new buffer.
    pub fn upload<T: Element>(&self, src: &[T]) -> Result<Buffer<T, B>> {
        let mut buffer = self.alloc(src.len())?;
        buffer.upload(self, src)?;
        Ok(buffer)
    }

    /// Marks this point of the handle's work, for another handle to wait for.
    pub fn record(&self) -> Result<Event<B>> {
        Ok(Event { raw: self.raw.record()?, marker: PhantomData })
    }

    /// Lets the calls that follow start only after the event.
    pub fn wait(&self, event: &Event<B>) -> Result {
        self.raw.wait(&*event.raw)
    }

    /// Records the calls that `f` makes into a graph in place of running them. Not every backend can; a call that
    /// would allocate or wait meanwhile is an error, so set [`Workspace::Fixed`] before, and take results on the device.
    ///
    /// The graph does what the calls would do one after the other. Those that do not need each other's results may run at the
    /// same time: on NVIDIA GPUs products of single and strided operands do, by the operands' addresses. The graphs of a handle
    /// have up to seven more workspaces for that, as large as the fixed one and 256 MiB with it at most.
    pub fn capture(&self, f: impl FnOnce(&Self) -> Result) -> Result<Graph<B>> {
        /// Ends the capture if `f` panics.
        struct Capturing<'h, R: RawHandle>(&'h R);
        impl<R: RawHandle> Drop for Capturing<'_, R> {
            fn drop(&mut self) {
                // What was captured is not wanted, and the panic says what went wrong.
                let _ = self.0.end_capture();
            }
        }
        self.raw.begin_capture()?;
        let capturing = Capturing(&self.raw);
        let called = f(self);
        std::mem::forget(capturing);
        let graph = self.raw.end_capture();
        called?;
        Ok(Graph { raw: graph?, marker: PhantomData })
    }

    /// The same handle with its backend known at run time only. Buffers and views follow by their own `erase`.
    pub fn erase(self) -> Handle<Any> {
        Handle::<Any>::from_raw(Box::new(self.raw))
    }

    /// Puts a layer before the handle. Views are then of the backend [`WithLayer<B, L>`](WithLayer): of slices where `B`
    /// computes in host memory, else of buffers from the new handle.
    pub fn layered<L: Layer + 'static>(self, layer: L) -> Handle<WithLayer<B, L>> {
        Handle::from_raw(Layered { inner: self.raw, layer })
    }

    /// Runs a lowered call by the method of its routine.
    #[inline(always)]
    pub(crate) fn launch<D: Descriptor>(&self, d: &D, routine: unsafe fn(&B::Raw, &D) -> Result) -> Result {
        if d.is_noop() {
            return Ok(());
        }
        // SAFETY: inside this crate, descriptors come from the lowering functions, which have checked the call; the
        // views and batches that it points into are borrowed by the caller until after the launch.
        unsafe { routine(&self.raw, d) }
    }
}

/// Anything that routines can be called on. Implement it for a type that wraps a handle, and the traits
/// [`Level1`], [`Level2`], [`Level3`] and [`Solver`] follow.
pub trait AsHandle<B: Backend> {
    /// The handle.
    fn as_handle(&self) -> &Handle<B>;
}

impl<B: Backend> AsHandle<B> for Handle<B> {
    fn as_handle(&self) -> &Handle<B> {
        self
    }
}

/// A backend with a [`Layer`] before it.
pub struct WithLayer<B, L>(PhantomData<(B, L)>);

impl<B: Backend, L: Layer + 'static> Backend for WithLayer<B, L> {
    type Raw = Layered<B::Raw, L>;
    const NAME: &'static str = B::NAME;
}

// SAFETY: a layer leaves memory and order as they are.
unsafe impl<B: HostMemory, L: Layer + 'static> HostMemory for WithLayer<B, L> {}

/// A point in a handle's work: see [`Handle::record`].
pub struct Event<B> {
    raw: Box<dyn RawEvent>,
    marker: PhantomData<fn() -> B>,
}

impl<B> Event<B> {
    /// Waits on the host until the point has been passed.
    pub fn sync(&self) -> Result {
        self.raw.sync()
    }

    /// Whether it has been passed.
    pub fn is_done(&self) -> Result<bool> {
        self.raw.is_done()
    }
}

/// A recorded sequence of calls: see [`Handle::capture`].
pub struct Graph<B> {
    raw: Box<dyn RawGraph>,
    marker: PhantomData<fn() -> B>,
}

impl<B> Graph<B> {
    /// Enqueues the sequence on the handle that it was captured from.
    ///
    /// # Safety
    /// The graph borrows nothing: every buffer that the captured calls name must still be there, and until the sequence
    /// is done nothing else may use those that it writes, nor write those that it reads.
    pub unsafe fn launch(&self) -> Result {
        // SAFETY: the caller's promise.
        unsafe { self.raw.launch() }
    }
}
