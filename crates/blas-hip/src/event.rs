//! Events.

use std::any::Any;

use blas_api::{DeviceId, RawEvent, Result};
use hipblas_abi::hip::{self, flag};

use crate::context::Context;
use crate::library::Library;
use crate::status;

/// A point in a stream, without a time stamp.
pub struct HipEvent {
    library: &'static Library,
    device: DeviceId,
    event: hip::Event,
}

// SAFETY: HIP's events may be used by any thread, and by several at once.
unsafe impl Send for HipEvent {}
// SAFETY: as above.
unsafe impl Sync for HipEvent {}

impl HipEvent {
    /// An event that is not in a stream yet. The context's device is current.
    pub(crate) fn new(context: &Context, routine: &'static str) -> Result<HipEvent> {
        let Context { library, device, .. } = *context;
        let mut event = std::ptr::null_mut();
        // SAFETY: writes one event.
        unsafe { library.hip.hipEventCreateWithFlags(routine, &mut event, flag::EVENT_DISABLE_TIMING) }?;
        Ok(HipEvent { library, device, event })
    }

    /// Marks this point of the context's stream. Its device is current.
    pub(crate) fn mark(&self, context: &Context, routine: &'static str) -> Result {
        // SAFETY: both are of the current device and live.
        unsafe { context.library.hip.hipEventRecord(routine, self.event, context.stream) }
    }

    /// Lets later work of a stream start only after the event. `false` if the event is another HIP runtime's.
    pub(crate) fn wait_in(&self, context: &Context) -> Result<bool> {
        if !std::ptr::eq(self.library, context.library) {
            return Ok(false);
        }
        // SAFETY: both live; the devices may differ.
        unsafe { self.library.hip.hipStreamWaitEvent("wait", context.stream, self.event, 0) }?;
        Ok(true)
    }
}

impl RawEvent for HipEvent {
    fn sync(&self) -> Result {
        // SAFETY: the event lives.
        unsafe { self.library.hip.hipEventSynchronize("sync", self.event) }
    }

    fn is_done(&self) -> Result<bool> {
        // SAFETY: the event lives.
        match unsafe { self.library.hip.hipEventQuery("is_done", self.event) } {
            Ok(()) => Ok(true),
            Err(e) if status::is_hip(&e, hip::error::NOT_READY) => Ok(false),
            Err(e) => Err(e),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for HipEvent {
    fn drop(&mut self) {
        // There is nobody to tell of a failure.
        let _ = self.library.set_device("drop", self.device);
        // SAFETY: made by `record`, not used again; the runtime keeps it until the stream has passed.
        let _ = unsafe { self.library.hip.hipEventDestroy("drop", self.event) };
    }
}
