//! The device: what it says of itself.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use hipblas_abi::hip::attribute::*;
use hipblas_abi::hip::{Device, PROPERTIES_OLD, PROPERTIES_R0600, error};

use super::backend::{self, Arch, Facts};
use super::error::Result;
use super::{arena, check, graph, memory, put, stream};
use crate::abi;

/// Whether there is a device: HIP_VISIBLE_DEVICES may hide it, and HIP_COMPAT_DEVICE may name one that is not there.
pub(crate) fn is_there() -> bool {
    static IS_THERE: OnceLock<bool> = OnceLock::new();
    *IS_THERE.get_or_init(|| {
        let visible = std::env::var("HIP_VISIBLE_DEVICES");
        visible.map_or(true, |list| is_visible(&list)) && backend::device().is_ok()
    })
}

/// Whether a list of device numbers has the one device. It ends at the first that is not there.
fn is_visible(list: &str) -> bool {
    list.split(',').next().is_some_and(|first| first.trim() == "0")
}

/// Whether the device can multiply f32 in TF32.
pub(crate) fn has_tf32() -> bool {
    backend::device().is_ok_and(|device| device.has_tf32())
}

/// What the device says of itself.
fn facts() -> Result<&'static Facts> {
    Ok(backend::device()?.facts())
}

/// Which of the two architectures of a device the ABI's own layout of the properties has.
fn layout() -> usize {
    if abi::current().hip_major() < 6 { OLD } else { NEW }
}

const OLD: usize = 0;
const NEW: usize = 1;

enum Value {
    Int(c_int),
    Size(usize),
}
use Value::{Int, Size};

/// A property: its attribute number (negative if it is none), its offsets in the old and the new struct (zero if it is not
/// there), and its value.
type Property = (c_int, usize, usize, Value);

/// What is not here is zero.
fn properties(facts: &Facts, arch: &Arch) -> Vec<Property> {
    let [shared, shared_optin, shared_in_all] = facts.shared;
    vec![
        (TOTAL_GLOBAL_MEM, 256, 288, Size(facts.memory)),
        (MAX_SHARED_MEMORY_PER_BLOCK, 264, 296, Size(shared)),
        (MAX_REGISTERS_PER_BLOCK, 272, 304, Int(1 << 16)),
        (WARP_SIZE, 276, 308, Int(arch.warp)),
        (MAX_PITCH, 712, 312, Size(c_int::MAX as usize)),
        (MAX_THREADS_PER_BLOCK, 280, 320, Int(1024)),
        (MAX_BLOCK_DIM_X, 284, 324, Int(1024)),
        (MAX_BLOCK_DIM_Y, 288, 328, Int(1024)),
        (MAX_BLOCK_DIM_Z, 292, 332, Int(1024)),
        (MAX_GRID_DIM_X, 296, 336, Int(c_int::MAX)),
        (MAX_GRID_DIM_Y, 300, 340, Int(1 << 16)),
        (MAX_GRID_DIM_Z, 304, 344, Int(1 << 16)),
        (CLOCK_RATE, 308, 348, Int(facts.clock)),
        (TOTAL_CONSTANT_MEMORY, 320, 352, Size(c_int::MAX as usize)),
        (COMPUTE_CAPABILITY_MAJOR, 328, 360, Int(arch.major)),
        (COMPUTE_CAPABILITY_MINOR, 332, 364, Int(arch.minor)),
        (TEXTURE_ALIGNMENT, 720, 368, Size(arena::ALIGN)),
        (TEXTURE_PITCH_ALIGNMENT, 728, 376, Size(arena::ALIGN)),
        (MULTIPROCESSOR_COUNT, 336, 388, Int(facts.multiprocessors)),
        (PHYSICAL_MULTI_PROCESSOR_COUNT, 0, 0, Int(facts.multiprocessors)),
        (CAN_MAP_HOST_MEMORY, 388, 400, Int(1)),
        (CONCURRENT_KERNELS, 360, 576, Int(1)),
        (UNIFIED_ADDRESSING, 0, 604, Int(1)),
        (MEMORY_CLOCK_RATE, 312, 608, Int(facts.memory_clock)),
        (MEMORY_BUS_WIDTH, 316, 612, Int(facts.bus_width)),
        (L2_CACHE_SIZE, 340, 616, Int(facts.l2)),
        (MAX_THREADS_PER_MULTI_PROCESSOR, 344, 624, Int(facts.threads)),
        (STREAM_PRIORITIES_SUPPORTED, 0, 628, Int(1)),
        (SHARED_MEM_PER_MULTIPROCESSOR, 0, 640, Size(shared_in_all)),
        (MAX_REGISTERS_PER_MULTIPROCESSOR, 0, 648, Int(facts.registers)),
        (MANAGED_MEMORY, 772, 652, Int(1)),
        (SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 0, 668, Int(facts.single_to_double)),
        (CONCURRENT_MANAGED_ACCESS, 780, 676, Int(1)),
        (CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 0, 684, Int(1)),
        (SHARED_MEM_PER_BLOCK_OPTIN, 0, 696, Size(shared_optin)),
        (DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 776, 708, Int(1)),
        (MAX_BLOCKS_PER_MULTI_PROCESSOR, 0, 712, Int(facts.blocks)),
        (HOST_REGISTER_SUPPORTED, 0, 728, Int(1)),
        (MEMORY_POOLS_SUPPORTED, 0, 744, Int(1)),
        (ASYNC_ENGINE_COUNT, 0, 600, Int(1)),
        (CLOCK_INSTRUCTION_RATE, 352, 1424, Int(facts.clock)),
        (WALL_CLOCK_RATE, 0, 0, Int(facts.clock)),
        (MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 376, 1416, Size(shared_in_all)),
        (IS_LARGE_BAR, 764, 1464, Int(1)),
        (FINE_GRAIN_SUPPORT, 0, 0, Int(1)),
        (NUMBER_OF_XCCS, 0, 0, Int(1)),
        (-1, 392, 0, Int(arch.number)),
    ]
}

/// The properties as a struct of one of the two layouts.
fn fill(
    facts: &Facts,
    which: usize,
    size: usize,
    arch_name: usize,
    offset: impl Fn(&Property) -> usize,
) -> Vec<u8> {
    let arch = &facts.arch[which];
    let mut bytes = vec![0; size];
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    // Each text has 256 bytes with its end.
    put(0, short(&facts.name, 256));
    put(arch_name, short(&arch.name, 256));
    for property in properties(facts, arch) {
        match (offset(&property), property.3) {
            (0, _) => {}
            (at, Int(value)) => put(at, &value.to_ne_bytes()),
            (at, Size(value)) => put(at, &value.to_ne_bytes()),
        }
    }
    bytes
}

/// A text without its end, which there is still room for.
fn short(text: &CStr, room: usize) -> &[u8] {
    let bytes = text.to_bytes();
    &bytes[..bytes.len().min(room - 1)]
}

/// That a device number is the one device's.
pub(super) fn check_number(device: c_int) -> Result {
    if device == 0 { Ok(()) } else { Err(error::INVALID_DEVICE) }
}

/// Writes a text of C, cut to what there is room for.
unsafe fn put_text(to: *mut c_char, len: c_int, text: &CStr) -> Result {
    let Ok(len @ 1..) = usize::try_from(len) else { return Err(error::INVALID_VALUE) };
    if to.is_null() {
        return Err(error::INVALID_VALUE);
    }
    let n = text.count_bytes().min(len - 1);
    // SAFETY: the caller's promise: `len` characters, of which `n + 1` are written.
    unsafe {
        to.copy_from_nonoverlapping(text.as_ptr(), n);
        to.add(n).write(0);
    }
    Ok(())
}

pub(super) unsafe fn hipInit(flags: c_uint) -> Result {
    if flags == 0 { Ok(()) } else { Err(error::INVALID_VALUE) }
}

/// The last release of each major version that this library presents: major * 10^7 + minor * 10^5 + patch.
pub(super) unsafe fn hipRuntimeGetVersion(version: *mut c_int) -> Result {
    let number = match abi::current().hip_major() {
        ..6 => 50_731_921,
        6 => 60_443_484,
        _ => 70_253_211,
    };
    // SAFETY: the caller's promise.
    unsafe { put(version, number) }
}

pub(super) unsafe fn hipDriverGetVersion(version: *mut c_int) -> Result {
    // SAFETY: the caller's promise.
    unsafe { hipRuntimeGetVersion(version) }
}

pub(super) unsafe fn hipGetDeviceCount(count: *mut c_int) -> Result {
    // SAFETY: the caller's promise.
    unsafe { put(count, c_int::from(is_there())) }?;
    if is_there() { Ok(()) } else { Err(error::NO_DEVICE) }
}

pub(super) unsafe fn hipSetDevice(device: c_int) -> Result {
    check_number(device)
}

pub(super) unsafe fn hipGetDevice(device: *mut c_int) -> Result {
    // SAFETY: the caller's promise.
    unsafe { put(device, 0) }
}

pub(super) unsafe fn hipDeviceGet(device: *mut Device, ordinal: c_int) -> Result {
    check_number(ordinal)?;
    // SAFETY: the caller's promise.
    unsafe { put(device, 0) }
}

pub(super) unsafe fn hipDeviceGetName(name: *mut c_char, len: c_int, device: Device) -> Result {
    check_number(device)?;
    // SAFETY: the caller's promise.
    unsafe { put_text(name, len, &facts()?.name) }
}

pub(super) unsafe fn hipDeviceGetUuid(uuid: *mut c_void, device: Device) -> Result {
    check_number(device)?;
    // SAFETY: the caller's promise: a `hipUUID`, which is 16 bytes.
    unsafe { put(uuid.cast(), facts()?.uuid) }
}

pub(super) unsafe fn hipDeviceTotalMem(bytes: *mut usize, device: Device) -> Result {
    check_number(device)?;
    // SAFETY: the caller's promise.
    unsafe { put(bytes, facts()?.memory) }
}

pub(super) unsafe fn hipDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> Result {
    check_number(device)?;
    if !ALL.iter().any(|(_, number)| *number == i64::from(attribute)) {
        return Err(error::INVALID_VALUE);
    }
    let found =
        properties(facts()?, &facts()?.arch[layout()]).into_iter().find(|p| p.0 == attribute).map(|p| p.3);
    let number = match found {
        Some(Int(value)) => value,
        // An attribute has 32 bits.
        Some(Size(value)) => c_int::try_from(value).unwrap_or(c_int::MAX),
        None => 0,
    };
    // SAFETY: the caller's promise.
    unsafe { put(value, number) }
}

pub(super) unsafe fn hipDeviceComputeCapability(
    major: *mut c_int,
    minor: *mut c_int,
    device: Device,
) -> Result {
    check_number(device)?;
    let arch = &facts()?.arch[layout()];
    // SAFETY: the caller's promise.
    unsafe {
        put(major, arch.major)?;
        put(minor, arch.minor)
    }
}

pub(super) unsafe fn hipDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: c_int) -> Result {
    check_number(device)?;
    // SAFETY: the caller's promise.
    unsafe { put_text(id, len, &facts()?.bus_id) }
}

pub(super) unsafe fn hipDeviceGetByPCIBusId(device: *mut c_int, id: *const c_char) -> Result {
    if id.is_null() {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise: a text of C.
    if unsafe { CStr::from_ptr(id) } != facts()?.bus_id.as_c_str() {
        return Err(error::INVALID_DEVICE);
    }
    // SAFETY: the caller's promise.
    unsafe { put(device, 0) }
}

unsafe fn put_properties(to: *mut c_void, bytes: &[u8]) -> Result {
    if to.is_null() {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise: a struct of this size.
    unsafe { to.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(())
}

/// The layout of HIP 5, in all releases.
pub(super) unsafe fn hipGetDeviceProperties(properties: *mut c_void, device: c_int) -> Result {
    check_number(device)?;
    let bytes = fill(facts()?, OLD, PROPERTIES_OLD.size, PROPERTIES_OLD.gcn_arch_name, |p| p.1);
    // SAFETY: the caller's promise.
    unsafe { put_properties(properties, &bytes) }
}

pub(super) unsafe fn hipGetDevicePropertiesR0600(properties: *mut c_void, device: c_int) -> Result {
    check_number(device)?;
    let mut bytes = fill(facts()?, NEW, PROPERTIES_R0600.size, PROPERTIES_R0600.gcn_arch_name, |p| p.2);
    bytes[256..272].copy_from_slice(&facts()?.uuid);
    // SAFETY: the caller's promise.
    unsafe { put_properties(properties, &bytes) }
}

pub(super) unsafe fn hipDeviceSynchronize() -> Result {
    graph::refuse_any(error::STREAM_CAPTURE_UNSUPPORTED)?;
    stream::drain_all()
}

/// Ends all work, frees all memory, streams, events and graphs, and forgets all errors.
pub(super) unsafe fn hipDeviceReset() -> Result {
    stream::refuse_in_callback()?;
    let _ = stream::drain_all();
    stream::reset();
    memory::free_all();
    check::forget_fault();
    Ok(())
}

static FLAGS: AtomicU32 = AtomicU32::new(0);
/// Ways to wait, and how host memory is mapped.
const ALL_FLAGS: c_uint = 0x1f;

pub(super) unsafe fn hipSetDeviceFlags(flags: c_uint) -> Result {
    if flags & !ALL_FLAGS != 0 {
        return Err(error::INVALID_VALUE);
    }
    FLAGS.store(flags, Ordering::Relaxed);
    Ok(())
}

pub(super) unsafe fn hipGetDeviceFlags(flags: *mut c_uint) -> Result {
    // SAFETY: the caller's promise.
    unsafe { put(flags, FLAGS.load(Ordering::Relaxed)) }
}

/// A device has no access to itself as to a peer.
pub(super) unsafe fn hipDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) -> Result {
    check_number(device)?;
    check_number(peer)?;
    // SAFETY: the caller's promise.
    unsafe { put(can, 0) }
}

pub(super) unsafe fn hipDeviceEnablePeerAccess(_: c_int, flags: c_uint) -> Result {
    Err(if flags == 0 { error::INVALID_DEVICE } else { error::INVALID_VALUE })
}

pub(super) unsafe fn hipDeviceDisablePeerAccess(peer: c_int) -> Result {
    check_number(peer)?;
    Err(error::PEER_ACCESS_NOT_ENABLED)
}
