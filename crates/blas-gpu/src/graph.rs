//! Captured graphs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use blas_api::{Error, RawGraph, Result};

use crate::queue::Queue;
use crate::scratch::Held;

/// Whether a handle captures a graph. Held while graphs are launched, which must not come between its calls.
pub(crate) fn lock(captures: &Mutex<bool>) -> MutexGuard<'_, bool> {
    captures.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A recorded sequence of calls, with what its kernels use: the queue and both workspaces.
pub(crate) struct Graph<Q: Queue> {
    exec: Q::Exec,
    queue: Arc<Q>,
    /// Whether the handle captures another graph.
    captures: Arc<Mutex<bool>>,
    scratch: Option<Arc<Held<Q>>>,
    #[expect(dead_code, reason = "keeps the memory")]
    workspace: Option<Arc<Q::Memory>>,
}

impl<Q: Queue> Graph<Q> {
    /// A graph that the queue has ended, with its scratch memory if that could be filled.
    pub(crate) fn new(
        exec: Q::Exec,
        queue: Arc<Q>,
        captures: Arc<Mutex<bool>>,
        scratch: Result<Arc<Held<Q>>>,
        workspace: Option<Arc<Q::Memory>>,
    ) -> Result<Self> {
        let mut graph = Graph { exec, queue, captures, scratch: None, workspace };
        // The graph is ended if this fails.
        graph.scratch = Some(scratch?);
        Ok(graph)
    }
}

impl<Q: Queue> RawGraph for Graph<Q> {
    unsafe fn launch(&self) -> Result {
        let captures = lock(&self.captures);
        if *captures {
            let what = "the launch of a graph while its handle captures another";
            return Err(Error::NotAvailable { what, backend: Q::NAME });
        }
        self.queue.make_current("launch")?;
        // SAFETY: the caller answers for the memory of the calls, the fields for the rest.
        unsafe { self.queue.launch(&self.exec) }
    }
}

impl<Q: Queue> Drop for Graph<Q> {
    fn drop(&mut self) {
        let captures = lock(&self.captures);
        // There is nobody to tell of a failure.
        let _ = self.queue.make_current("drop");
        // A launched graph must be done before its memory can go to the next routine or be freed. Before a capture began all
        // were, and a wait would end it.
        if !*captures {
            let _ = self.queue.sync("drop");
        }
        self.queue.destroy(&self.exec);
    }
}
