//! Captured graphs.

use std::ptr::null_mut;
use std::sync::Arc;

use blas_api::{RawGraph, Result};
use hipblas_abi::hip::{Graph, GraphExec, flag};

use crate::context::Context;
use crate::memory::HipMemory;
use crate::scratch::Held;

/// A recorded sequence of calls, with what its kernels use: the stream, hipBLAS's handle and both workspaces.
pub(crate) struct HipGraph {
    exec: GraphExec,
    context: Arc<Context>,
    #[expect(dead_code, reason = "keeps the memory")]
    scratch: Arc<Held>,
    #[expect(dead_code, reason = "keeps the memory")]
    workspace: Option<Arc<HipMemory>>,
}

// SAFETY: HIP's graphs may be used by any thread, by one at a time.
unsafe impl Send for HipGraph {}

/// Starts to record the stream's calls. In relaxed mode: what other threads do is no concern of this graph, nor is a buffer
/// that is dropped meanwhile; calls of the handle itself that would allocate or wait are refused before they reach HIP.
pub(crate) fn begin(context: &Context) -> Result {
    // SAFETY: the stream lives.
    unsafe { context.library.hip.hipStreamBeginCapture("capture", context.stream, flag::CAPTURE_RELAXED) }
}

/// Ends [`begin`]. What was recorded, to be given to [`HipGraph::new`].
pub(crate) fn end(context: &Context) -> Result<Recorded<'_>> {
    let mut graph = null_mut();
    // SAFETY: the stream lives; writes one graph.
    unsafe { context.library.hip.hipStreamEndCapture("capture", context.stream, &mut graph) }?;
    Ok(Recorded { context, graph })
}

/// A graph that cannot be launched yet.
pub(crate) struct Recorded<'a> {
    context: &'a Context,
    graph: Graph,
}

impl Drop for Recorded<'_> {
    fn drop(&mut self) {
        // SAFETY: from hipStreamEndCapture, not used again.
        let _ = unsafe { self.context.library.hip.hipGraphDestroy("capture", self.graph) };
    }
}

impl HipGraph {
    pub(crate) fn new(
        recorded: &Recorded<'_>,
        context: &Arc<Context>,
        scratch: Arc<Held>,
        workspace: Option<Arc<HipMemory>>,
    ) -> Result<HipGraph> {
        let mut exec = null_mut();
        // SAFETY: writes one executable graph; no log is asked for.
        unsafe {
            let hip = &context.library.hip;
            hip.hipGraphInstantiate("capture", &mut exec, recorded.graph, null_mut(), null_mut(), 0)
        }?;
        Ok(HipGraph { exec, context: Arc::clone(context), scratch, workspace })
    }
}

impl RawGraph for HipGraph {
    unsafe fn launch(&self) -> Result {
        let Context { library, device, stream, .. } = *self.context;
        library.set_device("launch", device)?;
        // SAFETY: both live; the caller answers for the memory.
        unsafe { library.hip.hipGraphLaunch("launch", self.exec, stream) }
    }
}

impl Drop for HipGraph {
    fn drop(&mut self) {
        // A launched graph must be done before its memory can go to the next routine or be freed.
        let _ = self.context.library.set_device("drop", self.context.device);
        let _ = self.context.sync("drop");
        // SAFETY: made by `new`, not used again.
        let _ = unsafe { self.context.library.hip.hipGraphExecDestroy("drop", self.exec) };
    }
}
