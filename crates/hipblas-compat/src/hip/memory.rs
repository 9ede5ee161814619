//! Memory: what is allocated, and by which function.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{c_int, c_uint, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hipblas_abi::hip::{PointerAttributes, Stream, error, memory_type};

use super::arena::ALIGN;
use super::backend::{self, Block};
use super::error::{Result, function};
use super::{check, graph, put, stream};
use crate::abi;

pub(crate) use super::check::check_device;

/// What the memory is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Of the device.
    Device,
    /// Of both.
    Managed,
    /// Of the host, known to the device.
    Host,
    /// Of the program, made known to the device.
    Registered,
}

/// A range of memory that the runtime knows.
pub(super) struct Allocation {
    pub(super) bytes: usize,
    pub(super) kind: Kind,
    flags: c_uint,
    /// The function that made it.
    pub(super) function: &'static str,
    /// Tells it from one that had its address before.
    serial: u64,
    /// Its memory, or what makes memory of the program known to the device.
    block: Option<Box<dyn Block>>,
}

/// An allocation that was freed. Checking mode keeps its addresses for a while.
pub(super) struct Freed {
    pub(super) address: usize,
    pub(super) bytes: usize,
    /// The function that freed it.
    pub(super) function: &'static str,
    _block: Box<dyn Block>,
}

/// What is allocated, by address.
pub(super) struct Memory {
    pub(super) live: BTreeMap<usize, Allocation>,
    pub(super) freed: VecDeque<Freed>,
    serial: u64,
}

/// How many freed ranges checking mode keeps inaccessible: each takes a few of the 65,530 mappings that Linux gives to a
/// process by default.
const FREED: usize = 8192;

static MEMORY: Mutex<Memory> =
    Mutex::new(Memory { live: BTreeMap::new(), freed: VecDeque::new(), serial: 0 });

pub(super) fn lock() -> MutexGuard<'static, Memory> {
    MEMORY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For a signal handler, which must not wait.
pub(super) fn try_lock() -> Option<MutexGuard<'static, Memory>> {
    MEMORY.try_lock().ok()
}

impl Memory {
    /// The allocation that an address is in, with its start.
    pub(super) fn find(&self, address: usize) -> Option<(usize, &Allocation)> {
        let (start, allocation) = self.live.range(..=address).next_back()?;
        (address - start < allocation.bytes).then_some((*start, allocation))
    }

    fn insert(
        &mut self,
        address: usize,
        bytes: usize,
        kind: Kind,
        flags: c_uint,
        block: Option<Box<dyn Block>>,
    ) -> u64 {
        self.serial += 1;
        let function = function();
        let serial = self.serial;
        self.live.insert(address, Allocation { bytes, kind, flags, function, serial, block });
        serial
    }
}

/// The allocation that an address is in: its start, size, kind and flags.
pub(super) fn find(address: *const c_void) -> Option<(usize, usize, Kind, c_uint)> {
    lock().find(address.addr()).map(|(start, a)| (start, a.bytes, a.kind, a.flags))
}

/// Allocates memory; a size of zero gives NULL. The second number tells the allocation from others at its address.
fn allocate(bytes: usize, kind: Kind, flags: c_uint) -> Result<(*mut c_void, u64)> {
    if bytes == 0 {
        return Ok((std::ptr::null_mut(), 0));
    }
    let block = backend::device()?.allocate(bytes, kind)?;
    let address = block.address();
    let serial = lock().insert(address, bytes, kind, flags, Some(block));
    Ok((std::ptr::with_exposed_provenance_mut(address), serial))
}

/// Takes an allocation of one of the kinds, named by its start, out of those that are live.
fn remove(ptr: *const c_void, kinds: &[Kind]) -> Result<Allocation> {
    let mut memory = lock();
    match memory.live.get(&ptr.addr()) {
        Some(a) if kinds.contains(&a.kind) => memory.live.remove(&ptr.addr()).ok_or(error::INVALID_VALUE),
        _ => {
            check::report_bad_free(&memory, ptr.addr());
            Err(error::INVALID_VALUE)
        }
    }
}

/// Gives an allocation's memory back. Nothing uses it any more.
fn release(address: usize, allocation: Allocation) {
    let Allocation { bytes, block, .. } = allocation;
    let Some(mut block) = block.filter(|_| check::is_on()) else { return };
    if !block.retire() {
        check::report_underrun(address, bytes, allocation.function);
    }
    let mut memory = lock();
    memory.freed.push_back(Freed { address, bytes, function: function(), _block: block });
    if memory.freed.len() > FREED {
        memory.freed.pop_front();
    }
}

/// Frees an allocation as soon as all work that may use it is done.
fn free(ptr: *mut c_void, kinds: &[Kind]) -> Result {
    if ptr.is_null() {
        return Ok(());
    }
    let allocation = remove(ptr, kinds)?;
    let outcome = stream::drain_all();
    if outcome == Err(error::ILLEGAL_STATE) {
        // A callback of a stream: its work, and what comes after, may still use the memory.
        lock().live.insert(ptr.addr(), allocation);
        return outcome;
    }
    release(ptr.addr(), allocation);
    outcome
}

/// Frees everything but what is the program's own.
pub(super) fn free_all() {
    let mut memory = lock();
    let live = std::mem::take(&mut memory.live);
    drop(memory);
    for (address, allocation) in live {
        release(address, allocation);
    }
}

/// Memory that was allocated while a graph was captured, and is the graph's.
pub(super) struct GraphMemory {
    address: usize,
    serial: u64,
}

impl GraphMemory {
    pub(super) fn address(&self) -> usize {
        self.address
    }
}

impl Drop for GraphMemory {
    fn drop(&mut self) {
        let mut memory = lock();
        if memory.live.get(&self.address).is_some_and(|a| a.serial == self.serial) {
            let allocation = memory.live.remove(&self.address);
            drop(memory);
            if let Some(allocation) = allocation {
                release(self.address, allocation);
            }
        }
    }
}

/// Allocates memory and writes its address.
unsafe fn allocate_to(ptr: *mut *mut c_void, bytes: usize, kind: Kind, flags: c_uint) -> Result {
    graph::refuse_unsafe()?;
    if ptr.is_null() {
        return Err(error::INVALID_VALUE);
    }
    let (address, _) = allocate(bytes, kind, flags)?;
    // SAFETY: the caller's promise.
    unsafe { put(ptr, address) }
}

pub(super) unsafe fn hipMalloc(ptr: *mut *mut c_void, bytes: usize) -> Result {
    // SAFETY: the caller's promise.
    unsafe { allocate_to(ptr, bytes, Kind::Device, 0) }
}

/// Flags of `hipExtMallocWithFlags`: default, fine-grained, signal, uncached, contiguous. All memory of this device is as
/// fine-grained and cached as the host's.
const EXT_FLAGS: [c_uint; 5] = [0, 1, 2, 3, 4];

pub(super) unsafe fn hipExtMallocWithFlags(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Result {
    if !EXT_FLAGS.contains(&flags) {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { allocate_to(ptr, bytes, Kind::Device, flags) }
}

pub(super) unsafe fn hipMallocPitch(
    ptr: *mut *mut c_void,
    pitch: *mut usize,
    width: usize,
    height: usize,
) -> Result {
    let row = width.checked_next_multiple_of(ALIGN).ok_or(error::OUT_OF_MEMORY)?;
    let bytes = row.checked_mul(height).ok_or(error::OUT_OF_MEMORY)?;
    if pitch.is_null() {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe {
        allocate_to(ptr, bytes, Kind::Device, 0)?;
        put(pitch, row)
    }
}

const ATTACH_GLOBAL: c_uint = 1;
const ATTACH_HOST: c_uint = 2;

pub(super) unsafe fn hipMallocManaged(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Result {
    if bytes == 0 || !matches!(flags, ATTACH_GLOBAL | ATTACH_HOST) {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { allocate_to(ptr, bytes, Kind::Managed, flags) }
}

/// Portable, mapped, write-combined; NUMA by the user, coherent, not coherent.
const HOST_FLAGS: c_uint = 0xe000_0007;
const COHERENT: c_uint = 0x4000_0000;
const NOT_COHERENT: c_uint = 0x8000_0000;

pub(super) unsafe fn hipHostMalloc(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Result {
    if flags & !HOST_FLAGS != 0 || flags & (COHERENT | NOT_COHERENT) == COHERENT | NOT_COHERENT {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { allocate_to(ptr, bytes, Kind::Host, flags) }
}

pub(super) unsafe fn hipHostAlloc(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Result {
    // SAFETY: the caller's promise.
    unsafe { hipHostMalloc(ptr, bytes, flags) }
}

pub(super) unsafe fn hipMallocHost(ptr: *mut *mut c_void, bytes: usize) -> Result {
    // SAFETY: the caller's promise.
    unsafe { hipHostMalloc(ptr, bytes, 0) }
}

pub(super) unsafe fn hipFree(ptr: *mut c_void) -> Result {
    graph::refuse_unsafe()?;
    free(ptr, &[Kind::Device, Kind::Managed])
}

pub(super) unsafe fn hipHostFree(ptr: *mut c_void) -> Result {
    graph::refuse_unsafe()?;
    free(ptr, &[Kind::Host])
}

pub(super) unsafe fn hipFreeHost(ptr: *mut c_void) -> Result {
    // SAFETY: the caller's promise.
    unsafe { hipHostFree(ptr) }
}

/// The memory is there at once, which is before the stream needs it.
pub(super) unsafe fn hipMallocAsync(ptr: *mut *mut c_void, bytes: usize, stream: Stream) -> Result {
    if ptr.is_null() {
        return Err(error::INVALID_VALUE);
    }
    let owner = graph::capture_of(stream)?;
    let (address, serial) = allocate(bytes, Kind::Device, 0)?;
    if let Some(capture) = owner
        && !address.is_null()
    {
        graph::own(capture, GraphMemory { address: address.addr(), serial });
    }
    // SAFETY: the caller's promise.
    unsafe { put(ptr, address) }
}

pub(super) unsafe fn hipFreeAsync(ptr: *mut c_void, stream: Stream) -> Result {
    if ptr.is_null() {
        return if abi::current().hip_major() < 7 { Err(error::INVALID_VALUE) } else { Ok(()) };
    }
    if let Some(capture) = graph::capture_of(stream)? {
        // Memory of the graph goes with the graph; a graph cannot free other memory each time it runs.
        return graph::check_owned(capture, ptr.addr());
    }
    let allocation = Arc::new(Mutex::new(Some(remove(ptr, &[Kind::Device])?)));
    let address = ptr.addr();
    let take = |of: &Mutex<Option<Allocation>>| of.lock().unwrap_or_else(PoisonError::into_inner).take();
    let in_job = Arc::clone(&allocation);
    let enqueued = stream::enqueue(
        stream,
        Arc::new(move |queue| {
            queue.sync()?;
            if let Some(allocation) = take(&in_job) {
                release(address, allocation);
            }
            Ok(())
        }),
    );
    if enqueued.is_err()
        && let Some(allocation) = take(&allocation)
    {
        lock().live.insert(address, allocation);
    }
    enqueued
}

/// Portable, mapped, of a device, read only.
const REGISTER_FLAGS: c_uint = 15;

pub(super) unsafe fn hipHostRegister(ptr: *mut c_void, bytes: usize, flags: c_uint) -> Result {
    if ptr.is_null() || bytes == 0 || flags & !REGISTER_FLAGS != 0 || ptr.addr().checked_add(bytes).is_none()
    {
        return Err(error::INVALID_VALUE);
    }
    let mut memory = lock();
    let below_end = memory.live.range(..ptr.addr() + bytes).next_back();
    if below_end.is_some_and(|(start, a)| start + a.bytes > ptr.addr()) {
        return Err(error::HOST_MEMORY_ALREADY_REGISTERED);
    }
    // SAFETY: the program keeps the memory until it has called `hipHostUnregister`.
    let pinned = unsafe { backend::device()?.register(ptr, bytes)? };
    memory.insert(ptr.addr(), bytes, Kind::Registered, flags, pinned);
    Ok(())
}

pub(super) unsafe fn hipHostUnregister(ptr: *mut c_void) -> Result {
    let mut memory = lock();
    if memory.live.get(&ptr.addr()).is_none_or(|a| a.kind != Kind::Registered) {
        return Err(error::HOST_MEMORY_NOT_REGISTERED);
    }
    let allocation = memory.live.remove(&ptr.addr());
    drop(memory);
    // Work that was enqueued still counts on it.
    let outcome = stream::drain_all();
    drop(allocation);
    outcome
}

pub(super) unsafe fn hipHostGetDevicePointer(
    device: *mut *mut c_void,
    host: *mut c_void,
    flags: c_uint,
) -> Result {
    match find(host) {
        // SAFETY: the caller's promise.
        Some((.., Kind::Host | Kind::Registered | Kind::Managed, _)) if flags == 0 => unsafe {
            put(device, host)
        },
        _ => Err(error::INVALID_VALUE),
    }
}

pub(super) unsafe fn hipHostGetFlags(flags: *mut c_uint, host: *mut c_void) -> Result {
    match find(host) {
        // SAFETY: the caller's promise.
        Some((.., Kind::Host | Kind::Registered, value)) => unsafe { put(flags, value) },
        _ => Err(error::INVALID_VALUE),
    }
}

/// `hipInvalidDeviceId`
const NO_DEVICE: c_int = -2;

pub(super) unsafe fn hipPointerGetAttributes(
    attributes: *mut PointerAttributes,
    ptr: *const c_void,
) -> Result {
    let major = abi::current().hip_major();
    let (host, device, managed) = memory_type::of(major);
    let null = std::ptr::null_mut();
    let value = match find(ptr) {
        Some((.., kind, flags)) => PointerAttributes {
            kind: match kind {
                Kind::Device => device,
                Kind::Managed => managed,
                Kind::Host | Kind::Registered => host,
            },
            device: 0,
            device_pointer: ptr.cast_mut(),
            host_pointer: if kind == Kind::Device { null } else { ptr.cast_mut() },
            is_managed: c_int::from(kind == Kind::Managed),
            allocation_flags: flags,
        },
        // NULL is an error before 7, and memory that HIP does not know before 6.
        None if major < 6 || (major < 7 && ptr.is_null()) => return Err(error::INVALID_VALUE),
        None => PointerAttributes {
            kind: 0,
            device: NO_DEVICE,
            device_pointer: null,
            host_pointer: null,
            is_managed: 0,
            allocation_flags: 0,
        },
    };
    // SAFETY: the caller's promise.
    unsafe { put(attributes, value) }
}

pub(super) unsafe fn hipMemGetAddressRange(
    base: *mut *mut c_void,
    bytes: *mut usize,
    ptr: *mut c_void,
) -> Result {
    let (start, size, ..) = find(ptr).ok_or(error::NOT_FOUND)?;
    // SAFETY: the caller's promise. Either may be NULL.
    unsafe {
        let _ = put(base, std::ptr::with_exposed_provenance_mut(start));
        let _ = put(bytes, size);
    }
    Ok(())
}

pub(super) unsafe fn hipMemPtrGetInfo(ptr: *mut c_void, bytes: *mut usize) -> Result {
    let size = if ptr.is_null() { 0 } else { find(ptr).ok_or(error::INVALID_VALUE)?.1 };
    // SAFETY: the caller's promise.
    unsafe { put(bytes, size) }
}

pub(super) unsafe fn hipMemGetInfo(free: *mut usize, total: *mut usize) -> Result {
    let device = backend::device()?;
    // SAFETY: the caller's promise. Either may be NULL.
    unsafe {
        let _ = put(free, device.free_memory());
        let _ = put(total, device.facts().memory);
    }
    Ok(())
}

/// Where managed memory lies is the system's business.
pub(super) unsafe fn hipMemPrefetchAsync(
    ptr: *const c_void,
    bytes: usize,
    _: c_int,
    stream: Stream,
) -> Result {
    stream::check(stream)?;
    check_managed(ptr, bytes)
}

pub(super) unsafe fn hipMemAdvise(ptr: *const c_void, bytes: usize, _: c_int, _: c_int) -> Result {
    check_managed(ptr, bytes)
}

fn check_managed(ptr: *const c_void, bytes: usize) -> Result {
    match find(ptr) {
        Some((start, size, Kind::Managed, _)) if bytes <= start + size - ptr.addr() => Ok(()),
        _ => Err(error::INVALID_VALUE),
    }
}
