//! Captured graphs.

use std::ptr::null_mut;
use std::sync::Arc;

use blas_api::{RawGraph, Result};

use crate::context::Context;
use crate::driver::{Graph, GraphExec};
use crate::memory::CudaMemory;
use crate::scratch::Held;

/// A recorded sequence of calls, with what its kernels use: the stream, the libraries' handles and both workspaces.
pub(crate) struct CudaGraph {
    exec: GraphExec,
    context: Arc<Context>,
    #[expect(dead_code, reason = "keeps the memory")]
    scratch: Arc<Held>,
    #[expect(dead_code, reason = "keeps the memory")]
    workspace: Option<Arc<CudaMemory>>,
}

// SAFETY: graphs may be used by any thread, by one at a time.
unsafe impl Send for CudaGraph {}

/// Starts to record the stream's calls. In relaxed mode: what other threads do is no concern of this graph, nor is a buffer
/// that is dropped meanwhile; calls of the handle itself that would allocate or wait are refused before they reach the driver.
pub(crate) fn begin(context: &Context) -> Result {
    context.gpu.begin_capture(context.stream)
}

/// Ends [`begin`]. What was recorded, to be given to [`CudaGraph::new`].
pub(crate) fn end(context: &Context) -> Result<Recorded<'_>> {
    let mut graph = null_mut();
    // SAFETY: the stream lives; writes one graph.
    unsafe { context.library.driver.cuStreamEndCapture("capture", context.stream, &mut graph) }?;
    Ok(Recorded { context, graph })
}

/// A graph that cannot be launched yet.
pub(crate) struct Recorded<'a> {
    context: &'a Context,
    graph: Graph,
}

impl Drop for Recorded<'_> {
    fn drop(&mut self) {
        // SAFETY: from cuStreamEndCapture, not used again.
        let _ = unsafe { self.context.library.driver.cuGraphDestroy("capture", self.graph) };
    }
}

impl CudaGraph {
    pub(crate) fn new(
        recorded: &Recorded<'_>,
        context: &Arc<Context>,
        scratch: Arc<Held>,
        workspace: Option<Arc<CudaMemory>>,
    ) -> Result<CudaGraph> {
        let mut exec = null_mut();
        // SAFETY: writes one executable graph.
        unsafe {
            context.library.driver.cuGraphInstantiateWithFlags("capture", &mut exec, recorded.graph, 0)
        }?;
        Ok(CudaGraph { exec, context: Arc::clone(context), scratch, workspace })
    }
}

impl RawGraph for CudaGraph {
    unsafe fn launch(&self) -> Result {
        let Context { library, gpu, stream, .. } = *self.context;
        gpu.make_current("launch")?;
        // SAFETY: both live; the caller answers for the memory.
        unsafe { library.driver.cuGraphLaunch("launch", self.exec, stream) }
    }
}

impl Drop for CudaGraph {
    fn drop(&mut self) {
        // A launched graph must be done before its memory can go to the next routine or be freed.
        let _ = self.context.gpu.make_current("drop");
        let _ = self.context.sync("drop");
        // SAFETY: made by `new`, not used again.
        let _ = unsafe { self.context.library.driver.cuGraphExecDestroy("drop", self.exec) };
    }
}
