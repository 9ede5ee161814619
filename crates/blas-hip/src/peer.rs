//! Copies between devices.

use std::sync::{Mutex, MutexGuard, PoisonError};

use blas_api::{DeviceId, Result};
use blas_gpu::Queue;
use hipblas_abi::hip::{Stream, flag};

use crate::context::Context;
use crate::device::ordinal;
use crate::library::Library;

/// The streams that have copied from memory of another device than their own. `hipFree` waits for the work of the memory's
/// device, but not for theirs.
#[derive(Default)]
pub(crate) struct Visitors(Mutex<Vec<Visitor>>);

/// A stream, and the device that it copies from.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Visitor {
    from: DeviceId,
    device: DeviceId,
    stream: Stream,
}

impl Visitors {
    /// Holds the list: no stream is destroyed, and none begins to be captured, while memory waits for it.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<Visitor>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the work of the streams that copy from a device, and says whether all of it is done. Leaves any of their
    /// devices the current one.
    pub(crate) fn wait(&self, library: &Library, from: DeviceId) -> bool {
        let all = self.lock();
        let done: Vec<bool> =
            all.iter().filter(|v| v.from == from).map(|v| v.wait(library).is_ok()).collect();
        done.into_iter().all(|done| done)
    }
}

impl Visitor {
    fn wait(&self, library: &Library) -> Result {
        // The null stream is another one on each device.
        library.set_device("free", self.device)?;
        let mut status = 0;
        // SAFETY: the stream lives as long as it is in the list; writes one number.
        unsafe {
            library.hip.hipStreamIsCapturing("free", self.stream, &mut status)?;
            // While its calls are recorded it has no work, and must not be waited for.
            if status == flag::CAPTURE_ACTIVE {
                return Ok(());
            }
            library.hip.hipStreamSynchronize("free", self.stream)
        }
    }
}

impl Context {
    /// Lets memory of another device be freed only when this stream has passed, and reach it if there is a way.
    pub(crate) fn visit(&self, routine: &'static str, peer: DeviceId) {
        let mut visited = self.visited.lock().unwrap_or_else(PoisonError::into_inner);
        if !visited.contains(&peer) {
            visited.push(peer);
            self.library.visitors.lock().push(self.visitor(peer));
            self.reach(routine, peer);
        }
    }

    fn visitor(&self, from: DeviceId) -> Visitor {
        Visitor { from, device: self.device(), stream: self.stream }
    }

    /// Ends what [`visit`](Self::visit) began. All work of the stream is done.
    pub(crate) fn leave_peers(&mut self) {
        let visited = std::mem::take(self.visited.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut all = self.library.visitors.lock();
        for from in visited {
            // Another handle may be on the same stream.
            if let Some(i) = all.iter().position(|v| *v == self.visitor(from)) {
                all.swap_remove(i);
            }
        }
    }

    /// Lets the device reach the memory of another one if there is a way. Without it the runtime copies through the host.
    fn reach(&self, routine: &'static str, peer: DeviceId) {
        let (hip, mut can) = (&self.library.hip, 0);
        // SAFETY: writes one number; the device is current. HIP 7 keeps an error, here that another library was first, until
        // it is read, where other code in the process would find it.
        unsafe {
            let asked = hip.hipDeviceCanAccessPeer(routine, &mut can, ordinal(self.device()), ordinal(peer));
            if asked.is_ok() && can != 0 && hip.hipDeviceEnablePeerAccess(routine, ordinal(peer), 0).is_err()
            {
                let _ = hip.hipGetLastError(routine);
            }
        }
    }
}
