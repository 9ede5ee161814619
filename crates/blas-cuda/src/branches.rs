//! Products of a captured graph that do not need each other's results run side by side.
//!
//! A stream that is captured makes one chain of all its calls. Here the capture is told, before each product, which of the graph's nodes it
//! waits for: those that write what it uses or use what it writes, by the addresses of its operands. After it the capture
//! stands after everything so far, so that any other call, of ours or of the stream's owner, keeps its place in the order.
//! Products that may run at the same time need each a workspace of cuBLAS's. They are as large as that of the handle, since the
//! kernel that cuBLAS chooses depends on it, and all graphs of a handle have the same ones: they run one after the other.

use std::cell::RefCell;
use std::ffi::c_uint;
use std::ops::Range;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Weak};

use blas_api::*;
use blas_gpu::{GpuHandle, Queue};

use crate::driver::{Node, SET_DEPENDENCIES};
use crate::handle::CudaHandle;
use crate::memory::CudaMemory;

/// Products that may run at the same time at most.
const LANES: usize = 8;
/// Bytes that their workspaces may have together.
const MEMORY: usize = 256 << 20;
/// Products that are compared with the next one. Those after as many wait for them all: else a graph of n products had n² edges.
const COMPARED: usize = 64;

/// What a handle has for the graphs that it captures.
#[derive(Default)]
pub(crate) struct Branches {
    capture: RefCell<Option<Capture>>,
    /// The workspaces, as long as there are graphs that use them.
    workspaces: RefCell<Weak<Workspaces>>,
}

/// Workspaces beside the handle's own, of so many bytes each.
struct Workspaces {
    bytes: usize,
    memory: Vec<CudaMemory>,
}

/// The graph that is captured.
struct Capture {
    order: Order,
    /// The handle's own workspace, which the first lane has.
    own: *mut u8,
    others: Arc<Workspaces>,
    /// Why the order of the graph is lost, if it is.
    lost: Option<Error>,
}

// SAFETY: the workspace is only handed on, and the order's nodes are used by the one owner of the handle.
unsafe impl Send for Capture {}

/// A graph, and the workspaces of its products.
struct Branched {
    graph: Box<dyn RawGraph>,
    #[expect(dead_code, reason = "keeps the memory, until the graph is done")]
    workspaces: Arc<Workspaces>,
}

impl RawGraph for Branched {
    unsafe fn launch(&self) -> Result {
        // SAFETY: the caller's promise.
        unsafe { self.graph.launch() }
    }
}

impl CudaHandle {
    /// Starts a graph. Without a workspace of a fixed size, or memory for more of them, or with a driver before CUDA 12.3, which
    /// cannot be told, it will be a chain.
    pub(crate) fn begin_branches(&self) -> Result {
        self.base().before_capture()?;
        let own = self.base().workspace().filter(|(_, bytes)| *bytes > 0 && self.position().is_ok());
        let capture = own.and_then(|(own, bytes)| {
            let others = self.workspaces(bytes);
            let order = Order::new(1 + others.memory.len());
            (!others.memory.is_empty()).then_some(Capture { order, own, others, lost: None })
        });
        self.base().begin_capture()?;
        self.branches.capture.replace(capture);
        Ok(())
    }

    /// Workspaces of this size: those of the graphs that there are, or new ones as far as there is memory.
    fn workspaces(&self, bytes: usize) -> Arc<Workspaces> {
        let known = self.branches.workspaces.borrow().upgrade();
        known.filter(|known| known.bytes == bytes).unwrap_or_else(|| {
            let number = (MEMORY / bytes).min(LANES).saturating_sub(1);
            let memory = (0..number).map_while(|_| self.context().alloc("capture", bytes).ok()).collect();
            let new = Arc::new(Workspaces { bytes, memory });
            self.branches.workspaces.replace(Arc::downgrade(&new));
            new
        })
    }

    /// Ends it.
    pub(crate) fn end_branches(&self) -> Result<Box<dyn RawGraph>> {
        let capture = self.branches.capture.take();
        let graph = self.base().end_capture();
        let Some(Capture { own, others, lost, .. }) = capture else { return graph };
        // SAFETY: the handle's own, which it keeps.
        let back = unsafe { self.set_cublas_workspace(own, others.bytes) };
        if back.is_err() {
            // cuBLAS has another one still, which must never be freed then.
            std::mem::forget(Arc::clone(&others));
        }
        let graph = graph?;
        back?;
        lost.map_or_else(|| Ok(Box::new(Branched { graph, workspaces: others }) as _), Err)
    }

    /// Makes a product, and if a graph is captured, lets it wait for no more than it must.
    ///
    /// # Safety
    /// `make` makes the product of the descriptor, in the handle's stream.
    pub(crate) unsafe fn branch(&self, d: &GemmDesc, make: impl FnOnce() -> Result) -> Result {
        let mut capture = self.branches.capture.borrow_mut();
        let Some(capture) = capture.as_mut() else { return make() };
        let Some(spans) = Spans::of(d) else { return make() };
        let (lane, mut after) = capture.order.next(self.position()?, &spans);
        self.stand_after(&mut after)?;
        let workspace = lane.checked_sub(1).map_or(capture.own, |i| capture.others.memory[i].ptr());
        // SAFETY: the workspace is there until the graph is gone, and what used it before is waited for.
        let made =
            unsafe { self.set_cublas_workspace(workspace, capture.others.bytes) }.and_then(|()| make());
        let placed = self.position().and_then(|nodes| {
            capture.order.made(lane, spans, &after, nodes);
            self.stand_after(&mut capture.order.ends)
        });
        if let Err(why) = &placed {
            capture.lost.get_or_insert_with(|| why.clone());
        }
        made.and(placed)
    }

    /// # Safety
    /// The workspace stays until cuBLAS has another one.
    unsafe fn set_cublas_workspace(&self, workspace: *mut u8, bytes: usize) -> Result {
        let cublas = &self.library().cublas;
        // SAFETY: the caller's promise.
        unsafe { cublas.cublasSetWorkspace_v2(self.routine(), self.cublas(), workspace.cast(), bytes) }
    }

    /// The nodes that the next call of the stream would wait for. None if it is not captured.
    fn position(&self) -> Result<Vec<Node>> {
        let (mut status, mut id, mut graph) = (0 as c_uint, 0, null_mut());
        let (mut nodes, mut kinds, mut count) = (null(), null(), 0);
        let driver = &self.library().driver;
        // SAFETY: the stream lives; writes one of each, and the nodes are there until the stream's next call.
        unsafe {
            driver.cuStreamGetCaptureInfo_v3(
                self.routine(),
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
                self.routine(),
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

/// Which nodes of a graph must come before the next product.
struct Order {
    /// What every product waits for: the calls before it that are none.
    before: Vec<Node>,
    /// The products since then.
    products: Vec<Product>,
    /// Nodes that none waits for: the capture stands after them.
    ends: Vec<Node>,
    /// The last nodes that use each workspace.
    lanes: Vec<Vec<Node>>,
    /// The lane that is used next.
    next: usize,
}

/// A product in the graph.
struct Product {
    spans: Spans,
    /// Its last nodes.
    nodes: Vec<Node>,
}

impl Order {
    fn new(lanes: usize) -> Self {
        let (before, products, ends) = (Vec::new(), Vec::new(), Vec::new());
        Order { before, products, ends, lanes: vec![Vec::new(); lanes], next: 0 }
    }

    /// The lane of the next product and the nodes that it waits for, given those that the capture stands after.
    fn next(&mut self, now: Vec<Node>, spans: &Spans) -> (usize, Vec<Node>) {
        if !same(&now, &self.ends) || self.products.len() == COMPARED {
            // Calls that are no products came between, or there are too many: all later ones wait for them.
            self.products.clear();
            self.lanes.iter_mut().for_each(Vec::clear);
            self.before.clone_from(&now);
            self.ends = now;
        }
        let lane = self.next;
        self.next = (lane + 1) % self.lanes.len();
        let mut after = self.before.clone();
        add(&mut after, &self.lanes[lane]);
        let conflicts = self.products.iter().filter(|p| p.spans.conflict(spans));
        conflicts.for_each(|p| add(&mut after, &p.nodes));
        (lane, after)
    }

    /// The product has been made after `after`, and the capture stands after `nodes`.
    fn made(&mut self, lane: usize, spans: Spans, after: &[Node], nodes: Vec<Node>) {
        if !same(&nodes, after) {
            self.ends.retain(|end| !after.contains(end));
            add(&mut self.ends, &nodes);
            self.lanes[lane].clone_from(&nodes);
            self.products.push(Product { spans, nodes });
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

/// Addresses that a product reads, and those that it writes.
#[derive(Clone, Debug)]
struct Spans {
    reads: [Range<usize>; 4],
    writes: Range<usize>,
}

impl Spans {
    /// Those of a product of strided operands.
    fn of(d: &GemmDesc) -> Option<Spans> {
        let span = |m: Matrix, dtype: DType, rows: usize, cols: usize| {
            let Address::Strided { ptr, stride } = m.data else { return None };
            let bytes = |elements: usize| elements.saturating_mul(dtype.size());
            let one = bytes((cols.max(1) - 1).saturating_mul(m.ld).saturating_add(rows));
            let shift = bytes((d.batch - 1).saturating_mul(stride.unsigned_abs()));
            let (below, above) = if stride < 0 { (shift, 0) } else { (0, shift) };
            let start = ptr.addr();
            Some(start.saturating_sub(below)..start.saturating_add(one).saturating_add(above))
        };
        let stored = |t: Trans, rows, cols| if t.is_transposed() { (cols, rows) } else { (rows, cols) };
        let coef = |c: RawScalar| match c {
            RawScalar::Host(_) => 0..0,
            // The largest coefficient is a c64.
            RawScalar::Device(ptr) => ptr.addr()..ptr.addr() + 16,
        };
        let ((am, an), (bm, bn)) = (stored(d.ta, d.m, d.k), stored(d.tb, d.k, d.n));
        let (a, b) = (span(d.a, d.types.a, am, an)?, span(d.b, d.types.b, bm, bn)?);
        Some(Spans { reads: [a, b, coef(d.alpha), coef(d.beta)], writes: span(d.c, d.types.c, d.m, d.n)? })
    }

    /// Whether a later product must wait for this one.
    fn conflict(&self, later: &Spans) -> bool {
        let overlap = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
        overlap(&self.writes, &later.writes)
            || later.reads.iter().any(|r| overlap(r, &self.writes))
            || self.reads.iter().any(|r| overlap(r, &later.writes))
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::{without_provenance, without_provenance_mut};

    use super::*;

    fn gemm([a, b, c]: [usize; 3]) -> GemmDesc {
        let at = |address: usize| Matrix {
            data: Address::Strided { ptr: without_provenance_mut(address), stride: 0 },
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

    fn spans(operands: [usize; 3]) -> Spans {
        Spans::of(&gemm(operands)).unwrap()
    }

    #[test]
    fn what_a_product_uses_ends_with_its_last_element() {
        let of = |d: &GemmDesc| Spans::of(d).map(|spans| (spans.reads, spans.writes));
        // A is 8 x 3, B is stored as 5 x 3, C is 8 x 5, all with 10 elements from column to column.
        let expected = ([1000..1112, 2000..2100, 0..0, 0..0], 3000..3192);
        assert_eq!(of(&gemm([1000, 2000, 3000])), Some(expected));
        let mut batched = gemm([1000, 2000, 3000]);
        batched.batch = 3;
        let Address::Strided { stride, .. } = &mut batched.a.data else { unreachable!() };
        *stride = -50;
        batched.alpha = RawScalar::Device(without_provenance(64));
        assert_eq!(of(&batched), Some(([600..1112, 2000..2100, 64..80, 0..0], 3000..3192)));
        batched.b.ld = 1 << 62;
        assert_eq!(of(&batched).unwrap().0[1].end, usize::MAX);
        batched.b.data = Address::Array { ptrs: null(), on: Location::Device };
        assert!(Spans::of(&batched).is_none());
    }

    #[test]
    fn a_product_waits_for_what_it_reads_and_for_the_readers_of_what_it_writes() {
        let first = spans([1000, 2000, 3000]);
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
            assert_eq!(first.conflict(&spans(then)), waits, "{then:?}");
        }
    }

    /// A graph as a driver makes it: each node with the nodes that it waits for, itself and what these wait for.
    #[derive(Default)]
    struct Graph {
        nodes: Vec<Vec<Node>>,
        position: Vec<Node>,
    }

    impl Graph {
        /// Adds a node where the capture stands.
        fn node(&mut self) -> Node {
            let new: Node = without_provenance_mut(self.nodes.len() + 1);
            let mut all = vec![new];
            self.position.iter().for_each(|n| add(&mut all, &self.nodes[n.addr() - 1]));
            self.nodes.push(all);
            self.position = vec![new];
            new
        }

        fn waits(&self, node: Node, before: Node) -> bool {
            self.nodes[node.addr() - 1].contains(&before)
        }
    }

    #[test]
    fn every_two_calls_that_conflict_are_in_order() {
        let (mut graph, mut order) = (Graph::default(), Order::new(4));
        // Node, lane and operands, which other calls do not have.
        let mut calls: Vec<(Node, Option<(usize, Spans)>)> = Vec::new();
        let (mut state, mut edges) = (7u64, 0);
        let mut below = |n: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 40) % n
        };
        for _ in 0..500 {
            if below(40) == 0 {
                calls.push((graph.node(), None));
                continue;
            }
            let new = spans([0; 3].map(|_| 1000 * (1 + below(9) as usize)));
            let (lane, after) = order.next(graph.position.clone(), &new);
            edges += after.len();
            graph.position.clone_from(&after);
            // Some products are two nodes, some none.
            let nodes: Vec<Node> = (0..below(8).min(2)).map(|_| graph.node()).collect();
            order.made(lane, new.clone(), &after, graph.position.clone());
            graph.position.clone_from(&order.ends);
            for (earlier, of) in &calls {
                let must = of.as_ref().is_none_or(|(l, spans)| *l == lane || spans.conflict(&new));
                for node in nodes.iter().filter(|_| must) {
                    assert!(graph.waits(*node, *earlier), "{node:?} of {new:?} waits for {earlier:?}");
                }
            }
            calls.extend(nodes.into_iter().map(|node| (node, Some((lane, new.clone())))));
        }
        let last = graph.node();
        assert!(calls.iter().all(|(node, _)| graph.waits(last, *node)));
        let free = |[a, b]: [usize; 2]| !graph.waits(calls[a].0, calls[b].0);
        assert!((1..calls.len()).any(|i| free([i, i - 1])), "all of them are a chain");
        assert!(edges < 500 * (COMPARED / 4), "{edges} edges");
    }
}
