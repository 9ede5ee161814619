//! What a backend writes: [`Backend`], [`Driver`] and [`RawHandle`].

use std::any::Any as StdAny;

use crate::*;

/// Memory owned by a [`Buffer`] or a [`HostBuffer`]. Freed when dropped, after all work that uses it is done; that of a host buffer
/// is dropped then.
///
/// # Safety
/// `ptr` is valid for `len` bytes of memory (of the device, or of the host) until the value is dropped, aligned to at least 64 bytes (or
/// dangling for a length of 0), and the bytes were zero when it was made.
pub unsafe trait RawMemory: Send + Sync {
    /// Start of the memory.
    fn ptr(&self) -> *mut u8;
    /// Its length in bytes.
    fn len(&self) -> usize;
    /// Whether it is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A recorded sequence of calls.
pub trait RawGraph: Send {
    /// Enqueues the sequence.
    ///
    /// # Safety
    /// All memory that the recorded calls name is still there, as when they were recorded, and nothing else uses what
    /// they write until they are done.
    unsafe fn launch(&self) -> Result;
}

macro_rules! raw_handle { ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
    /// The raw backend interface: one method a routine, each with a default that answers
    /// [`Unsupported`](Error::Unsupported). Object safe: `Box<dyn RawHandle>` is itself a `RawHandle`.
    ///
    /// A handle owns its stream, vendor handle and workspace. It may be sent to another thread, and is used by one
    /// thread at a time. Backends see column-major descriptors only and never validate: see [`desc`](crate::desc).
    ///
    /// # Safety
    /// An implementation performs exactly the operation that the descriptor states, touches no other memory, and
    /// has no use for host memory after the call has returned (a call that cannot keep this while a graph is captured is
    /// an error), but for [`start_upload`](Self::start_upload) and [`start_download`](Self::start_download) until their
    /// events. [`alloc`](Self::alloc) gives at least the bytes asked for. Handles of equal
    /// [`device`](Self::device) can use each other's memory.
    pub unsafe trait RawHandle: Send {
        /// The device.
        fn device(&self) -> DeviceId;

        /// Waits for all work enqueued so far.
        fn sync(&self) -> Result;

        /// The policies in force.
        fn policy(&self) -> Policy;

        /// Puts other policies in force for the calls that follow.
        fn set_policy(&self, policy: Policy) -> Result;

        /// Whether the routine is there for these types, in plain and in both batched forms.
        fn supports(&self, routine: Routine, types: Types) -> Support;

        /// Rules of the contract that this backend does not keep.
        fn deviations(&self) -> &'static [Deviation] {
            &[]
        }

        /// Allocates zeroed device memory, in stream order.
        fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>>;

        /// Copies host memory to the device and waits until the host memory may be reused.
        ///
        /// # Safety
        /// Both pointers are valid for `bytes`.
        unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result;

        /// Copies device memory to the host, in stream order, and waits for it.
        ///
        /// # Safety
        /// Both pointers are valid for `bytes`.
        unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result;

        /// Copies within the device, in stream order.
        ///
        /// # Safety
        /// Both pointers are valid for `bytes`, and the ranges do not overlap.
        unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result;

        /// Copies from memory of another device of the same backend, in stream order.
        ///
        /// # Safety
        /// Both pointers are valid for `bytes`, `src` on the device `from` and `dst` on this one.
        unsafe fn copy_peer(&self, src: *const u8, from: DeviceId, dst: *mut u8, bytes: usize) -> Result {
            let _ = (src, from, dst, bytes);
            Err(Error::NotAvailable { what: "a copy between devices", backend: self.device().backend })
        }

        /// Allocates zeroed host memory, of the kind that [`start_upload`](Self::start_upload) and
        /// [`start_download`](Self::start_download) copy best. A device may use it until it is dropped.
        fn alloc_host(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
            Ok(Box::new(HostBlock::zeroed(self.device(), bytes)?))
        }

        /// Copies host memory to the device, in stream order and without a wait where the backend can. The host memory is
        /// in use until the event has passed; after an error it is not.
        ///
        /// # Safety
        /// Both pointers are valid for `bytes`, until the event has passed.
        unsafe fn start_upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
            // SAFETY: the caller's promise.
            unsafe { self.upload(src, dst, bytes) }?;
            Ok(Box::new(Passed))
        }

        /// Copies device memory to the host, in stream order and without a wait where the backend can. The host memory is
        /// in use until the event has passed; after an error it is not.
        ///
        /// # Safety
        /// Both pointers are valid for `bytes`, until the event has passed; nothing else uses the host memory until then.
        unsafe fn start_download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
            // SAFETY: the caller's promise.
            unsafe { self.download(src, dst, bytes) }?;
            Ok(Box::new(Passed))
        }

        /// Marks this point of the stream.
        fn record(&self) -> Result<Box<dyn RawEvent>>;

        /// Lets later work of this stream start only after the event. One of another backend is waited for on the host.
        fn wait(&self, event: &dyn RawEvent) -> Result;

        /// Starts to record calls in place of running them.
        fn begin_capture(&self) -> Result {
            Err(Error::NotAvailable { what: "graph capture", backend: self.device().backend })
        }

        /// Ends [`begin_capture`](Self::begin_capture).
        fn end_capture(&self) -> Result<Box<dyn RawGraph>> {
            Err(Error::NotAvailable { what: "graph capture", backend: self.device().backend })
        }

        $(
            #[doc = concat!("Runs `", stringify!($name), "`.")]
            ///
            /// # Safety
            /// The descriptor comes from the lowering of this crate, or keeps the same rules: pointers valid for
            /// all elements described, outputs overlap nothing else, device pointers are of this device.
            unsafe fn $name(&self, d: &$desc) -> Result {
                let _ = d;
                Err(Error::Unsupported {
                    routine: stringify!($name),
                    types: Call::$variant(d).types(),
                    backend: self.device().backend,
                    why: "not implemented",
                })
            }
        )*
    }

    // SAFETY: forwards everything unchanged.
    unsafe impl RawHandle for Box<dyn RawHandle> {
        fn device(&self) -> DeviceId { (**self).device() }
        fn sync(&self) -> Result { (**self).sync() }
        fn policy(&self) -> Policy { (**self).policy() }
        fn set_policy(&self, policy: Policy) -> Result { (**self).set_policy(policy) }
        fn supports(&self, routine: Routine, types: Types) -> Support { (**self).supports(routine, types) }
        fn deviations(&self) -> &'static [Deviation] { (**self).deviations() }
        fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> { (**self).alloc(bytes) }
        unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { (**self).upload(src, dst, bytes) }
        }
        unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { (**self).download(src, dst, bytes) }
        }
        unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { (**self).copy_device(src, dst, bytes) }
        }
        fn alloc_host(&self, bytes: usize) -> Result<Box<dyn RawMemory>> { (**self).alloc_host(bytes) }
        unsafe fn start_upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
            // SAFETY: the caller's promise.
            unsafe { (**self).start_upload(src, dst, bytes) }
        }
        unsafe fn start_download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
            // SAFETY: the caller's promise.
            unsafe { (**self).start_download(src, dst, bytes) }
        }
        unsafe fn copy_peer(&self, src: *const u8, from: DeviceId, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { (**self).copy_peer(src, from, dst, bytes) }
        }
        fn record(&self) -> Result<Box<dyn RawEvent>> { (**self).record() }
        fn wait(&self, event: &dyn RawEvent) -> Result { (**self).wait(event) }
        fn begin_capture(&self) -> Result { (**self).begin_capture() }
        fn end_capture(&self) -> Result<Box<dyn RawGraph>> { (**self).end_capture() }
        $(unsafe fn $name(&self, d: &$desc) -> Result {
            // SAFETY: the caller's promise.
            unsafe { (**self).$name(d) }
        })*
    }

    /// One routine call as a value: what wrappers of a handle see.
    #[derive(Clone, Copy, Debug)]
    #[non_exhaustive]
    pub enum Call<'a> {
        $(#[doc = concat!("`", stringify!($name), "`")] $variant(&'a $desc),)*
    }

    impl Call<'_> {
        /// The routine.
        pub fn routine(&self) -> Routine {
            match self { $(Call::$variant(_) => Routine::$variant,)* }
        }

        /// Type of the main operands.
        pub fn dtype(&self) -> DType {
            match self { $(Call::$variant(d) => d.dtype(),)* }
        }

        /// Number of batch entries.
        pub fn batch(&self) -> usize {
            match self { $(Call::$variant(d) => d.batch(),)* }
        }

        /// Floating-point operations: see [`Descriptor::flops`].
        pub fn flops(&self) -> f64 {
            match self { $(Call::$variant(d) => d.flops(),)* }
        }

        /// Whether nothing is to be done or written: such a call does not reach a backend.
        #[inline]
        pub fn is_noop(&self) -> bool {
            match self { $(Call::$variant(d) => d.is_noop(),)* }
        }

        /// Runs the call on a handle.
        ///
        /// # Safety
        /// As for the methods of [`RawHandle`].
        #[inline]
        pub unsafe fn run<R: RawHandle + ?Sized>(&self, raw: &R) -> Result {
            // SAFETY: the caller's promise.
            unsafe { match self { $(Call::$variant(d) => raw.$name(d),)* } }
        }
    }

    // SAFETY: all but the routines is forwarded unchanged; those a layer gets as a value, together with the inner
    // handle, and an unsafe trait makes its author answer for what it does with them.
    unsafe impl<R: RawHandle, L: Layer> RawHandle for Layered<R, L> {
        fn device(&self) -> DeviceId { self.inner.device() }
        fn sync(&self) -> Result { self.inner.sync() }
        fn policy(&self) -> Policy { self.inner.policy() }
        fn set_policy(&self, policy: Policy) -> Result { self.inner.set_policy(policy) }
        fn supports(&self, routine: Routine, types: Types) -> Support { self.inner.supports(routine, types) }
        fn deviations(&self) -> &'static [Deviation] { self.inner.deviations() }
        fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> { self.inner.alloc(bytes) }
        unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.inner.upload(src, dst, bytes) }
        }
        unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.inner.download(src, dst, bytes) }
        }
        unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.inner.copy_device(src, dst, bytes) }
        }
        fn alloc_host(&self, bytes: usize) -> Result<Box<dyn RawMemory>> { self.inner.alloc_host(bytes) }
        unsafe fn start_upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
            // SAFETY: the caller's promise.
            unsafe { self.inner.start_upload(src, dst, bytes) }
        }
        unsafe fn start_download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
            // SAFETY: the caller's promise.
            unsafe { self.inner.start_download(src, dst, bytes) }
        }
        unsafe fn copy_peer(&self, src: *const u8, from: DeviceId, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.inner.copy_peer(src, from, dst, bytes) }
        }
        fn record(&self) -> Result<Box<dyn RawEvent>> { self.inner.record() }
        fn wait(&self, event: &dyn RawEvent) -> Result { self.inner.wait(event) }
        fn begin_capture(&self) -> Result { self.inner.begin_capture() }
        fn end_capture(&self) -> Result<Box<dyn RawGraph>> { self.inner.end_capture() }
        $(unsafe fn $name(&self, d: &$desc) -> Result {
            // SAFETY: the caller's promise, handed on to the layer.
            unsafe { self.layer.call(&self.inner, Call::$variant(d)) }
        })*
    }
}}
for_each_routine!(raw_handle);

impl Call<'_> {
    /// Types of the operands.
    pub fn types(&self) -> Types {
        match self {
            Call::GemmEx(d) => Types::Gemm(d.types),
            other => Types::One(other.dtype()),
        }
    }
}

/// A point in a stream, recorded by [`RawHandle::record`].
pub trait RawEvent: Send + Sync {
    /// Waits on the host until the stream has passed the point.
    fn sync(&self) -> Result;
    /// Whether the stream has passed it.
    fn is_done(&self) -> Result<bool>;
    /// For the backend to find its own type again.
    fn as_any(&self) -> &dyn StdAny;
}

/// What a wrapper does with each routine call: see [`Layered`].
///
/// # Safety
/// As [`RawHandle`]: the operation is performed, or an error returned, and no other memory is touched.
pub unsafe trait Layer: Send {
    /// Called in place of the routine. Most layers do something and then `call.run(inner)`.
    ///
    /// # Safety
    /// As for the methods of [`RawHandle`].
    unsafe fn call<R: RawHandle>(&self, inner: &R, call: Call<'_>) -> Result;
}

/// A handle with a layer around it: tracing, counting, mocks, fault injection.
pub struct Layered<R, L> {
    /// The handle that does the work.
    pub inner: R,
    /// What stands before it.
    pub layer: L,
}

/// A backend, as a type: `Cpu`, `Hip`, `Cuda`, or one from another crate.
pub trait Backend: Sized + 'static {
    /// Its raw handle.
    type Raw: RawHandle + 'static;
    /// Short lower-case name, as in `"cuda:0"`.
    const NAME: &'static str;
}

/// A backend that finds and opens devices by itself.
pub trait Driver: Backend {
    /// The devices that are there. A missing library or driver is an `Err` that lists what was tried.
    fn devices() -> Result<Vec<Device>>;

    /// Opens device number `index` with a stream of its own.
    fn open(index: usize) -> Result<Handle<Self>>;

    /// What the backend has, known without a device.
    fn supports(routine: Routine, types: Types) -> Support;

    /// What there is on this machine, and what to do about what is missing. Never fails: what cannot be found is a fact too.
    fn diagnose() -> Diagnosis {
        let mut diagnosis = Diagnosis::default();
        diagnosis.devices(&Self::devices());
        diagnosis
    }
}

/// A backend whose device memory is the host's: views can be made of slices without a copy.
///
/// # Safety
/// Device pointers of this backend are host pointers, its only device has index 0, and every call is complete when
/// it returns.
#[diagnostic::on_unimplemented(
    message = "slices are no operands of the backend `{Self}`, whose memory may be a device's",
    note = "upload them to a buffer (`let x = blas.upload(&slice)?;`), or take a handle of the CPU, `Cpu::handle()`"
)]
pub unsafe trait HostMemory: Backend {}

/// The backend chosen at run time: any other, behind one virtual call. Made by [`Handle::erase`].
pub struct Any;

impl Backend for Any {
    type Raw = Box<dyn RawHandle>;
    const NAME: &'static str = "any";
}
