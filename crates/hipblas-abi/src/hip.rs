//! The HIP runtime: the functions used, constants, and the struct layouts that differ between releases.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// `hipError_t`
pub type Error = c_int;
/// `hipDevice_t`
pub type Device = c_int;
/// `hipStream_t`
pub type Stream = *mut c_void;
/// `hipEvent_t`
pub type Event = *mut c_void;
/// `hipGraph_t`
pub type Graph = *mut c_void;
/// `hipGraphExec_t`
pub type GraphExec = *mut c_void;
/// `hipGraphNode_t`
pub type GraphNode = *mut c_void;
/// `hipMemPool_t`
pub type MemPool = *mut c_void;
/// `hipHostFn_t`
pub type HostFn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;
/// `hipStreamCallback_t`
pub type StreamCallback = Option<unsafe extern "C" fn(stream: Stream, status: Error, user_data: *mut c_void)>;

/// `hipPointerAttribute_t`. `kind` is numbered by release: see [`memory_type`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PointerAttributes {
    /// `hipMemoryType`.
    pub kind: c_int,
    /// Device number.
    pub device: c_int,
    /// The pointer as the device sees it.
    pub device_pointer: *mut c_void,
    /// The pointer as the host sees it.
    pub host_pointer: *mut c_void,
    /// Whether the memory is managed.
    pub is_managed: c_int,
    /// Flags of the allocation.
    pub allocation_flags: c_uint,
}

/// Calls the macro `$cb` with every HIP function: symbol version, Rust signature, C prototype (`const` left out).
///
/// All are exported by the runtimes of ROCm 5, 6 and 7 unless the version is later, and return `hipError_t` except the
/// two that name an error.
#[macro_export]
macro_rules! for_each_hip_function {
    ($cb:ident) => {
        $cb! {
            "hip_4.2" hipInit(flags: c_uint) -> Error = "unsigned int";
            "hip_4.2" hipDriverGetVersion(version: *mut c_int) -> Error = "int*";
            "hip_4.2" hipRuntimeGetVersion(version: *mut c_int) -> Error = "int*";
            "hip_4.2" hipGetErrorName(error: Error) -> *const c_char = "hipError_t";
            "hip_4.2" hipGetErrorString(error: Error) -> *const c_char = "hipError_t";
            "hip_4.2" hipGetLastError() -> Error = "";
            "hip_4.2" hipPeekAtLastError() -> Error = "";
            "hip_6.0" hipExtGetLastError() -> Error = "";

            "hip_4.2" hipGetDeviceCount(count: *mut c_int) -> Error = "int*";
            "hip_4.2" hipSetDevice(device: c_int) -> Error = "int";
            "hip_4.2" hipGetDevice(device: *mut c_int) -> Error = "int*";
            "hip_4.2" hipDeviceGet(device: *mut Device, ordinal: c_int) -> Error = "hipDevice_t*, int";
            "hip_4.2" hipDeviceGetName(name: *mut c_char, len: c_int, device: Device) -> Error
                = "char*, int, hipDevice_t";
            "hip_4.2" hipDeviceTotalMem(bytes: *mut usize, device: Device) -> Error = "size_t*, hipDevice_t";
            "hip_4.2" hipDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> Error
                = "int*, hipDeviceAttribute_t, int";
            "hip_4.2" hipDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, device: Device) -> Error
                = "int*, int*, hipDevice_t";
            "hip_4.2" hipDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: c_int) -> Error
                = "char*, int, int";
            "hip_4.2" hipGetDeviceProperties(properties: *mut c_void, device: c_int) -> Error
                = "hipDeviceProp_t*, int";
            "hip_6.0" hipGetDevicePropertiesR0600(properties: *mut c_void, device: c_int) -> Error
                = "hipDeviceProp_tR0600*, int";
            "hip_4.2" hipDeviceSynchronize() -> Error = "";
            "hip_4.2" hipDeviceReset() -> Error = "";
            "hip_4.2" hipMemGetInfo(free: *mut usize, total: *mut usize) -> Error = "size_t*, size_t*";
            "hip_4.2" hipDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) -> Error
                = "int*, int, int";
            "hip_4.2" hipDeviceEnablePeerAccess(peer: c_int, flags: c_uint) -> Error = "int, unsigned int";
            "hip_4.2" hipDeviceDisablePeerAccess(peer: c_int) -> Error = "int";
            "hip_4.2" hipDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Error
                = "int*, int*";

            "hip_4.2" hipMalloc(ptr: *mut *mut c_void, bytes: usize) -> Error = "void**, size_t";
            "hip_4.2" hipFree(ptr: *mut c_void) -> Error = "void*";
            "hip_4.2" hipMallocManaged(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void**, size_t, unsigned int";
            "hip_4.2" hipMallocPitch(ptr: *mut *mut c_void, pitch: *mut usize, width: usize, height: usize) -> Error
                = "void**, size_t*, size_t, size_t";
            "hip_4.2" hipHostMalloc(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void**, size_t, unsigned int";
            "hip_4.2" hipHostAlloc(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void**, size_t, unsigned int";
            "hip_4.2" hipMallocHost(ptr: *mut *mut c_void, bytes: usize) -> Error = "void**, size_t";
            "hip_4.2" hipHostFree(ptr: *mut c_void) -> Error = "void*";
            "hip_4.2" hipFreeHost(ptr: *mut c_void) -> Error = "void*";
            "hip_4.2" hipHostRegister(ptr: *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void*, size_t, unsigned int";
            "hip_4.2" hipHostUnregister(ptr: *mut c_void) -> Error = "void*";
            "hip_4.2" hipHostGetDevicePointer(device: *mut *mut c_void, host: *mut c_void, flags: c_uint) -> Error
                = "void**, void*, unsigned int";
            "hip_4.2" hipPointerGetAttributes(attributes: *mut PointerAttributes, ptr: *const c_void) -> Error
                = "hipPointerAttribute_t*, void*";
            "hip_5.1" hipMallocAsync(ptr: *mut *mut c_void, bytes: usize, stream: Stream) -> Error
                = "void**, size_t, hipStream_t";
            "hip_5.1" hipFreeAsync(ptr: *mut c_void, stream: Stream) -> Error = "void*, hipStream_t";

            "hip_4.2" hipMemcpy(dst: *mut c_void, src: *const c_void, bytes: usize, kind: c_int) -> Error
                = "void*, void*, size_t, hipMemcpyKind";
            "hip_4.2" hipMemcpyAsync(
                dst: *mut c_void, src: *const c_void, bytes: usize, kind: c_int, stream: Stream
            ) -> Error = "void*, void*, size_t, hipMemcpyKind, hipStream_t";
            "hip_4.2" hipMemcpyWithStream(
                dst: *mut c_void, src: *const c_void, bytes: usize, kind: c_int, stream: Stream
            ) -> Error = "void*, void*, size_t, hipMemcpyKind, hipStream_t";
            "hip_4.2" hipMemcpyHtoD(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Error
                = "hipDeviceptr_t, void*, size_t";
            "hip_4.2" hipMemcpyDtoH(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Error
                = "void*, hipDeviceptr_t, size_t";
            "hip_4.2" hipMemcpyDtoD(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Error
                = "hipDeviceptr_t, hipDeviceptr_t, size_t";
            "hip_4.2" hipMemcpy2D(
                dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize,
                kind: c_int
            ) -> Error = "void*, size_t, void*, size_t, size_t, size_t, hipMemcpyKind";
            "hip_4.2" hipMemcpy2DAsync(
                dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize,
                kind: c_int, stream: Stream
            ) -> Error = "void*, size_t, void*, size_t, size_t, size_t, hipMemcpyKind, hipStream_t";
            "hip_4.2" hipMemcpyPeer(
                dst: *mut c_void, dst_device: c_int, src: *const c_void, src_device: c_int, bytes: usize
            ) -> Error = "void*, int, void*, int, size_t";
            "hip_4.2" hipMemcpyPeerAsync(
                dst: *mut c_void, dst_device: c_int, src: *const c_void, src_device: c_int, bytes: usize,
                stream: Stream
            ) -> Error = "void*, int, void*, int, size_t, hipStream_t";
            "hip_4.2" hipMemset(dst: *mut c_void, value: c_int, bytes: usize) -> Error = "void*, int, size_t";
            "hip_4.2" hipMemsetAsync(dst: *mut c_void, value: c_int, bytes: usize, stream: Stream) -> Error
                = "void*, int, size_t, hipStream_t";
            "hip_4.2" hipMemset2D(
                dst: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize
            ) -> Error = "void*, size_t, int, size_t, size_t";
            "hip_4.2" hipMemset2DAsync(
                dst: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, stream: Stream
            ) -> Error = "void*, size_t, int, size_t, size_t, hipStream_t";

            "hip_4.2" hipStreamCreate(stream: *mut Stream) -> Error = "hipStream_t*";
            "hip_4.2" hipStreamCreateWithFlags(stream: *mut Stream, flags: c_uint) -> Error
                = "hipStream_t*, unsigned int";
            "hip_4.2" hipStreamCreateWithPriority(stream: *mut Stream, flags: c_uint, priority: c_int) -> Error
                = "hipStream_t*, unsigned int, int";
            "hip_4.2" hipStreamDestroy(stream: Stream) -> Error = "hipStream_t";
            "hip_4.2" hipStreamSynchronize(stream: Stream) -> Error = "hipStream_t";
            "hip_4.2" hipStreamQuery(stream: Stream) -> Error = "hipStream_t";
            "hip_4.2" hipStreamWaitEvent(stream: Stream, event: Event, flags: c_uint) -> Error
                = "hipStream_t, hipEvent_t, unsigned int";
            "hip_4.2" hipStreamGetFlags(stream: Stream, flags: *mut c_uint) -> Error
                = "hipStream_t, unsigned int*";
            "hip_4.2" hipStreamGetPriority(stream: Stream, priority: *mut c_int) -> Error = "hipStream_t, int*";
            "hip_4.2" hipStreamGetDevice(stream: Stream, device: *mut Device) -> Error
                = "hipStream_t, hipDevice_t*";
            "hip_4.2" hipStreamAddCallback(
                stream: Stream, callback: StreamCallback, user_data: *mut c_void, flags: c_uint
            ) -> Error = "hipStream_t, hipStreamCallback_t, void*, unsigned int";
            "hip_5.3" hipLaunchHostFunc(stream: Stream, function: HostFn, user_data: *mut c_void) -> Error
                = "hipStream_t, hipHostFn_t, void*";

            "hip_4.2" hipEventCreate(event: *mut Event) -> Error = "hipEvent_t*";
            "hip_4.2" hipEventCreateWithFlags(event: *mut Event, flags: c_uint) -> Error
                = "hipEvent_t*, unsigned int";
            "hip_4.2" hipEventDestroy(event: Event) -> Error = "hipEvent_t";
            "hip_4.2" hipEventRecord(event: Event, stream: Stream) -> Error = "hipEvent_t, hipStream_t";
            "hip_4.2" hipEventSynchronize(event: Event) -> Error = "hipEvent_t";
            "hip_4.2" hipEventQuery(event: Event) -> Error = "hipEvent_t";
            "hip_4.2" hipEventElapsedTime(milliseconds: *mut f32, start: Event, stop: Event) -> Error
                = "float*, hipEvent_t, hipEvent_t";

            "hip_4.3" hipStreamBeginCapture(stream: Stream, mode: c_int) -> Error
                = "hipStream_t, hipStreamCaptureMode";
            "hip_4.3" hipStreamEndCapture(stream: Stream, graph: *mut Graph) -> Error = "hipStream_t, hipGraph_t*";
            "hip_4.3" hipStreamIsCapturing(stream: Stream, status: *mut c_int) -> Error
                = "hipStream_t, hipStreamCaptureStatus*";
            "hip_4.3" hipGraphCreate(graph: *mut Graph, flags: c_uint) -> Error = "hipGraph_t*, unsigned int";
            "hip_4.3" hipGraphDestroy(graph: Graph) -> Error = "hipGraph_t";
            "hip_4.3" hipGraphInstantiate(
                exec: *mut GraphExec, graph: Graph, error_node: *mut GraphNode, log: *mut c_char, log_bytes: usize
            ) -> Error = "hipGraphExec_t*, hipGraph_t, hipGraphNode_t*, char*, size_t";
            "hip_4.3" hipGraphLaunch(exec: GraphExec, stream: Stream) -> Error = "hipGraphExec_t, hipStream_t";
            "hip_4.3" hipGraphExecDestroy(exec: GraphExec) -> Error = "hipGraphExec_t";
        }
    };
}

/// `hipError_t`, the ones of use here. No number ever changed.
pub mod error {
    macro_rules! errors {
        ($($name:ident = $value:literal, $c:ident, $text:literal;)*) => {
            $(#[doc = concat!("`", stringify!($c), "`")] pub const $name: i32 = $value;)*

            /// C name, number and description of each.
            pub const ALL: &[(&str, i32, &str)] = &[$((stringify!($c), $value, $text)),*];
        };
    }
    errors! {
        SUCCESS = 0, hipSuccess, "no error";
        INVALID_VALUE = 1, hipErrorInvalidValue, "invalid argument";
        OUT_OF_MEMORY = 2, hipErrorOutOfMemory, "out of memory";
        NOT_INITIALIZED = 3, hipErrorNotInitialized, "initialization error";
        DEINITIALIZED = 4, hipErrorDeinitialized, "driver shutting down";
        INVALID_PITCH_VALUE = 12, hipErrorInvalidPitchValue, "invalid pitch argument";
        INVALID_DEVICE_POINTER = 17, hipErrorInvalidDevicePointer, "invalid device pointer";
        INVALID_MEMCPY_DIRECTION = 21, hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy";
        INSUFFICIENT_DRIVER = 35, hipErrorInsufficientDriver, "driver version is insufficient for runtime version";
        NO_DEVICE = 100, hipErrorNoDevice, "no ROCm-capable device is detected";
        INVALID_DEVICE = 101, hipErrorInvalidDevice, "invalid device ordinal";
        MAP_FAILED = 205, hipErrorMapFailed, "mapping of buffer object failed";
        NO_BINARY_FOR_GPU = 209, hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device";
        PEER_ACCESS_UNSUPPORTED = 217, hipErrorPeerAccessUnsupported, "peer access is not supported between the devices";
        SHARED_OBJECT_INIT_FAILED = 303, hipErrorSharedObjectInitFailed, "shared object initialization failed";
        INVALID_HANDLE = 400, hipErrorInvalidHandle, "invalid resource handle";
        ILLEGAL_STATE = 401, hipErrorIllegalState, "the operation cannot be performed in the present state";
        NOT_FOUND = 500, hipErrorNotFound, "named symbol not found";
        NOT_READY = 600, hipErrorNotReady, "device not ready";
        ILLEGAL_ADDRESS = 700, hipErrorIllegalAddress, "an illegal memory access was encountered";
        PEER_ACCESS_ALREADY_ENABLED = 704, hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled";
        PEER_ACCESS_NOT_ENABLED = 705, hipErrorPeerAccessNotEnabled, "peer access has not been enabled";
        CONTEXT_IS_DESTROYED = 709, hipErrorContextIsDestroyed, "context is destroyed";
        HOST_MEMORY_ALREADY_REGISTERED = 712, hipErrorHostMemoryAlreadyRegistered,
            "part or all of the requested memory range is already mapped";
        HOST_MEMORY_NOT_REGISTERED = 713, hipErrorHostMemoryNotRegistered,
            "pointer does not correspond to a registered memory region";
        LAUNCH_FAILURE = 719, hipErrorLaunchFailure, "unspecified launch failure";
        NOT_SUPPORTED = 801, hipErrorNotSupported, "operation not supported";
        STREAM_CAPTURE_UNSUPPORTED = 900, hipErrorStreamCaptureUnsupported,
            "operation not permitted when stream is capturing";
        STREAM_CAPTURE_INVALIDATED = 901, hipErrorStreamCaptureInvalidated,
            "operation failed due to a previous error during capture";
        STREAM_CAPTURE_UNMATCHED = 903, hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream";
        STREAM_CAPTURE_UNJOINED = 904, hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work";
        CAPTURED_EVENT = 907, hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream";
        UNKNOWN = 999, hipErrorUnknown, "unknown error";
    }

    /// The C name of a number.
    pub fn name(value: i32) -> Option<&'static str> {
        ALL.iter().find(|(_, v, _)| *v == value).map(|(name, ..)| *name)
    }
}

macro_rules! named {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:literal, $c:ident;)*) => {
        $(#[doc = concat!("`", stringify!($c), "`")] $(#[$doc])* pub const $name: $type = $value;)*

        /// C name and number of each.
        pub const ALL: &[(&str, i64)] = &[$((stringify!($c), $value)),*];
    };
}

/// `hipMemcpyKind`
pub mod memcpy {
    named! {
        HOST_TO_HOST: i32 = 0, hipMemcpyHostToHost;
        HOST_TO_DEVICE: i32 = 1, hipMemcpyHostToDevice;
        DEVICE_TO_HOST: i32 = 2, hipMemcpyDeviceToHost;
        DEVICE_TO_DEVICE: i32 = 3, hipMemcpyDeviceToDevice;
        /// The addresses tell.
        DEFAULT: i32 = 4, hipMemcpyDefault;
    }
}

/// Flags of streams and events, and the numbers of capture. The same in all releases.
pub mod flag {
    named! {
        STREAM_NON_BLOCKING: u32 = 1, hipStreamNonBlocking;
        EVENT_DISABLE_TIMING: u32 = 2, hipEventDisableTiming;
        CAPTURE_GLOBAL: i32 = 0, hipStreamCaptureModeGlobal;
        CAPTURE_THREAD_LOCAL: i32 = 1, hipStreamCaptureModeThreadLocal;
        CAPTURE_RELAXED: i32 = 2, hipStreamCaptureModeRelaxed;
        CAPTURE_ACTIVE: i32 = 1, hipStreamCaptureStatusActive;
    }
}

/// `hipDeviceAttribute_t`, the ones of use here. No number ever changed.
pub mod attribute {
    named! {
        COMPUTE_CAPABILITY_MAJOR: i32 = 23, hipDeviceAttributeComputeCapabilityMajor;
        MANAGED_MEMORY: i32 = 24, hipDeviceAttributeManagedMemory;
        MAX_THREADS_PER_BLOCK: i32 = 56, hipDeviceAttributeMaxThreadsPerBlock;
        COMPUTE_CAPABILITY_MINOR: i32 = 61, hipDeviceAttributeComputeCapabilityMinor;
        MULTIPROCESSOR_COUNT: i32 = 63, hipDeviceAttributeMultiprocessorCount;
        UNIFIED_ADDRESSING: i32 = 85, hipDeviceAttributeUnifiedAddressing;
        WARP_SIZE: i32 = 87, hipDeviceAttributeWarpSize;
    }
}

/// `hipMemoryType`, which was renumbered in 6.0.
pub mod memory_type {
    /// Numbers of `hipMemoryTypeHost`, `Device` and `Managed` for a major version of HIP.
    pub const fn of(hip_major: usize) -> (i32, i32, i32) {
        if hip_major < 6 { (0, 1, 4) } else { (1, 2, 3) }
    }
}

/// Offsets in `hipDeviceProp_t`, which was rearranged in 6.0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyLayout {
    /// `sizeof`
    pub size: usize,
    /// `char name[256]`
    pub name: usize,
    /// `size_t totalGlobalMem`
    pub total_global_mem: usize,
    /// `int warpSize`
    pub warp_size: usize,
    /// `int maxThreadsPerBlock`
    pub max_threads_per_block: usize,
    /// `int clockRate` in kHz
    pub clock_rate: usize,
    /// `int major`
    pub major: usize,
    /// `int minor`
    pub minor: usize,
    /// `int multiProcessorCount`
    pub multi_processor_count: usize,
    /// `int gcnArch`, removed in 6.0
    pub gcn_arch: Option<usize>,
    /// `char gcnArchName[256]`
    pub gcn_arch_name: usize,
    /// `int integrated`
    pub integrated: usize,
    /// `int pciBusID`
    pub pci_bus_id: usize,
}

/// What `hipGetDeviceProperties` fills, in every release.
pub const PROPERTIES_OLD: PropertyLayout = PropertyLayout {
    size: 792,
    name: 0,
    total_global_mem: 256,
    warp_size: 276,
    max_threads_per_block: 280,
    clock_rate: 308,
    major: 328,
    minor: 332,
    multi_processor_count: 336,
    gcn_arch: Some(392),
    gcn_arch_name: 396,
    integrated: 652,
    pci_bus_id: 368,
};

/// What `hipGetDevicePropertiesR0600` fills.
pub const PROPERTIES_R0600: PropertyLayout = PropertyLayout {
    size: 1472,
    name: 0,
    total_global_mem: 288,
    warp_size: 308,
    max_threads_per_block: 320,
    clock_rate: 348,
    major: 360,
    minor: 364,
    multi_processor_count: 388,
    gcn_arch: None,
    gcn_arch_name: 1160,
    integrated: 396,
    pci_bus_id: 584,
};

macro_rules! descriptions { ($($version:literal $name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $c:literal;)*) => {
    /// Name, symbol version and C parameter types of every HIP function of the table.
    pub const FUNCTIONS: &[(&str, &str, &str)] = &[$((stringify!($name), $version, $c)),*];

    /// Pointer types of the functions of the table.
    #[expect(non_camel_case_types, reason = "they have the functions' names")]
    pub mod pointer {
        use super::*;
        $(#[doc = concat!("`", stringify!($name), "`")] pub type $name = unsafe extern "C" fn($($arg: $ty),*) -> $out;)*
    }
}}
for_each_hip_function!(descriptions);
