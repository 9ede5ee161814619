//! Events.

use std::any::Any;

use blas_api::{RawEvent, Result};

use crate::context::Context;
use crate::device::Gpu;
use crate::driver::{self, EVENT_DISABLE_TIMING};
use crate::status;

/// A point in a stream, without a time stamp.
pub struct CudaEvent {
    gpu: &'static Gpu,
    event: driver::Event,
}

// SAFETY: events may be used by any thread, and by several at once.
unsafe impl Send for CudaEvent {}
// SAFETY: as above.
unsafe impl Sync for CudaEvent {}

impl CudaEvent {
    /// An event that is not in a stream yet. The context's device is current.
    pub(crate) fn new(context: &Context, routine: &'static str) -> Result<CudaEvent> {
        let mut event = std::ptr::null_mut();
        // SAFETY: writes one event.
        unsafe { context.library.driver.cuEventCreate(routine, &mut event, EVENT_DISABLE_TIMING) }?;
        Ok(CudaEvent { gpu: context.gpu, event })
    }

    /// Marks this point of the context's stream. Its device is current.
    pub(crate) fn mark(&self, context: &Context, routine: &'static str) -> Result {
        // SAFETY: both are of the current device and live.
        unsafe { context.library.driver.cuEventRecord(routine, self.event, context.stream) }
    }

    /// Lets later work of a stream start only after the event.
    pub(crate) fn wait_in(&self, context: &Context) -> Result {
        // SAFETY: both live; the devices may differ.
        unsafe { context.library.driver.cuStreamWaitEvent("wait", context.stream, self.event, 0) }
    }
}

impl RawEvent for CudaEvent {
    fn sync(&self) -> Result {
        self.gpu.make_current("sync")?;
        // SAFETY: the event lives.
        unsafe { self.gpu.library.driver.cuEventSynchronize("sync", self.event) }
    }

    fn is_done(&self) -> Result<bool> {
        self.gpu.make_current("is_done")?;
        // SAFETY: the event lives.
        match unsafe { self.gpu.library.driver.cuEventQuery("is_done", self.event) } {
            Ok(()) => Ok(true),
            Err(e) if status::is_driver(&e, status::driver::NOT_READY) => Ok(false),
            Err(e) => Err(e),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaEvent {
    fn drop(&mut self) {
        // There is nobody to tell of a failure.
        let _ = self.gpu.make_current("drop");
        // SAFETY: made by `record`, not used again; the driver keeps it until the stream has passed.
        let _ = unsafe { self.gpu.library.driver.cuEventDestroy_v2("drop", self.event) };
    }
}
