//! Products of a captured graph that do not need each other's results run side by side.
//!
//! A stream that is captured makes one chain of all its calls. Here the capture is told, before each product, which of the graph's nodes it
//! waits for: those that write what it uses or use what it writes, by the addresses of its operands. After it the capture
//! stands after everything so far, so that any other call, of ours or of the stream's owner, keeps its place in the order.
//! Products that may run at the same time need each a workspace of cuBLAS's: a lane. They are as large as that of the handle,
//! since the kernel that cuBLAS chooses depends on it.

use std::cell::RefCell;
use std::ffi::c_uint;
use std::ops::Range;
use std::ptr::{null, null_mut};

use blas_api::*;
use blas_gpu::{GpuHandle, Queue};

use crate::driver::{Node, SET_DEPENDENCIES};
use crate::handle::CudaHandle;
use crate::memory::CudaMemory;

/// Products that may run at the same time at most.
const LANES: usize = 8;
/// Bytes that the workspaces of a graph may have together.
const MEMORY: usize = 256 << 20;

/// The branches of the graph that is captured.
#[derive(Default)]
pub(crate) struct Branches {
    capture: RefCell<Option<Capture>>,
}

/// Addresses that a product reads, and those that it writes.
struct Uses {
    reads: [Range<usize>; 4],
    writes: Range<usize>,
}

/// A product in the graph.
struct Made {
    uses: Uses,
    /// Its last nodes.
    nodes: Vec<Node>,
}

/// A workspace, and the last nodes that use it.
struct Lane {
    workspace: *mut u8,
    nodes: Vec<Node>,
}

struct Capture {
    /// What every product waits for: the calls before it that are none.
    floor: Vec<Node>,
    /// The products since then.
    made: Vec<Made>,
    /// Nodes that none waits for: the capture stands after them.
    tips: Vec<Node>,
    /// The first has the handle's own workspace.
    lanes: Vec<Lane>,
    /// The lane that is used next.
    next: usize,
    /// Bytes of each workspace.
    bytes: usize,
    memory: Vec<CudaMemory>,
}

// SAFETY: addresses and the graph's nodes, which are used by the one owner of the handle.
unsafe impl Send for Capture {}

/// A graph, and the workspaces of its lanes.
struct Branched {
    graph: Box<dyn RawGraph>,
    #[expect(dead_code, reason = "keeps the memory, until the graph is done")]
    memory: Vec<CudaMemory>,
}

impl RawGraph for Branched {
    unsafe fn launch(&self) -> Result {
        // SAFETY: the caller's promise.
        unsafe { self.graph.launch() }
    }
}

impl CudaHandle {
    /// Starts a graph. Without a workspace of a fixed size, or memory for more of them, it will be a chain.
    pub(crate) fn begin_branches(&self) -> Result {
        self.no_capture("a graph within a graph")?;
        let mut capture = None;
        if let Some((workspace, bytes)) = self.base().workspace().filter(|(_, bytes)| *bytes > 0) {
            self.enter("capture")?;
            let more = (MEMORY / bytes).min(LANES).saturating_sub(1);
            let memory: Vec<_> =
                (0..more).map_while(|_| self.context().alloc("capture", bytes).ok()).collect();
            let workspaces = std::iter::once(workspace).chain(memory.iter().map(RawMemory::ptr));
            let lanes: Vec<_> = workspaces.map(|workspace| Lane { workspace, nodes: Vec::new() }).collect();
            if lanes.len() > 1 {
                let (floor, made, tips) = (Vec::new(), Vec::new(), Vec::new());
                capture = Some(Capture { floor, made, tips, lanes, next: 0, bytes, memory });
            }
        }
        self.base().begin_capture()?;
        // A driver before CUDA 12.3, which cannot be asked, makes a chain.
        self.branches.capture.replace(capture.filter(|_| self.position().is_ok()));
        Ok(())
    }

    /// Ends it.
    pub(crate) fn end_branches(&self) -> Result<Box<dyn RawGraph>> {
        let capture = self.branches.capture.take();
        let graph = self.base().end_capture();
        let Some(Capture { lanes, bytes, memory, .. }) = capture else { return graph };
        // SAFETY: the handle's own, which it keeps.
        let back = unsafe { self.context().set_workspace(lanes[0].workspace, bytes) };
        let graph = graph?;
        back?;
        Ok(Box::new(Branched { graph, memory }))
    }

    /// Makes a product, and if a graph is captured, only after the calls that it must wait for.
    ///
    /// # Safety
    /// `make` makes the product of the descriptor, in the handle's stream.
    pub(crate) unsafe fn branch(&self, d: &GemmDesc, make: impl FnOnce() -> Result) -> Result {
        let mut capture = self.branches.capture.borrow_mut();
        let (Some(capture), Some(uses)) = (capture.as_mut(), Uses::of(d)) else { return make() };
        let now = self.position()?;
        if !same(&now, &capture.tips) {
            // Calls that are no products came between: all later ones wait for them.
            capture.made.clear();
            capture.lanes.iter_mut().for_each(|lane| lane.nodes.clear());
            capture.floor = now.clone();
            capture.tips = now;
        }
        let mut after = capture.floor.clone();
        let lane = capture.next;
        capture.next = (lane + 1) % capture.lanes.len();
        let Lane { workspace, nodes } = &capture.lanes[lane];
        add(&mut after, nodes);
        capture.made.iter().filter(|m| m.uses.conflicts(&uses)).for_each(|m| add(&mut after, &m.nodes));
        self.stand_after(&mut after)?;
        // SAFETY: a lane's workspace is there until the graph is gone, and what used it before is waited for.
        let done = unsafe { self.context().set_workspace(*workspace, capture.bytes) }.and_then(|()| make());
        let nodes = self.position()?;
        if !same(&nodes, &after) {
            // What the product waits for needs no waiting for any more.
            capture.tips.retain(|tip| !after.contains(tip));
            add(&mut capture.tips, &nodes);
            capture.lanes[lane].nodes.clone_from(&nodes);
            capture.made.push(Made { uses, nodes });
        }
        self.stand_after(&mut capture.tips)?;
        done
    }

    /// The nodes that the next call of the captured stream would wait for.
    fn position(&self) -> Result<Vec<Node>> {
        let (mut status, mut id, mut graph) = (0 as c_uint, 0, null_mut());
        let (mut nodes, mut kinds, mut count) = (null(), null(), 0);
        let driver = &self.library().driver;
        // SAFETY: the stream lives; writes one of each, and the nodes are there until the stream's next call.
        unsafe {
            driver.cuStreamGetCaptureInfo_v3(
                "capture",
                self.stream(),
                &mut status,
                &mut id,
                &mut graph,
                &mut nodes,
                &mut kinds,
                &mut count,
            )?;
            Ok(if count == 0 { Vec::new() } else { std::slice::from_raw_parts(nodes, count).to_vec() })
        }
    }

    /// Lets the next call of the captured stream wait for these nodes.
    fn stand_after(&self, nodes: &mut [Node]) -> Result {
        let driver = &self.library().driver;
        // SAFETY: nodes of the graph that the stream is captured to.
        unsafe {
            driver.cuStreamUpdateCaptureDependencies_v2(
                "capture",
                self.stream(),
                nodes.as_mut_ptr(),
                // A node waits until all that it depends on is done.
                null(),
                nodes.len(),
                SET_DEPENDENCIES,
            )
        }
    }
}

/// Adds nodes that are not there yet.
fn add(to: &mut Vec<Node>, nodes: &[Node]) {
    for node in nodes {
        if !to.contains(node) {
            to.push(*node);
        }
    }
}

/// Whether two sets of nodes are the same.
fn same(a: &[Node], b: &[Node]) -> bool {
    a.len() == b.len() && a.iter().all(|node| b.contains(node))
}

impl Uses {
    /// Those of a product, where the host knows all addresses.
    fn of(d: &GemmDesc) -> Option<Uses> {
        let span = |m: Matrix, dtype: DType, rows: usize, cols: usize| {
            let Address::Strided { ptr, stride } = m.data else { return None };
            let (start, size) = (ptr.addr(), dtype.size());
            let one = ((cols.max(1) - 1) * m.ld + rows) * size;
            let shift = (d.batch - 1).saturating_mul(stride.unsigned_abs()).saturating_mul(size);
            let (before, after) = if stride < 0 { (shift, 0) } else { (0, shift) };
            Some(start.saturating_sub(before)..start.saturating_add(one).saturating_add(after))
        };
        let stored = |t: Trans, rows, cols| if t.is_transposed() { (cols, rows) } else { (rows, cols) };
        let coef = |c: RawScalar| match c {
            RawScalar::Host(_) => 0..0,
            // The largest coefficient is a c64.
            RawScalar::Device(ptr) => ptr.addr()..ptr.addr() + 16,
        };
        let ((am, an), (bm, bn)) = (stored(d.ta, d.m, d.k), stored(d.tb, d.k, d.n));
        let (a, b) = (span(d.a, d.types.a, am, an)?, span(d.b, d.types.b, bm, bn)?);
        Some(Uses { reads: [a, b, coef(d.alpha), coef(d.beta)], writes: span(d.c, d.types.c, d.m, d.n)? })
    }

    /// Whether a later product must wait for this one.
    fn conflicts(&self, later: &Uses) -> bool {
        let overlap = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
        overlap(&self.writes, &later.writes)
            || later.reads.iter().any(|r| overlap(r, &self.writes))
            || self.reads.iter().any(|r| overlap(r, &later.writes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gemm(a: usize, b: usize, c: usize) -> GemmDesc {
        let at = |address: usize| Matrix {
            data: Address::Strided { ptr: std::ptr::without_provenance_mut(address), stride: 0 },
            ld: 10,
        };
        GemmDesc {
            types: GemmTypes::plain(DType::F32),
            batch: 1,
            ta: Trans::N,
            tb: Trans::T,
            m: 8,
            n: 5,
            k: 3,
            alpha: RawScalar::ONE,
            a: at(a),
            b: at(b),
            beta: RawScalar::ZERO,
            c: at(c),
        }
    }

    #[test]
    fn what_a_product_uses_ends_with_its_last_element() {
        let of = |d: &GemmDesc| Uses::of(d).map(|uses| (uses.reads, uses.writes));
        // A is 8 x 3, B is stored as 5 x 3, C is 8 x 5, all with 10 elements from column to column.
        let expected = ([1000..1112, 2000..2100, 0..0, 0..0], 3000..3192);
        assert_eq!(of(&gemm(1000, 2000, 3000)), Some(expected));
        let mut batched = gemm(1000, 2000, 3000);
        batched.batch = 3;
        let Address::Strided { stride, .. } = &mut batched.a.data else { unreachable!() };
        *stride = -50;
        batched.alpha = RawScalar::Device(std::ptr::without_provenance(64));
        assert_eq!(of(&batched), Some(([600..1112, 2000..2100, 64..80, 0..0], 3000..3192)));
        batched.b.data = Address::Array { ptrs: null(), on: Location::Device };
        assert!(Uses::of(&batched).is_none());
    }

    #[test]
    fn a_product_waits_for_what_it_reads_and_for_the_readers_of_what_it_writes() {
        let conflict = |[a, b, c]: [usize; 3], [d, e, f]: [usize; 3]| {
            Uses::of(&gemm(a, b, c)).zip(Uses::of(&gemm(d, e, f))).map(|(first, then)| first.conflicts(&then))
        };
        let first = [1000, 2000, 3000];
        for (then, waits) in [
            ([1000, 2000, 4000], false),
            ([3000, 2000, 4000], true),
            ([5000, 3191, 4000], true),
            ([5000, 3192, 4000], false),
            ([5000, 6000, 3100], true),
            ([5000, 6000, 1000], true),
            ([5000, 6000, 1900], true),
            ([5000, 6000, 1200], false),
        ] {
            assert_eq!(conflict(first, then), Some(waits), "{then:?}");
        }
    }
}
