//! Choices that belong to a handle. Nothing here is process-global.

/// How exactly f32 (and narrower) products are computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Precision {
    /// The type's own arithmetic; half types accumulate in f32.
    #[default]
    Exact,
    /// f32 inputs of Level 3 may be rounded to TF32 (10-bit mantissa) where the device has it.
    AllowTf32,
    /// As `AllowTf32`, and half-precision products may also be reduced in half precision.
    AllowReduced,
}

/// Whether the same call must give the same bits each time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Determinism {
    /// Atomics and other run-order-dependent sums are allowed where the backend gains from them.
    #[default]
    Allowed,
    /// Same call, same handle, same device and library, same thread count: same bits.
    Required,
}

/// Threads that a CPU handle may use for one call. GPU backends ignore it.
///
/// They are those of rayon's thread pool that the caller is in: inside [`ThreadPool::install`] that pool, elsewhere the global one, which
/// has a thread for each processor or as many as `RAYON_NUM_THREADS` says. The caller computes its share itself; the
/// others look for the next call for 0.2 ms and then sleep.
///
/// [`ThreadPool::install`]: https://docs.rs/rayon/latest/rayon/struct.ThreadPool.html#method.install
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Threads {
    /// As many as the pool has.
    #[default]
    All,
    /// At most this many, and no more than the pool has; 0 counts as 1.
    Max(usize),
}

/// Device memory that a handle keeps for its routines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Workspace {
    /// Grows on demand.
    #[default]
    OnDemand,
    /// Allocated once with this many bytes; a call that needs more is an error. For graph capture, which may take more of
    /// the same size: see [`Handle::capture`](crate::Handle::capture).
    Fixed(usize),
}

/// All policies of a handle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Policy {
    /// See [`Precision`].
    pub precision: Precision,
    /// See [`Determinism`].
    pub determinism: Determinism,
    /// See [`Threads`].
    pub threads: Threads,
    /// See [`Workspace`].
    pub workspace: Workspace,
}
