//! What a GPU backend writes of streams and memory.

use blas_api::{Determinism, DeviceId, Location, Precision, RawEvent, RawMemory, Result};

/// The sides of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Host memory to the device.
    HostToDevice,
    /// Device memory to the host.
    DeviceToHost,
    /// Within the device.
    DeviceToDevice,
}

/// A stream of a GPU and the BLAS library's handle that works on it. Handles share it with their graphs.
///
/// The first argument of most functions is the routine that the call is for, which errors name. All but
/// [`make_current`](Self::make_current) are called while the device is current.
pub trait Queue: Send + Sync + Sized + 'static {
    /// Name of the backend.
    const NAME: &'static str;
    /// Device memory. It may be dropped while work that uses it is under way.
    type Memory: RawMemory + Sync + 'static;
    /// Pinned host memory.
    type Host: RawMemory + Sync + 'static;
    /// A point in the stream.
    type Event: RawEvent + 'static;
    /// A captured graph that can be launched.
    type Exec: Send;

    /// The device.
    fn device(&self) -> DeviceId;

    /// Makes the device the calling thread's current one.
    fn make_current(&self, routine: &'static str) -> Result;

    /// Waits for all work of the stream.
    fn sync(&self, routine: &'static str) -> Result;

    /// Device memory with any contents.
    fn alloc(&self, routine: &'static str, bytes: usize) -> Result<Self::Memory>;

    /// Pinned host memory of zeros.
    fn alloc_host(&self, routine: &'static str, bytes: usize) -> Result<Self::Host>;

    /// Copies in stream order, more than 0 bytes.
    ///
    /// # Safety
    /// Both are valid for `bytes` until the stream has passed; they do not overlap.
    unsafe fn copy(
        &self,
        routine: &'static str,
        direction: Direction,
        src: *const u8,
        dst: *mut u8,
        bytes: usize,
    ) -> Result;

    /// Copies from memory of another device, in stream order, more than 0 bytes.
    ///
    /// # Safety
    /// Both are valid for `bytes` until the stream has passed, `src` on that device.
    unsafe fn copy_peer(
        &self,
        routine: &'static str,
        src: *const u8,
        from: DeviceId,
        dst: *mut u8,
        bytes: usize,
    ) -> Result;

    /// Sets device memory to a byte, in stream order, more than 0 of them.
    ///
    /// # Safety
    /// `dst` is valid for `bytes`.
    unsafe fn fill(&self, routine: &'static str, dst: *mut u8, value: u8, bytes: usize) -> Result;

    /// Copies `rows` runs of `width` bytes within the device, in stream order; neither is 0. Pitches are the distances of
    /// runs, at least `width`.
    ///
    /// # Safety
    /// Both are valid for the runs, which do not overlap.
    unsafe fn copy_2d(
        &self,
        routine: &'static str,
        dst: (*mut u8, usize),
        src: (*const u8, usize),
        width: usize,
        rows: usize,
    ) -> Result;

    /// An event, not in the stream yet.
    fn event(&self, routine: &'static str) -> Result<Self::Event>;

    /// Marks this point of the stream by an event.
    fn mark(&self, routine: &'static str, event: &Self::Event) -> Result;

    /// Lets later work of the stream start only after the event. `false` if it can't: the event is another runtime's.
    fn wait(&self, event: &Self::Event) -> Result<bool>;

    /// Starts to record the stream's calls, whatever other threads and streams do meanwhile.
    fn begin_capture(&self) -> Result;

    /// Ends [`begin_capture`](Self::begin_capture).
    fn end_capture(&self) -> Result<Self::Exec>;

    /// Launches a graph on the stream.
    ///
    /// # Safety
    /// The memory that its calls use is there.
    unsafe fn launch(&self, exec: &Self::Exec) -> Result;

    /// Ends a graph, which the stream has passed.
    fn destroy(&self, exec: &Self::Exec);

    /// Where the library finds coefficients and scalar results.
    fn set_pointer_mode(&self, routine: &'static str, on: Location) -> Result;

    /// Whether the library may use atomics.
    fn set_determinism(&self, determinism: Determinism) -> Result;

    /// What the library may compute in.
    fn set_precision(&self, precision: Precision) -> Result;

    /// Gives the library a workspace in place of its own, or takes it away again (null, 0).
    ///
    /// # Safety
    /// The memory is valid until another workspace is set or the queue is gone.
    unsafe fn set_workspace(&self, ptr: *mut u8, bytes: usize) -> Result;
}
