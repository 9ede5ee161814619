//! The device: which backend computes, and what it says of itself.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fs::read_to_string;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use blas_api::{Backend, Driver, RawHandle};
use blas_cpu::Cpu;
use hipblas_abi::hip::attribute::*;
use hipblas_abi::hip::{Device, PROPERTIES_OLD, PROPERTIES_R0600, error};

use super::error::Result;
use super::{arena, check, graph, memory, put, stream};
use crate::abi;

const NAME: &CStr = c"anyblas CPU device";
const PCI_BUS_ID: &CStr = c"0000:00:00.0";
const UUID: [u8; 16] = *b"anyblas-cpu-0000";

/// Opens the device with a stream of its own. The environment variable HIP_COMPAT_DEVICE names the backend; the CPU is
/// the default.
pub(super) fn open() -> blas_api::Result<Box<dyn RawHandle>> {
    match backend().as_str() {
        Cpu::NAME => Ok(Box::new(Cpu::open(0)?.into_raw())),
        other => Err(blas_api::Error::NoDevice {
            name: other.to_owned(),
            why: format!("HIP_COMPAT_DEVICE must be {}", Cpu::NAME),
        }),
    }
}

fn backend() -> String {
    match std::env::var("HIP_COMPAT_DEVICE") {
        Ok(name) if !name.is_empty() => name,
        _ => Cpu::NAME.to_owned(),
    }
}

/// Whether there is a device: HIP_VISIBLE_DEVICES may hide it, and HIP_COMPAT_DEVICE may name one that is not there.
pub(crate) fn is_there() -> bool {
    static IS_THERE: OnceLock<bool> = OnceLock::new();
    *IS_THERE.get_or_init(|| {
        let visible = std::env::var("HIP_VISIBLE_DEVICES");
        if visible.is_ok_and(|list| !is_visible(&list)) {
            return false;
        }
        // Said once here; the functions of HIP can only say that there is no device.
        open().inspect_err(|e| eprintln!("hipblas-compat: {e}")).is_ok()
    })
}

/// Whether a list of device numbers has the one device. It ends at the first that is not there.
fn is_visible(list: &str) -> bool {
    list.split(',').next().is_some_and(|first| first.trim() == "0")
}

/// A number of kibibytes from the system, in bytes.
fn meminfo(name: &str) -> Option<usize> {
    let info = read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|l| l.strip_prefix(name))?;
    let kib: usize = line.trim_start_matches(':').trim_end_matches("kB").trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The machine's memory in bytes, or what its control group may use. All that can be addressed where the system does not
/// say, so that only the system refuses.
pub(super) fn total_memory() -> usize {
    static TOTAL: OnceLock<usize> = OnceLock::new();
    *TOTAL.get_or_init(|| {
        let number = |path| read_to_string(path).ok()?.trim().parse::<usize>().ok();
        let limit = number("/sys/fs/cgroup/memory.max")
            .or_else(|| number("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
        meminfo("MemTotal").unwrap_or(usize::MAX).min(limit.unwrap_or(usize::MAX))
    })
}

/// What may still be allocated, in bytes.
pub(super) fn free_memory() -> usize {
    let unused = total_memory().saturating_sub(arena::used());
    meminfo("MemAvailable").map_or(unused, |available| available.min(unused))
}

/// What tells the architectures apart that the two layouts of the properties present.
///
/// AMD's tests ask for the architecture. The 5.x ones take int8 operands unpacked on gfx908 only, and those of 7.x expect
/// extended math modes on it, but not on gfx1030.
struct Arch {
    name: &'static CStr,
    number: c_int,
    major: c_int,
    minor: c_int,
    warp: c_int,
}

const OLD: Arch = Arch { name: c"gfx908", number: 908, major: 9, minor: 0, warp: 64 };
const NEW: Arch = Arch { name: c"gfx1030", number: 1030, major: 10, minor: 3, warp: 32 };

/// The architecture of the ABI's own layout.
fn arch() -> &'static Arch {
    if abi::current().hip_major() < 6 { &OLD } else { &NEW }
}

enum Value {
    Int(c_int),
    Size(usize),
}
use Value::{Int, Size};

/// A property: its attribute number (negative if it is none), its offsets in the old and the new struct (zero if it is not
/// there), and its value.
type Property = (c_int, usize, usize, Value);

/// What is not here is zero.
fn properties(arch: &Arch) -> Vec<Property> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = c_int::try_from(cores).unwrap_or(c_int::MAX);
    let total = total_memory();
    let clock = clock();
    vec![
        (TOTAL_GLOBAL_MEM, 256, 288, Size(total)),
        (MAX_SHARED_MEMORY_PER_BLOCK, 264, 296, Size(1 << 16)),
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
        (CLOCK_RATE, 308, 348, Int(clock)),
        (TOTAL_CONSTANT_MEMORY, 320, 352, Size(c_int::MAX as usize)),
        (COMPUTE_CAPABILITY_MAJOR, 328, 360, Int(arch.major)),
        (COMPUTE_CAPABILITY_MINOR, 332, 364, Int(arch.minor)),
        (TEXTURE_ALIGNMENT, 720, 368, Size(arena::ALIGN)),
        (TEXTURE_PITCH_ALIGNMENT, 728, 376, Size(arena::ALIGN)),
        (MULTIPROCESSOR_COUNT, 336, 388, Int(cores)),
        (PHYSICAL_MULTI_PROCESSOR_COUNT, 0, 0, Int(cores)),
        (CAN_MAP_HOST_MEMORY, 388, 400, Int(1)),
        (CONCURRENT_KERNELS, 360, 576, Int(1)),
        (UNIFIED_ADDRESSING, 0, 604, Int(1)),
        (MEMORY_CLOCK_RATE, 312, 608, Int(1_000_000)),
        (MEMORY_BUS_WIDTH, 316, 612, Int(64)),
        (L2_CACHE_SIZE, 340, 616, Int(1 << 22)),
        (MAX_THREADS_PER_MULTI_PROCESSOR, 344, 624, Int(2048)),
        (STREAM_PRIORITIES_SUPPORTED, 0, 628, Int(1)),
        (SHARED_MEM_PER_MULTIPROCESSOR, 0, 640, Size(1 << 16)),
        (MAX_REGISTERS_PER_MULTIPROCESSOR, 0, 648, Int(1 << 16)),
        (MANAGED_MEMORY, 772, 652, Int(1)),
        (SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 0, 668, Int(2)),
        (CONCURRENT_MANAGED_ACCESS, 780, 676, Int(1)),
        (CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 0, 684, Int(1)),
        (SHARED_MEM_PER_BLOCK_OPTIN, 0, 696, Size(1 << 16)),
        (DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 776, 708, Int(1)),
        (MAX_BLOCKS_PER_MULTI_PROCESSOR, 0, 712, Int(2)),
        (HOST_REGISTER_SUPPORTED, 0, 728, Int(1)),
        (MEMORY_POOLS_SUPPORTED, 0, 744, Int(1)),
        (ASYNC_ENGINE_COUNT, 0, 600, Int(1)),
        (CLOCK_INSTRUCTION_RATE, 352, 1424, Int(clock)),
        (WALL_CLOCK_RATE, 0, 0, Int(clock)),
        (MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 376, 1416, Size(1 << 16)),
        (IS_LARGE_BAR, 764, 1464, Int(1)),
        (FINE_GRAIN_SUPPORT, 0, 0, Int(1)),
        (NUMBER_OF_XCCS, 0, 0, Int(1)),
        (-1, 392, 0, Int(arch.number)),
    ]
}

/// Clock rate in kHz: the highest, or the present one, or a guess where the system does not say.
fn clock() -> c_int {
    static CLOCK: OnceLock<c_int> = OnceLock::new();
    let highest = || {
        let khz = read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq").ok()?;
        khz.trim().parse().ok()
    };
    let present = || {
        let info = read_to_string("/proc/cpuinfo").ok()?;
        let mhz = info.lines().find(|l| l.starts_with("cpu MHz"))?.split(':').nth(1)?;
        Some((mhz.trim().parse::<f64>().ok()? * 1e3) as c_int)
    };
    *CLOCK.get_or_init(|| highest().or_else(present).unwrap_or(1_000_000))
}

/// The properties as a struct of one of the two layouts.
fn fill(arch: &Arch, size: usize, arch_name: usize, offset: impl Fn(&Property) -> usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(0, NAME.to_bytes());
    put(arch_name, arch.name.to_bytes());
    for property in properties(arch) {
        match (offset(&property), property.3) {
            (0, _) => {}
            (at, Int(value)) => put(at, &value.to_ne_bytes()),
            (at, Size(value)) => put(at, &value.to_ne_bytes()),
        }
    }
    bytes
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
    unsafe { put_text(name, len, NAME) }
}

pub(super) unsafe fn hipDeviceGetUuid(uuid: *mut c_void, device: Device) -> Result {
    check_number(device)?;
    // SAFETY: the caller's promise: a `hipUUID`, which is 16 bytes.
    unsafe { put(uuid.cast(), UUID) }
}

pub(super) unsafe fn hipDeviceTotalMem(bytes: *mut usize, device: Device) -> Result {
    check_number(device)?;
    // SAFETY: the caller's promise.
    unsafe { put(bytes, total_memory()) }
}

pub(super) unsafe fn hipDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> Result {
    check_number(device)?;
    if !ALL.iter().any(|(_, number)| *number == i64::from(attribute)) {
        return Err(error::INVALID_VALUE);
    }
    let found = properties(arch()).into_iter().find(|p| p.0 == attribute).map(|p| p.3);
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
    // SAFETY: the caller's promise.
    unsafe {
        put(major, arch().major)?;
        put(minor, arch().minor)
    }
}

pub(super) unsafe fn hipDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: c_int) -> Result {
    check_number(device)?;
    // SAFETY: the caller's promise.
    unsafe { put_text(id, len, PCI_BUS_ID) }
}

pub(super) unsafe fn hipDeviceGetByPCIBusId(device: *mut c_int, id: *const c_char) -> Result {
    if id.is_null() {
        return Err(error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise: a text of C.
    if unsafe { CStr::from_ptr(id) } != PCI_BUS_ID {
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
    let bytes = fill(&OLD, PROPERTIES_OLD.size, PROPERTIES_OLD.gcn_arch_name, |p| p.1);
    // SAFETY: the caller's promise.
    unsafe { put_properties(properties, &bytes) }
}

pub(super) unsafe fn hipGetDevicePropertiesR0600(properties: *mut c_void, device: c_int) -> Result {
    check_number(device)?;
    let mut bytes = fill(&NEW, PROPERTIES_R0600.size, PROPERTIES_R0600.gcn_arch_name, |p| p.2);
    bytes[256..272].copy_from_slice(&UUID);
    // SAFETY: the caller's promise.
    unsafe { put_properties(properties, &bytes) }
}

pub(super) unsafe fn hipDeviceSynchronize() -> Result {
    graph::refuse_any(error::STREAM_CAPTURE_UNSUPPORTED)?;
    stream::drain_all()
}

/// Ends all work, frees all memory, streams, events and graphs, and forgets all errors.
pub(super) unsafe fn hipDeviceReset() -> Result {
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
